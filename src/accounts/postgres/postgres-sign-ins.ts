/** Passwords and sessions on PostgreSQL. */

import type { Database, Queries } from '../../database/postgres/postgres-database.ts';
import { VerbatimError } from '../../errors.ts';
import type { CheckedLogin, Login, Proved } from '../sql/passwords.ts';
import { hashToken } from '../sql/secret-tokens.ts';
import {
  type ListedSession,
  memberSessions,
  type SessionLimits,
  type StartedSession,
} from '../sql/session-rows.ts';
import { type NewSession, type Session, sessionOf } from '../sql/sessions.ts';
import { lockCustomer } from './postgres-customer-lock.ts';
import { customerColumns } from './postgres-customers.ts';
import { passSecondFactor } from './postgres-second-factors.ts';
import {
  deleteNamedSession,
  deleteSession,
  deleteSessions,
  forgetBrowsers,
  insertSession,
  readSessions,
  touchSessionRow,
} from './postgres-session-rows.ts';
import { findLink, removeLink } from './postgres-sign-in-links.ts';

const loginColumns = `members.id AS "memberId", customer_id AS "customerId", members.email,
  password_hash AS "passwordHash", disabled_at AS "disabledAt", browser_key AS "browserKey"
  FROM members JOIN customers ON customers.id = customer_id`;

export async function findLogin({ query }: Queries, email: string): Promise<Login | undefined> {
  return (await query<Login>(`SELECT ${loginColumns} WHERE members.email = $1`, [email]))[0];
}

export async function loginOf({ query }: Queries, memberId: number): Promise<Login | undefined> {
  return (await query<Login>(`SELECT ${loginColumns} WHERE members.id = $1`, [memberId]))[0];
}

/** Starts a session. Throws `wrong_sign_in`, `second_factor_needed`, or `wrong_code`. */
export function startSession(
  database: Database,
  checked: CheckedLogin & Proved,
): Promise<StartedSession> {
  return database.transaction(async (queries) => {
    const { email } = await assertUnchanged(queries, checked);
    await passSecondFactor(queries, { email, proof: checked.proof });
    return await addSession(queries, checked);
  });
}

/** Redeems a link. Throws `link_over`, `second_factor_needed`, or `wrong_code`. */
export function setPasswordByLink(
  database: Database,
  input: Omit<NewSession, 'memberId'> & Proved & { token: string; passwordHash: string },
): Promise<StartedSession> {
  return database.transaction(async (queries) => {
    const { memberId, email } = await findLink(queries, input);
    await lockMember(queries, memberId);
    // Another one may have redeemed it before the lock.
    await findLink(queries, input);
    await passSecondFactor(queries, { email, proof: input.proof });
    await storePassword(queries, memberId, input.passwordHash);
    return await addSession(queries, { ...input, memberId });
  });
}

/** Replaces the password. Throws `wrong_sign_in` if it changed in the meantime. */
export function replacePassword(
  database: Database,
  change: CheckedLogin & { newHash: string },
): Promise<StartedSession> {
  return database.transaction(async (queries) => {
    await assertUnchanged(queries, change);
    await storePassword(queries, change.memberId, change.newHash);
    return await addSession(queries, change);
  });
}

/** Stores a renewed hash of the same password. */
export async function renewHash(
  { query }: Queries,
  {
    memberId,
    passwordHash,
    newHash,
  }: Record<'passwordHash' | 'newHash', string> & { memberId: number },
): Promise<void> {
  await query('UPDATE members SET password_hash = $3 WHERE id = $1 AND password_hash = $2', [
    ...[memberId, passwordHash, newHash],
  ]);
}

async function assertUnchanged(
  queries: Queries,
  { memberId, passwordHash }: CheckedLogin,
): Promise<Login> {
  await lockMember(queries, memberId);
  const login = await loginOf(queries, memberId);
  if (login?.passwordHash === passwordHash && login.disabledAt === null) return login;
  throw new VerbatimError('wrong_sign_in');
}

/** Ends the link and the sessions, too. */
async function storePassword(queries: Queries, memberId: number, hash: string): Promise<void> {
  await queries.query('UPDATE members SET password_hash = $2 WHERE id = $1', [memberId, hash]);
  await removeLink(queries, memberId);
  await endSessions(queries, { memberId });
}

/**
 * Lets the other transactions of a member wait: those of all members of a customer, like every other
 * lock of accounts, so that no two wait for each other.
 */
async function lockMember(queries: Queries, memberId: number): Promise<void> {
  const login = await loginOf(queries, memberId);
  if (login !== undefined) await lockCustomer(queries, login.customerId);
}

/** Starts a session with a new token. Deletes expired and excess sessions. */
function addSession(
  queries: Queries,
  { memberId: ownerId, ...rest }: NewSession,
): Promise<StartedSession> {
  return insertSession(queries, memberSessions, { ...rest, ownerId });
}

export async function findSession(
  { query }: Queries,
  { token, limits, now }: { token: string; limits: SessionLimits; now: number },
): Promise<Session | undefined> {
  const [row] = await query<Parameters<typeof sessionOf>[0]>(
    `SELECT ${customerColumns}, members.id AS "memberId", members.email AS "memberEmail", role,
       sessions.created_at AS "startedAt", seen_at AS "seenAt"
     FROM sessions JOIN members ON members.id = member_id
       JOIN customers ON customers.id = customer_id
     WHERE token_hash = $1 AND disabled_at IS NULL
       AND sessions.created_at > $2 AND seen_at > $3`,
    [hashToken(token), now - limits.lifetimeMs, now - limits.idleMs],
  );
  return row === undefined ? undefined : sessionOf(row);
}

/** Lists the active sessions of a member, last used first. */
export function listSessions(
  queries: Queries,
  { memberId: ownerId, ...rest }: { memberId: number; limits: SessionLimits; now: number },
): Promise<ListedSession[]> {
  return readSessions(queries, memberSessions, { ...rest, ownerId });
}

/** Ends the session of a member that has a name. Throws `not_found`. */
export function endNamedSession(
  queries: Queries,
  { memberId: ownerId, name }: { memberId: number; name: string },
): Promise<void> {
  return deleteNamedSession(queries, memberSessions, { ownerId, name });
}

export function touchSession(
  queries: Queries,
  input: { token: string; now: number },
): Promise<void> {
  return touchSessionRow(queries, memberSessions, input);
}

export function endSession(queries: Queries, { token }: { token: string }): Promise<void> {
  return deleteSession(queries, memberSessions, token);
}

/** Ends all sessions of a member and forgets their browsers. Returns the number of sessions. */
export async function endSessions(
  queries: Queries,
  { memberId: ownerId }: { memberId: number },
): Promise<number> {
  await forgetBrowsers(queries, memberSessions, ownerId);
  return await deleteSessions(queries, memberSessions, { ownerId });
}

export async function countSessions(
  { query }: Queries,
  { customerId, limits, now }: { customerId: number; limits: SessionLimits; now: number },
): Promise<number> {
  const [row] = await query<{ sessions: number }>(
    `SELECT count(*) AS sessions FROM members JOIN sessions ON member_id = members.id
     WHERE customer_id = $1 AND sessions.created_at > $2 AND seen_at > $3`,
    [customerId, now - limits.lifetimeMs, now - limits.idleMs],
  );
  return row?.sessions ?? 0;
}
