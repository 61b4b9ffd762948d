/** Links, passwords, and sessions on PostgreSQL. */
import { randomBytes } from 'node:crypto';
import { VerbatimError } from '../../errors.ts';
import type { Customer } from '../accounts/customers.ts';
import type { CheckedLogin, Login, Proved } from '../accounts/passwords.ts';
import type { NewSession, Session, SessionLimits, StartedSession } from '../accounts/sessions.ts';
import type { CreatedLink, LinkOwner } from '../accounts/sign-in-links.ts';
import { hashToken, mintToken } from '../accounts/tokens.ts';
import { customerColumns, lockCustomer } from './customers.ts';
import type { Database, Queries } from './database.ts';
import { passSecondFactor } from './second-factors.ts';

const KEY_BYTES = 32;

/** Creates a link for a customer. An earlier link ends. */
export async function createLink(
  { query }: Queries,
  { customerId, expiresAt }: { customerId: number; expiresAt: number },
): Promise<CreatedLink> {
  const token = mintToken();
  await query(
    `INSERT INTO sign_in_links VALUES ($1, $2, $3) ON CONFLICT (customer_id) DO UPDATE
       SET token_hash = excluded.token_hash, expires_at = excluded.expires_at`,
    [customerId, hashToken(token), expiresAt],
  );
  return { token, expiresAt };
}

/** Finds the owner of a link. Throws `link_over`. */
export async function findLink(
  { query }: Queries,
  { token, now }: { token: string; now: number },
): Promise<LinkOwner> {
  const [owner] = await query<LinkOwner>(
    `SELECT id AS "customerId", email FROM sign_in_links
     JOIN customers ON customers.id = customer_id
     WHERE token_hash = $1 AND expires_at > $2 AND disabled_at IS NULL`,
    [hashToken(token), now],
  );
  if (owner === undefined) throw new VerbatimError('link_over');
  return owner;
}

export async function removeLink({ query }: Queries, customerId: number): Promise<void> {
  await query('DELETE FROM sign_in_links WHERE customer_id = $1', [customerId]);
}

const loginColumns = `id AS "customerId", email, password_hash AS "passwordHash",
  disabled_at AS "disabledAt", browser_key AS "browserKey" FROM customers`;

export async function findLogin({ query }: Queries, email: string): Promise<Login | undefined> {
  return (await query<Login>(`SELECT ${loginColumns} WHERE email = $1`, [email]))[0];
}

export async function loginOf({ query }: Queries, customerId: number): Promise<Login | undefined> {
  return (await query<Login>(`SELECT ${loginColumns} WHERE id = $1`, [customerId]))[0];
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
  given: Omit<NewSession, 'customerId'> & Proved & { token: string; passwordHash: string },
): Promise<StartedSession> {
  return database.transaction(async (queries) => {
    const { customerId, email } = await findLink(queries, given);
    await lockCustomer(queries, customerId);
    // Another one may have redeemed it before the lock.
    await findLink(queries, given);
    await passSecondFactor(queries, { email, proof: given.proof });
    await storePassword(queries, customerId, given.passwordHash);
    return await addSession(queries, { ...given, customerId });
  });
}

/** Replaces the password. Throws `wrong_sign_in` if it changed in the meantime. */
export function replacePassword(
  database: Database,
  change: CheckedLogin & { newHash: string },
): Promise<StartedSession> {
  return database.transaction(async (queries) => {
    await assertUnchanged(queries, change);
    await storePassword(queries, change.customerId, change.newHash);
    return await addSession(queries, change);
  });
}

/** Stores a renewed hash of the same password. */
export async function renewHash(
  { query }: Queries,
  {
    customerId,
    passwordHash,
    newHash,
  }: Record<'passwordHash' | 'newHash', string> & { customerId: number },
): Promise<void> {
  await query('UPDATE customers SET password_hash = $3 WHERE id = $1 AND password_hash = $2', [
    ...[customerId, passwordHash, newHash],
  ]);
}

async function assertUnchanged(
  queries: Queries,
  { customerId, passwordHash }: CheckedLogin,
): Promise<Login> {
  await lockCustomer(queries, customerId);
  const login = await loginOf(queries, customerId);
  if (login?.passwordHash === passwordHash && login.disabledAt === null) return login;
  throw new VerbatimError('wrong_sign_in');
}

/** Ends the link and the sessions, too. */
async function storePassword(queries: Queries, customerId: number, hash: string): Promise<void> {
  await queries.query('UPDATE customers SET password_hash = $2 WHERE id = $1', [customerId, hash]);
  await removeLink(queries, customerId);
  await endSessions(queries, { customerId });
}

/** Starts a session with a new token. Deletes expired and excess sessions. */
async function addSession(
  { query }: Queries,
  { customerId, limits, now, replaces }: NewSession,
): Promise<StartedSession> {
  if (replaces !== undefined) await endSession({ query }, { token: replaces });
  await query(
    'DELETE FROM sessions WHERE customer_id = $1 AND (created_at <= $2 OR seen_at <= $3)',
    [customerId, now - limits.lifetimeMs, now - limits.idleMs],
  );
  await query(
    `DELETE FROM sessions WHERE token_hash IN (
       SELECT token_hash FROM sessions WHERE customer_id = $1
       ORDER BY seen_at DESC, created_at DESC OFFSET $2)`,
    [customerId, limits.perCustomerMax - 1],
  );
  const token = mintToken();
  await query('INSERT INTO sessions VALUES ($1, $2, $3, $3)', [hashToken(token), customerId, now]);
  const [row] = await query<{ browserKey: Uint8Array }>(
    `UPDATE customers SET browser_key = coalesce(browser_key, $2) WHERE id = $1
     RETURNING browser_key AS "browserKey"`,
    [customerId, randomBytes(KEY_BYTES)],
  );
  return { token, browserKey: row?.browserKey ?? new Uint8Array() };
}

export async function findSession(
  { query }: Queries,
  { token, limits, now }: { token: string; limits: SessionLimits; now: number },
): Promise<Session | undefined> {
  const [row] = await query<Customer & { startedAt: number; seenAt: number }>(
    `SELECT ${customerColumns}, sessions.created_at AS "startedAt", seen_at AS "seenAt"
     FROM sessions JOIN customers ON customers.id = customer_id
     WHERE token_hash = $1 AND disabled_at IS NULL
       AND sessions.created_at > $2 AND seen_at > $3`,
    [hashToken(token), now - limits.lifetimeMs, now - limits.idleMs],
  );
  if (row === undefined) return undefined;
  const { startedAt, seenAt, ...customer } = row;
  return { customer, createdAt: startedAt, seenAt };
}

export async function seeSession(
  { query }: Queries,
  { token, now }: { token: string; now: number },
): Promise<void> {
  await query('UPDATE sessions SET seen_at = greatest(seen_at, $1) WHERE token_hash = $2', [
    ...[now, hashToken(token)],
  ]);
}

export async function endSession({ query }: Queries, { token }: { token: string }): Promise<void> {
  await query('DELETE FROM sessions WHERE token_hash = $1', [hashToken(token)]);
}

/** Ends all sessions of a customer and forgets their browsers. Returns the number of sessions. */
export async function endSessions(
  { query }: Queries,
  { customerId }: { customerId: number },
): Promise<number> {
  await query('UPDATE customers SET browser_key = NULL WHERE id = $1', [customerId]);
  return (await query('DELETE FROM sessions WHERE customer_id = $1 RETURNING 1', [customerId]))
    .length;
}

export async function countSessions(
  { query }: Queries,
  { customerId, limits, now }: { customerId: number; limits: SessionLimits; now: number },
): Promise<number> {
  const [row] = await query<{ sessions: number }>(
    `SELECT count(*) AS sessions FROM sessions
     WHERE customer_id = $1 AND created_at > $2 AND seen_at > $3`,
    [customerId, now - limits.lifetimeMs, now - limits.idleMs],
  );
  return row?.sessions ?? 0;
}
