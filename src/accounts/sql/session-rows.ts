/**
 * Rows of sessions: those of members and those of operators are in tables of the same form. A session of
 * the one is never one of the other, because no statement reads both.
 */
import { randomBytes } from 'node:crypto';
import { query, queryFirst, type Sql } from '../../database/sql/sql.ts';
import { VerbatimError } from '../../errors.ts';
import { hashToken, mintToken } from './secret-tokens.ts';

/** Where the sessions of some people are. */
interface SessionTable {
  sessions: 'sessions' | 'operator_sessions';
  /** The column of the session's owner. */
  owner: 'member_id' | 'operator_id';
  /** The table of the owners. It has the keys of their known browsers. */
  people: 'members' | 'operators';
}

const memberTable: SessionTable = { sessions: 'sessions', owner: 'member_id', people: 'members' };
const operatorTable: SessionTable = {
  sessions: 'operator_sessions',
  owner: 'operator_id',
  people: 'operators',
};

export const memberSessions = sessionsIn(memberTable);
export const operatorSessions = sessionsIn(operatorTable);

/** Returns the functions for one table of sessions. */
function sessionsIn(table: SessionTable) {
  return {
    start: (input: SessionStart & { ownerId: number }) => startSession(table, input),
    list: (input: SessionsRequest) => listSessions(table, input),
    touch: (input: { token: string; now: number }) => touchSession(table, input),
    end: ({ token }: { token: string }) => endSession(table, token),
    endNamed: (input: { ownerId: number; name: string }) => endNamedSession(table, input),
    endAll: (input: { ownerId: number }) => endSessions(table, input),
    endOthers: (input: { ownerId: number; keep: string }) => endOtherSessions(table, input),
  };
}

/** The lifetime and number of somebody's sessions. */
export interface SessionLimits {
  /** The maximum age. */
  lifetimeMs: number;
  /** The maximum time without a request. */
  idleMs: number;
  perMemberMax: number;
}

/** The browser of a session, as its owner sees it. */
export interface SessionOrigin {
  /** Such as `Firefox on Linux`. */
  device?: string | undefined;
  /** The network address; see client-address.ts. */
  address?: string | undefined;
}

/** A session that starts, of whomever. */
export interface SessionStart extends SessionOrigin {
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
function* startSession(
  table: SessionTable,
  { ownerId, ...rest }: SessionStart & { ownerId: number },
): Sql<StartedSession> {
  const { limits, now, replaces, device = null, address = null } = rest;
  const { sessions, owner } = table;
  if (replaces !== undefined) yield* endSession(table, replaces);
  yield* query(
    `DELETE FROM ${sessions} WHERE ${owner} = $1 AND (created_at <= $2 OR seen_at <= $3)`,
    [ownerId, now - limits.lifetimeMs, now - limits.idleMs],
  );
  yield* query(
    `DELETE FROM ${sessions} WHERE ${owner} = $1 AND token_hash NOT IN (
       SELECT token_hash FROM ${sessions} WHERE ${owner} = $1
       ORDER BY seen_at DESC, created_at DESC LIMIT $2)`,
    [ownerId, limits.perMemberMax - 1],
  );
  const token = mintToken();
  yield* query(
    `INSERT INTO ${sessions} (token_hash, ${owner}, created_at, seen_at, device, address)
     VALUES ($1, $2, $3, $3, $4, $5)`,
    [hashToken(token), ownerId, now, device, address],
  );
  return { token, browserKey: yield* browserKeyOf(table, ownerId) };
}

interface SessionsRequest {
  ownerId: number;
  limits: SessionLimits;
  now: number;
}

export interface ListedSession {
  /** Names the session among those of its owner. */
  name: string;
  createdAt: number;
  seenAt: number;
  device: string | null;
  address: string | null;
}

/** The bytes of a token's hash that name its session. They tell nothing about the token. */
const NAME_BYTES = 8;
const nameColumn = `substr(token_hash, 1, ${NAME_BYTES})`;

/** Returns the name of the session of a token. */
export function sessionNameOf(token: string): string {
  return nameOf(hashToken(token).subarray(0, NAME_BYTES));
}

function nameOf(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('hex');
}

/** Lists the active sessions of an owner, last used first. */
function* listSessions(
  { sessions, owner }: SessionTable,
  { ownerId, limits, now }: SessionsRequest,
): Sql<ListedSession[]> {
  const rows = yield* query<Omit<ListedSession, 'name'> & { nameBytes: Uint8Array }>(
    `SELECT ${nameColumn} AS "nameBytes", created_at AS "createdAt", seen_at AS "seenAt",
       device, address
     FROM ${sessions} WHERE ${owner} = $1 AND created_at > $2 AND seen_at > $3
     ORDER BY seen_at DESC, created_at DESC`,
    [ownerId, now - limits.lifetimeMs, now - limits.idleMs],
  );
  return rows.map(({ nameBytes, ...session }) => ({ name: nameOf(nameBytes), ...session }));
}

/** Records that a session is in use. Changes nothing if it has ended. May be repeated. */
function* touchSession(
  { sessions }: SessionTable,
  { token, now }: { token: string; now: number },
): Sql<void> {
  yield* query(`UPDATE ${sessions} SET seen_at = $2 WHERE token_hash = $1 AND seen_at < $2`, [
    ...[hashToken(token), now],
  ]);
}

/** Ends one session, if it exists. May be repeated. */
function* endSession({ sessions }: SessionTable, token: string): Sql<void> {
  yield* query(`DELETE FROM ${sessions} WHERE token_hash = $1`, [hashToken(token)]);
}

/** Ends the session of an owner that has a name. Throws `not_found`. */
function* endNamedSession(
  { sessions, owner }: SessionTable,
  { ownerId, name }: { ownerId: number; name: string },
): Sql<void> {
  const ended = yield* query(
    `DELETE FROM ${sessions} WHERE ${owner} = $1 AND ${nameColumn} = $2 RETURNING 1`,
    [ownerId, Buffer.from(name, 'hex')],
  );
  if (ended.length === 0) throw new VerbatimError('not_found');
}

/** Ends all sessions of an owner and forgets their browsers. Returns the number of sessions. */
function* endSessions(table: SessionTable, { ownerId }: { ownerId: number }): Sql<number> {
  yield* query(`UPDATE ${table.people} SET browser_key = NULL WHERE id = $1`, [ownerId]);
  return yield* endOtherSessions(table, { ownerId, keep: '' });
}

/** Ends all sessions of an owner but the one to keep. Returns the number of sessions that ended. */
function* endOtherSessions(
  { sessions, owner }: SessionTable,
  { ownerId, keep }: { ownerId: number; keep: string },
): Sql<number> {
  const ended = yield* query(
    `DELETE FROM ${sessions} WHERE ${owner} = $1 AND token_hash <> $2 RETURNING 1`,
    [ownerId, hashToken(keep)],
  );
  return ended.length;
}

const KEY_BYTES = 32;

/**
 * Returns the owner's key for known browsers; creates it if missing. Everybody has their own, so a
 * cookie is valid for one address, and a new key invalidates all earlier cookies.
 */
function* browserKeyOf({ people }: SessionTable, ownerId: number): Sql<Uint8Array> {
  const row = yield* queryFirst<{ browserKey: Uint8Array }>(
    `UPDATE ${people} SET browser_key = coalesce(browser_key, $2) WHERE id = $1
     RETURNING browser_key AS "browserKey"`,
    [ownerId, randomBytes(KEY_BYTES)],
  );
  return row?.browserKey ?? new Uint8Array();
}
