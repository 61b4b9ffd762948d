/**
 * Password hashes of members, computed and compared elsewhere. Every change ends the sessions of
 * the previous password in the same transaction.
 */

import type { Connection } from '../../database/sqlite/connection.ts';
import { VerbatimError } from '../../errors.ts';
import { type FactorProof, passSecondFactor } from './second-factor-rows.ts';
import type { StartedSession } from './session-rows.ts';
import { addSession, endSessions, type NewSession } from './sessions.ts';
import { findLink, removeLink } from './sign-in-links.ts';

export interface Login {
  memberId: number;
  customerId: number;
  email: string;
  /** null: not chosen yet. */
  passwordHash: string | null;
  disabledAt: number | null;
  /** null: no known browser. */
  browserKey: Uint8Array | null;
}

const columns = `members.id AS memberId, customer_id AS customerId, members.email,
  password_hash AS passwordHash, disabled_at AS disabledAt, browser_key AS browserKey
  FROM members JOIN customers ON customers.id = customer_id`;

/** Reads what a sign-in with this address is checked against; undefined for an unknown address. */
export function findLogin(db: Connection, email: string): Login | undefined {
  return db.prepare(`SELECT ${columns} WHERE members.email = ?`).get(email) as Login | undefined;
}

/** Reads the same for a known member. */
export function loginOf(db: Connection, memberId: number): Login | undefined {
  return db.prepare(`SELECT ${columns} WHERE members.id = ?`).get(memberId) as Login | undefined;
}

export interface CheckedLogin extends NewSession {
  /** The hash that the password matched. */
  passwordHash: string;
}

/** What an address with a second factor must have. */
export interface Proved {
  proof?: FactorProof | undefined;
}

/**
 * Starts a session. Throws `wrong_sign_in` if the password changed, or the customer was disabled,
 * while the password was being checked, and `second_factor_needed` or `wrong_code`.
 */
export function startSession(db: Connection, checked: CheckedLogin & Proved): StartedSession {
  return inTransaction(db, () => {
    const { email } = assertUnchanged(db, checked);
    passSecondFactor(db, { email, proof: checked.proof });
    return addSession(db, checked);
  });
}

/**
 * Redeems a link: sets the password, ends all sessions and starts one. Throws `link_over` for an
 * unknown, used or expired link, and `second_factor_needed` or `wrong_code`.
 */
export function setPasswordByLink(
  db: Connection,
  input: Omit<NewSession, 'memberId'> & Proved & { token: string; passwordHash: string },
): StartedSession {
  return inTransaction(db, () => {
    const { memberId, email } = findLink(db, input);
    passSecondFactor(db, { email, proof: input.proof });
    removeLink(db, memberId);
    storeHash(db, memberId, input.passwordHash);
    endSessions(db, { memberId });
    return addSession(db, { ...input, memberId });
  });
}

/**
 * Replaces the password, ends all sessions and any link, and starts one session. Throws
 * `wrong_sign_in` if the password changed in the meantime.
 */
export function replacePassword(
  db: Connection,
  change: CheckedLogin & { newHash: string },
): StartedSession {
  return inTransaction(db, () => {
    assertUnchanged(db, change);
    const { memberId, newHash } = change;
    storeHash(db, memberId, newHash);
    removeLink(db, memberId);
    endSessions(db, { memberId });
    return addSession(db, change);
  });
}

/** Stores a renewed hash of the same password. Changes nothing if the password changed since. */
export function renewHash(
  db: Connection,
  {
    memberId,
    passwordHash,
    newHash,
  }: Pick<CheckedLogin, 'memberId' | 'passwordHash'> & {
    newHash: string;
  },
): void {
  db.prepare('UPDATE members SET password_hash = ? WHERE id = ? AND password_hash = ?').run(
    ...[newHash, memberId, passwordHash],
  );
}

function assertUnchanged(db: Connection, { memberId, passwordHash }: CheckedLogin): Login {
  const login = loginOf(db, memberId);
  if (login?.passwordHash === passwordHash && login.disabledAt === null) return login;
  throw new VerbatimError('wrong_sign_in');
}

function storeHash(db: Connection, memberId: number, hash: string): void {
  db.prepare('UPDATE members SET password_hash = ? WHERE id = ?').run(hash, memberId);
}

function inTransaction<Result>(db: Connection, work: () => Result): Result {
  return db.transaction(work).immediate();
}
