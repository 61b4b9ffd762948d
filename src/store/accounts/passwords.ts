/**
 * Passwords of customers, as hashes that are made and compared elsewhere. Whatever changes one
 * ends the sessions that were started with the one before, in the same transaction.
 */
import { VerbatimError } from '../../errors.ts';
import type { Connection } from '../database/connection.ts';
import { addSession, endSessions, type NewSession, type StartedSession } from './sessions.ts';
import { findLink, removeLink } from './sign-in-links.ts';

export interface Login {
  customerId: number;
  /** null: none chosen yet. */
  passwordHash: string | null;
  disabledAt: number | null;
  /** null: no browser is known. */
  browserKey: Uint8Array | null;
}

const columns = `id AS customerId, password_hash AS passwordHash, disabled_at AS disabledAt,
  browser_key AS browserKey FROM customers`;

/** What a sign-in with this address is checked against; undefined where there is no customer. */
export function findLogin(db: Connection, email: string): Login | undefined {
  return db.prepare(`SELECT ${columns} WHERE email = ?`).get(email) as Login | undefined;
}

/** The same of a known customer. */
export function loginOf(db: Connection, customerId: number): Login | undefined {
  return db.prepare(`SELECT ${columns} WHERE id = ?`).get(customerId) as Login | undefined;
}

export interface CheckedLogin extends NewSession {
  /** The hash that the password was found to fit. */
  passwordHash: string;
}

/**
 * Starts a session. Throws `wrong_sign_in` where the password was changed, or
 * the customer disabled, while the password was being checked.
 */
export function startSession(db: Connection, checked: CheckedLogin): StartedSession {
  return inTransaction(db, () => {
    assertUnchanged(db, checked);
    return addSession(db, checked);
  });
}

/**
 * Uses a link up: sets the password, ends all sessions and starts one. Throws `link_over` for an
 * unknown, used or expired link.
 */
export function setPasswordByLink(
  db: Connection,
  given: Omit<NewSession, 'customerId'> & { token: string; passwordHash: string },
): StartedSession {
  return inTransaction(db, () => {
    const { customerId } = findLink(db, given);
    removeLink(db, customerId);
    storeHash(db, customerId, given.passwordHash);
    endSessions(db, { customerId });
    return addSession(db, { ...given, customerId });
  });
}

/**
 * Replaces the password, ends all sessions and any link, and starts one session. Throws
 * `wrong_sign_in` where the password was changed meanwhile.
 */
export function replacePassword(
  db: Connection,
  change: CheckedLogin & { newHash: string },
): StartedSession {
  return inTransaction(db, () => {
    assertUnchanged(db, change);
    const { customerId, newHash } = change;
    storeHash(db, customerId, newHash);
    removeLink(db, customerId);
    endSessions(db, { customerId });
    return addSession(db, change);
  });
}

/** Stores the same password's newer hash; changes nothing where another one was stored since. */
export function renewHash(
  db: Connection,
  {
    customerId,
    passwordHash,
    newHash,
  }: Pick<CheckedLogin, 'customerId' | 'passwordHash'> & {
    newHash: string;
  },
): void {
  db.prepare('UPDATE customers SET password_hash = ? WHERE id = ? AND password_hash = ?').run(
    ...[newHash, customerId, passwordHash],
  );
}

function assertUnchanged(db: Connection, { customerId, passwordHash }: CheckedLogin): void {
  const login = loginOf(db, customerId);
  if (login?.passwordHash === passwordHash && login.disabledAt === null) return;
  throw new VerbatimError('wrong_sign_in');
}

function storeHash(db: Connection, customerId: number, hash: string): void {
  db.prepare('UPDATE customers SET password_hash = ? WHERE id = ?').run(hash, customerId);
}

function inTransaction<Result>(db: Connection, work: () => Result): Result {
  return db.transaction(work).immediate();
}
