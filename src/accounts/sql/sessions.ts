/** Sessions of signed-in members, and the secrets of their known browsers. */
import type { Connection } from '../../database/sqlite/connection.ts';
import { type Customer, customerColumns } from './customers.ts';
import type { Member, Role } from './member-rows.ts';
import { hashToken } from './secret-tokens.ts';
import {
  deleteNamedSession,
  deleteSession,
  deleteSessions,
  forgetBrowsers,
  insertSession,
  type ListedSession,
  memberSessions,
  readSessions,
  type SessionLimits,
  type SessionStart,
  type StartedSession,
  touchSessionRow,
} from './session-rows.ts';

export interface Session {
  customer: Customer;
  member: Member;
  createdAt: number;
  seenAt: number;
}

export interface NewSession extends SessionStart {
  memberId: number;
}

/** Starts a session with a new token. Deletes expired and excess sessions. */
export function addSession(
  db: Connection,
  { memberId: ownerId, ...rest }: NewSession,
): StartedSession {
  return insertSession(db, memberSessions, { ...rest, ownerId });
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

/** Lists the active sessions of a member, last used first. */
export function listSessions(
  db: Connection,
  { memberId: ownerId, ...rest }: { memberId: number; limits: SessionLimits; now: number },
): ListedSession[] {
  return readSessions(db, memberSessions, { ...rest, ownerId });
}

/** Ends the session of a member that has a name. Throws `not_found`. */
export function endNamedSession(
  db: Connection,
  { memberId: ownerId, name }: { memberId: number; name: string },
): void {
  deleteNamedSession(db, memberSessions, { ownerId, name });
}

/** Records that a session is in use. Changes nothing if it has ended. */
export function touchSession(db: Connection, input: { token: string; now: number }): void {
  touchSessionRow(db, memberSessions, input);
}

/** Ends one session, if it exists. */
export function endSession(db: Connection, { token }: { token: string }): void {
  deleteSession(db, memberSessions, token);
}

/** Ends all sessions of a member and forgets their browsers. Returns the number of sessions. */
export function endSessions(db: Connection, { memberId: ownerId }: { memberId: number }): number {
  forgetBrowsers(db, memberSessions, ownerId);
  return deleteSessions(db, memberSessions, { ownerId });
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
