/** Sessions of customers who have signed in. */
import { randomBytes } from 'node:crypto';
import type { Connection } from '../database/connection.ts';
import { type Customer, customerColumns } from './customers.ts';
import { hashToken, mintToken } from './tokens.ts';

/** How long a session lives, and how many a customer has. */
export interface SessionLimits {
  /** After its start. */
  lifetimeMs: number;
  /** After it was seen last. */
  idleMs: number;
  perCustomerMax: number;
}

export interface Session {
  customer: Customer;
  createdAt: number;
  seenAt: number;
}

export interface NewSession {
  customerId: number;
  limits: SessionLimits;
  now: number;
  /** The token that the browser had: its session ends, whosever it was. */
  replaces?: string | undefined;
}

export interface StartedSession {
  token: string;
  /** Signs the token by which the browser is known from now on. */
  browserKey: Uint8Array;
}

/** Starts a session with a new token; ends those that are over or too many. */
export function addSession(
  db: Connection,
  { customerId, limits, now, replaces }: NewSession,
): StartedSession {
  if (replaces !== undefined) endSession(db, { token: replaces });
  db.prepare(
    'DELETE FROM sessions WHERE customer_id = ? AND (created_at <= ? OR seen_at <= ?)',
  ).run(customerId, now - limits.lifetimeMs, now - limits.idleMs);
  db.prepare(
    `DELETE FROM sessions WHERE token_hash IN (
       SELECT token_hash FROM sessions WHERE customer_id = ?
       ORDER BY seen_at DESC, created_at DESC LIMIT -1 OFFSET ?)`,
  ).run(customerId, limits.perCustomerMax - 1);
  const token = mintToken();
  db.prepare(
    'INSERT INTO sessions (token_hash, customer_id, created_at, seen_at) VALUES (?, ?, ?, ?)',
  ).run(hashToken(token), customerId, now, now);
  return { token, browserKey: browserKeyOf(db, customerId) };
}

/** The session of a token; undefined for none, one that is over, or a disabled customer. */
export function findSession(
  db: Connection,
  { token, limits, now }: { token: string; limits: SessionLimits; now: number },
): Session | undefined {
  const row = db
    .prepare(
      `SELECT ${customerColumns}, sessions.created_at AS startedAt, seen_at AS seenAt
       FROM sessions JOIN customers ON customers.id = customer_id
       WHERE token_hash = ? AND disabled_at IS NULL
         AND sessions.created_at > ? AND seen_at > ?`,
    )
    .get(hashToken(token), now - limits.lifetimeMs, now - limits.idleMs) as
    | (Customer & { startedAt: number; seenAt: number })
    | undefined;
  if (row === undefined) return undefined;
  const { startedAt, seenAt, ...customer } = row;
  return { customer, createdAt: startedAt, seenAt };
}

/** Notes that a session is in use; changes nothing where it has ended. */
export function seeSession(db: Connection, { token, now }: { token: string; now: number }): void {
  db.prepare('UPDATE sessions SET seen_at = max(seen_at, ?) WHERE token_hash = ?').run(
    ...[now, hashToken(token)],
  );
}

/** Ends one session; changes nothing where it has ended. */
export function endSession(db: Connection, { token }: { token: string }): void {
  db.prepare('DELETE FROM sessions WHERE token_hash = ?').run(hashToken(token));
}

/** Ends all sessions of a customer and forgets their browsers; returns how many sessions it were. */
export function endSessions(db: Connection, { customerId }: { customerId: number }): number {
  forgetBrowsers(db, customerId);
  return db.prepare('DELETE FROM sessions WHERE customer_id = ?').run(customerId).changes;
}

/** How many sessions of a customer are not over. */
export function countSessions(
  db: Connection,
  { customerId, limits, now }: { customerId: number; limits: SessionLimits; now: number },
): number {
  return Number(
    db
      .prepare(
        'SELECT count(*) FROM sessions WHERE customer_id = ? AND created_at > ? AND seen_at > ?',
      )
      .pluck()
      .get(customerId, now - limits.lifetimeMs, now - limits.idleMs),
  );
}

const KEY_BYTES = 32;

/** The customer's secret, made where there is none yet. */
function browserKeyOf(db: Connection, customerId: number): Uint8Array {
  return db
    .prepare(
      'UPDATE customers SET browser_key = coalesce(browser_key, ?) WHERE id = ? RETURNING browser_key',
    )
    .pluck()
    .get(randomBytes(KEY_BYTES), customerId) as Uint8Array;
}

/** Forgets all browsers of a customer. */
function forgetBrowsers(db: Connection, customerId: number): void {
  db.prepare('UPDATE customers SET browser_key = NULL WHERE id = ?').run(customerId);
}
