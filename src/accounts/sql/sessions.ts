/** Sessions of signed-in members. */
import { queryFirst, type Sql } from '../../database/sql/sql.ts';
import { type Customer, customerColumns } from './customers.ts';
import type { Member, Role } from './member-rows.ts';
import { hashToken } from './secret-tokens.ts';
import { memberSessions, type SessionLimits } from './session-rows.ts';

export const {
  start: addSession,
  list: listSessions,
  touch: touchSession,
  end: endSession,
  endNamed: endNamedSession,
  endAll: endSessions,
} = memberSessions;

export interface Session {
  customer: Customer;
  member: Member;
  createdAt: number;
  seenAt: number;
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
export function* findSession({
  token,
  limits,
  now,
}: {
  token: string;
  limits: SessionLimits;
  now: number;
}): Sql<Session | undefined> {
  const row = yield* queryFirst<SessionRow>(
    `SELECT ${customerColumns}, members.id AS "memberId", members.email AS "memberEmail", role,
       sessions.created_at AS "startedAt", seen_at AS "seenAt"
     FROM sessions JOIN members ON members.id = member_id
       JOIN customers ON customers.id = customer_id
     WHERE token_hash = $1 AND disabled_at IS NULL
       AND sessions.created_at > $2 AND seen_at > $3`,
    [hashToken(token), now - limits.lifetimeMs, now - limits.idleMs],
  );
  if (row === undefined) return undefined;
  const { memberId, memberEmail: email, role, startedAt, seenAt, ...customer } = row;
  return { customer, member: { id: memberId, email, role }, createdAt: startedAt, seenAt };
}

/** Counts the active sessions of all members of a customer. */
export function* countSessions({
  customerId,
  limits,
  now,
}: {
  customerId: number;
  limits: SessionLimits;
  now: number;
}): Sql<number> {
  const row = yield* queryFirst<{ count: number }>(
    `SELECT count(*) AS count FROM members JOIN sessions ON member_id = members.id
     WHERE customer_id = $1 AND sessions.created_at > $2 AND seen_at > $3`,
    [customerId, now - limits.lifetimeMs, now - limits.idleMs],
  );
  return row?.count ?? 0;
}
