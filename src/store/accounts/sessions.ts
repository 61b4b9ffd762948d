/** Sessions of signed-in customers, and the secrets of their known browsers. */
import { randomBytes } from 'node:crypto';
import type { Connection } from '../database/connection.ts';
import { type Customer, customerColumns } from './customers.ts';
import { hashToken, mintToken } from './tokens.ts';

/** The lifetime and number of a customer's sessions. */
export interface SessionLimits {
  /** The maximum age. */
  lifetimeMs: number;
  /** The maximum time without a request. */
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
  /** The browser's previous token. Its session ends, whoever it belonged to. */
  replaces?: string | undefined;
}

export interface StartedSession {
  token: string;
  /** The key that signs the token of the known browser. */
  browserKey: Uint8Array;
}

/** Starts a session with a new token. Deletes expired and excess sessions. */
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

/**
 * Finds the session of a token; undefined if it is unknown or expired, or the customer is disabled.
 */
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

/** Records that a session is in use. Changes nothing if it has ended. */
export function seeSession(db: Connection, { token, now }: { token: string; now: number }): void {
  db.prepare('UPDATE sessions SET seen_at = max(seen_at, ?) WHERE token_hash = ?').run(
    ...[now, hashToken(token)],
  );
}

/** Ends one session, if it exists. */
export function endSession(db: Connection, { token }: { token: string }): void {
  db.prepare('DELETE FROM sessions WHERE token_hash = ?').run(hashToken(token));
}

/** Ends all sessions of a customer and forgets their browsers. Returns the number of sessions. */
export function endSessions(db: Connection, { customerId }: { customerId: number }): number {
  forgetBrowsers(db, customerId);
  return db.prepare('DELETE FROM sessions WHERE customer_id = ?').run(customerId).changes;
}

/** Counts the active sessions of a customer. */
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

/**
 * Returns the customer's key for known browsers; creates it if missing. Each customer has their
 * own, so a cookie is valid for one account, and a new key invalidates all earlier cookies.
 */
function browserKeyOf(db: Connection, customerId: number): Uint8Array {
  return db
    .prepare(
      'UPDATE customers SET browser_key = coalesce(browser_key, ?) WHERE id = ? RETURNING browser_key',
    )
    .pluck()
    .get(randomBytes(KEY_BYTES), customerId) as Uint8Array;
}

/** Forgets all known browsers of a customer. */
function forgetBrowsers(db: Connection, customerId: number): void {
  db.prepare('UPDATE customers SET browser_key = NULL WHERE id = ?').run(customerId);
}
