/** Sessions of signed-in members, and the secrets of their known browsers. */
import { randomBytes } from 'node:crypto';
import { VerbatimError } from '../../errors.ts';
import type { Connection } from '../database/connection.ts';
import { type Customer, customerColumns } from './customers.ts';
import type { Member, Role } from './members.ts';
import { hashToken, mintToken } from './tokens.ts';

/** The lifetime and number of a member's sessions. */
export interface SessionLimits {
  /** The maximum age. */
  lifetimeMs: number;
  /** The maximum time without a request. */
  idleMs: number;
  perMemberMax: number;
}

export interface Session {
  customer: Customer;
  member: Member;
  createdAt: number;
  seenAt: number;
}

/** The browser of a session, as its member sees it. */
export interface SessionOrigin {
  /** Such as `Firefox on Linux`. */
  device?: string | undefined;
  /** The network address; see client-address.ts. */
  address?: string | undefined;
}

export interface NewSession extends SessionOrigin {
  memberId: number;
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
export function addSession(db: Connection, given: NewSession): StartedSession {
  const { memberId, limits, now, replaces, device = null, address = null } = given;
  if (replaces !== undefined) endSession(db, { token: replaces });
  db.prepare('DELETE FROM sessions WHERE member_id = ? AND (created_at <= ? OR seen_at <= ?)').run(
    ...[memberId, now - limits.lifetimeMs, now - limits.idleMs],
  );
  db.prepare(
    `DELETE FROM sessions WHERE token_hash IN (
       SELECT token_hash FROM sessions WHERE member_id = ?
       ORDER BY seen_at DESC, created_at DESC LIMIT -1 OFFSET ?)`,
  ).run(memberId, limits.perMemberMax - 1);
  const token = mintToken();
  db.prepare('INSERT INTO sessions VALUES (?, ?, ?, ?, ?, ?)').run(
    ...[hashToken(token), memberId, now, now, device, address],
  );
  return { token, browserKey: browserKeyOf(db, memberId) };
}

type SessionRow = Customer & {
  memberId: number;
  memberEmail: string;
  role: Role;
  startedAt: number;
  seenAt: number;
};

/**
 * Finds the session of a token; undefined if it is unknown or expired, or the customer is disabled.
 */
export function findSession(
  db: Connection,
  { token, limits, now }: { token: string; limits: SessionLimits; now: number },
): Session | undefined {
  const row = db
    .prepare(
      `SELECT ${customerColumns}, members.id AS memberId, members.email AS memberEmail, role,
         sessions.created_at AS startedAt, seen_at AS seenAt
       FROM sessions JOIN members ON members.id = member_id
         JOIN customers ON customers.id = customer_id
       WHERE token_hash = ? AND disabled_at IS NULL
         AND sessions.created_at > ? AND seen_at > ?`,
    )
    .get(hashToken(token), now - limits.lifetimeMs, now - limits.idleMs) as SessionRow | undefined;
  return row === undefined ? undefined : sessionOf(row);
}

/** Takes the row of a session apart. */
export function sessionOf(row: SessionRow): Session {
  const { memberId, memberEmail: email, role, startedAt, seenAt, ...customer } = row;
  return { customer, member: { id: memberId, email, role }, createdAt: startedAt, seenAt };
}

export interface ListedSession {
  /** Names the session among those of its member. */
  name: string;
  createdAt: number;
  seenAt: number;
  device: string | null;
  address: string | null;
}

/** The bytes of a token's hash that name its session. They tell nothing about the token. */
const NAME_BYTES = 8;

/** Returns the name of the session of a token. */
export function sessionNameOf(token: string): string {
  return hashToken(token).subarray(0, NAME_BYTES).toString('hex');
}

/** Lists the active sessions of a member, last used first. */
export function listSessions(
  db: Connection,
  { memberId, limits, now }: { memberId: number; limits: SessionLimits; now: number },
): ListedSession[] {
  return db
    .prepare(
      `SELECT lower(hex(substr(token_hash, 1, ${NAME_BYTES}))) AS name, created_at AS createdAt,
         seen_at AS seenAt, device, address
       FROM sessions WHERE member_id = ? AND created_at > ? AND seen_at > ?
       ORDER BY seen_at DESC, created_at DESC`,
    )
    .all(memberId, now - limits.lifetimeMs, now - limits.idleMs) as ListedSession[];
}

/** Ends the session of a member that has a name. Throws `not_found`. */
export function endNamedSession(
  db: Connection,
  { memberId, name }: { memberId: number; name: string },
): void {
  const { changes } = db
    .prepare(
      `DELETE FROM sessions
       WHERE member_id = ? AND lower(hex(substr(token_hash, 1, ${NAME_BYTES}))) = ?`,
    )
    .run(memberId, name);
  if (changes === 0) throw new VerbatimError('not_found');
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

/** Ends all sessions of a member and forgets their browsers. Returns the number of sessions. */
export function endSessions(db: Connection, { memberId }: { memberId: number }): number {
  db.prepare('UPDATE members SET browser_key = NULL WHERE id = ?').run(memberId);
  return db.prepare('DELETE FROM sessions WHERE member_id = ?').run(memberId).changes;
}

/** Counts the active sessions of all members of a customer. */
export function countSessions(
  db: Connection,
  { customerId, limits, now }: { customerId: number; limits: SessionLimits; now: number },
): number {
  return Number(
    db
      .prepare(
        `SELECT count(*) FROM members JOIN sessions ON member_id = members.id
         WHERE customer_id = ? AND sessions.created_at > ? AND seen_at > ?`,
      )
      .pluck()
      .get(customerId, now - limits.lifetimeMs, now - limits.idleMs),
  );
}

const KEY_BYTES = 32;

/**
 * Returns the member's key for known browsers; creates it if missing. Each member has their own, so a
 * cookie is valid for one address, and a new key invalidates all earlier cookies.
 */
function browserKeyOf(db: Connection, memberId: number): Uint8Array {
  return db
    .prepare(
      'UPDATE members SET browser_key = coalesce(browser_key, ?) WHERE id = ? RETURNING browser_key',
    )
    .pluck()
    .get(randomBytes(KEY_BYTES), memberId) as Uint8Array;
}
