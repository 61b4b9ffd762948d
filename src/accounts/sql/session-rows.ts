/**
 * Rows of sessions: those of members and those of operators are in tables of the same form. A session of
 * the one is never one of the other, because no statement reads both.
 */
import { randomBytes } from 'node:crypto';
import type { Connection } from '../../database/sqlite/connection.ts';
import { VerbatimError } from '../../errors.ts';
import { hashToken, mintToken } from './secret-tokens.ts';

/** Where the sessions of some people are. */
export interface SessionTable {
  sessions: 'sessions' | 'operator_sessions';
  /** The column of the session's owner. */
  owner: 'member_id' | 'operator_id';
  /** The table of the owners. It has the keys of their known browsers. */
  people: 'members' | 'operators';
}

export const memberSessions: SessionTable = {
  sessions: 'sessions',
  owner: 'member_id',
  people: 'members',
};
export const operatorSessions: SessionTable = {
  sessions: 'operator_sessions',
  owner: 'operator_id',
  people: 'operators',
};

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
export function insertSession(
  db: Connection,
  table: SessionTable,
  { ownerId, ...rest }: SessionStart & { ownerId: number },
): StartedSession {
  const { limits, now, replaces, device = null, address = null } = rest;
  const { sessions, owner } = table;
  if (replaces !== undefined) deleteSession(db, table, replaces);
  db.prepare(
    `DELETE FROM ${sessions} WHERE ${owner} = ? AND (created_at <= ? OR seen_at <= ?)`,
  ).run(ownerId, now - limits.lifetimeMs, now - limits.idleMs);
  db.prepare(
    `DELETE FROM ${sessions} WHERE token_hash IN (
       SELECT token_hash FROM ${sessions} WHERE ${owner} = ?
       ORDER BY seen_at DESC, created_at DESC LIMIT -1 OFFSET ?)`,
  ).run(ownerId, limits.perMemberMax - 1);
  const token = mintToken();
  db.prepare(`INSERT INTO ${sessions} VALUES (?, ?, ?, ?, ?, ?)`).run(
    ...[hashToken(token), ownerId, now, now, device, address],
  );
  return { token, browserKey: browserKeyOf(db, table, ownerId) };
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

/** Returns the name of the session of a token. */
export function sessionNameOf(token: string): string {
  return hashToken(token).subarray(0, NAME_BYTES).toString('hex');
}

/** Lists the active sessions of an owner, last used first. */
export function readSessions(
  db: Connection,
  { sessions, owner }: SessionTable,
  { ownerId, limits, now }: { ownerId: number; limits: SessionLimits; now: number },
): ListedSession[] {
  return db
    .prepare(
      `SELECT lower(hex(substr(token_hash, 1, ${NAME_BYTES}))) AS name, created_at AS createdAt,
         seen_at AS seenAt, device, address
       FROM ${sessions} WHERE ${owner} = ? AND created_at > ? AND seen_at > ?
       ORDER BY seen_at DESC, created_at DESC`,
    )
    .all(ownerId, now - limits.lifetimeMs, now - limits.idleMs) as ListedSession[];
}

/** Ends the session of an owner that has a name. Throws `not_found`. */
export function deleteNamedSession(
  db: Connection,
  { sessions, owner }: SessionTable,
  { ownerId, name }: { ownerId: number; name: string },
): void {
  const { changes } = db
    .prepare(
      `DELETE FROM ${sessions}
       WHERE ${owner} = ? AND lower(hex(substr(token_hash, 1, ${NAME_BYTES}))) = ?`,
    )
    .run(ownerId, name);
  if (changes === 0) throw new VerbatimError('not_found');
}

/** Records that a session is in use. Changes nothing if it has ended. */
export function touchSessionRow(
  db: Connection,
  { sessions }: SessionTable,
  { token, now }: { token: string; now: number },
): void {
  db.prepare(`UPDATE ${sessions} SET seen_at = max(seen_at, ?) WHERE token_hash = ?`).run(
    ...[now, hashToken(token)],
  );
}

/** Ends one session, if it exists. */
export function deleteSession(db: Connection, { sessions }: SessionTable, token: string): void {
  db.prepare(`DELETE FROM ${sessions} WHERE token_hash = ?`).run(hashToken(token));
}

/** Ends all sessions of an owner but the one to keep. Returns the number of sessions that ended. */
export function deleteSessions(
  db: Connection,
  { sessions, owner }: SessionTable,
  { ownerId, keep = '' }: { ownerId: number; keep?: string | undefined },
): number {
  return db
    .prepare(`DELETE FROM ${sessions} WHERE ${owner} = ? AND token_hash <> ?`)
    .run(ownerId, hashToken(keep)).changes;
}

/** Forgets the browsers of an owner. */
export function forgetBrowsers(db: Connection, { people }: SessionTable, ownerId: number): void {
  db.prepare(`UPDATE ${people} SET browser_key = NULL WHERE id = ?`).run(ownerId);
}

const KEY_BYTES = 32;

/**
 * Returns the owner's key for known browsers; creates it if missing. Everybody has their own, so a
 * cookie is valid for one address, and a new key invalidates all earlier cookies.
 */
function browserKeyOf(db: Connection, { people }: SessionTable, ownerId: number): Uint8Array {
  return db
    .prepare(
      `UPDATE ${people} SET browser_key = coalesce(browser_key, ?) WHERE id = ? RETURNING browser_key`,
    )
    .pluck()
    .get(randomBytes(KEY_BYTES), ownerId) as Uint8Array;
}
