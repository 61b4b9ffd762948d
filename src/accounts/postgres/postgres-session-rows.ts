/** Rows of sessions on PostgreSQL: those of members and of operators, as accounts/session-rows.ts. */
import { randomBytes } from 'node:crypto';
import type { Queries } from '../../database/postgres/postgres-database.ts';
import { VerbatimError } from '../../errors.ts';
import { hashToken, mintToken } from '../sql/secret-tokens.ts';
import type {
  ListedSession,
  SessionLimits,
  SessionStart,
  SessionTable,
  StartedSession,
} from '../sql/session-rows.ts';

const KEY_BYTES = 32;

/** Starts a session with a new token. Deletes expired and excess sessions. */
export async function insertSession(
  { query }: Queries,
  { sessions, owner, people }: SessionTable,
  { ownerId, ...rest }: SessionStart & { ownerId: number },
): Promise<StartedSession> {
  const { limits, now, replaces, device = null, address = null } = rest;
  if (replaces !== undefined) {
    await query(`DELETE FROM ${sessions} WHERE token_hash = $1`, [hashToken(replaces)]);
  }
  await query(
    `DELETE FROM ${sessions} WHERE ${owner} = $1 AND (created_at <= $2 OR seen_at <= $3)`,
    [ownerId, now - limits.lifetimeMs, now - limits.idleMs],
  );
  await query(
    `DELETE FROM ${sessions} WHERE token_hash IN (
       SELECT token_hash FROM ${sessions} WHERE ${owner} = $1
       ORDER BY seen_at DESC, created_at DESC OFFSET $2)`,
    [ownerId, limits.perMemberMax - 1],
  );
  const token = mintToken();
  await query(`INSERT INTO ${sessions} VALUES ($1, $2, $3, $3, $4, $5)`, [
    ...[hashToken(token), ownerId, now, device, address],
  ]);
  const [row] = await query<{ browserKey: Uint8Array }>(
    `UPDATE ${people} SET browser_key = coalesce(browser_key, $2) WHERE id = $1
     RETURNING browser_key AS "browserKey"`,
    [ownerId, randomBytes(KEY_BYTES)],
  );
  return { token, browserKey: row?.browserKey ?? new Uint8Array() };
}

/** The name of a session, as sessionNameOf() has it. */
const nameColumn = "encode(substr(token_hash, 1, 8), 'hex')";

/** Lists the active sessions of an owner, last used first. */
export async function readSessions(
  { query }: Queries,
  { sessions, owner }: SessionTable,
  { ownerId, limits, now }: { ownerId: number; limits: SessionLimits; now: number },
): Promise<ListedSession[]> {
  return await query(
    `SELECT ${nameColumn} AS name, created_at AS "createdAt", seen_at AS "seenAt", device, address
     FROM ${sessions} WHERE ${owner} = $1 AND created_at > $2 AND seen_at > $3
     ORDER BY seen_at DESC, created_at DESC`,
    [ownerId, now - limits.lifetimeMs, now - limits.idleMs],
  );
}

/** Ends the session of an owner that has a name. Throws `not_found`. */
export async function deleteNamedSession(
  { query }: Queries,
  { sessions, owner }: SessionTable,
  { ownerId, name }: { ownerId: number; name: string },
): Promise<void> {
  const ended = await query(
    `DELETE FROM ${sessions} WHERE ${owner} = $1 AND ${nameColumn} = $2 RETURNING 1`,
    [ownerId, name],
  );
  if (ended.length === 0) throw new VerbatimError('not_found');
}

export async function touchSessionRow(
  { query }: Queries,
  { sessions }: SessionTable,
  { token, now }: { token: string; now: number },
): Promise<void> {
  await query(`UPDATE ${sessions} SET seen_at = greatest(seen_at, $1) WHERE token_hash = $2`, [
    ...[now, hashToken(token)],
  ]);
}

export async function deleteSession(
  { query }: Queries,
  { sessions }: SessionTable,
  token: string,
): Promise<void> {
  await query(`DELETE FROM ${sessions} WHERE token_hash = $1`, [hashToken(token)]);
}

/** Ends all sessions of an owner but the one to keep. Returns the number of sessions that ended. */
export async function deleteSessions(
  { query }: Queries,
  { sessions, owner }: SessionTable,
  { ownerId, keep = '' }: { ownerId: number; keep?: string | undefined },
): Promise<number> {
  const ended = await query(
    `DELETE FROM ${sessions} WHERE ${owner} = $1 AND token_hash <> $2 RETURNING 1`,
    [ownerId, hashToken(keep)],
  );
  return ended.length;
}

/** Forgets the browsers of an owner. */
export async function forgetBrowsers(
  { query }: Queries,
  { people }: SessionTable,
  ownerId: number,
): Promise<void> {
  await query(`UPDATE ${people} SET browser_key = NULL WHERE id = $1`, [ownerId]);
}
