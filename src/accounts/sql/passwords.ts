/**
 * Password hashes of members, computed and compared elsewhere. Every change ends the sessions of
 * the previous password in the same transaction.
 */

import { lockCustomer, query, queryFirst, type Sql } from '../../database/sql/sql.ts';
import { VerbatimError } from '../../errors.ts';
import { type FactorProof, passSecondFactor } from './second-factor-rows.ts';
import type { SessionStart, StartedSession } from './session-rows.ts';
import { addSession, endSessions } from './sessions.ts';
import { findLink, removeLink } from './sign-in-links.ts';
import { confirmCustomer } from './unconfirmed-customers.ts';

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

const selectLogins = `SELECT members.id AS "memberId", customer_id AS "customerId", members.email,
  password_hash AS "passwordHash", disabled_at AS "disabledAt", browser_key AS "browserKey"
  FROM members JOIN customers ON customers.id = customer_id`;

/**
 * Reads what a sign-in with this address, in its stored form, is checked against; undefined for an
 * unknown address, after the same work.
 */
export function* findLogin(email: string): Sql<Login | undefined> {
  return yield* queryFirst<Login>(`${selectLogins} WHERE members.email = $1`, [email]);
}

/** Reads the same for a known member. */
export function* loginOf(memberId: number): Sql<Login | undefined> {
  return yield* queryFirst<Login>(`${selectLogins} WHERE members.id = $1`, [memberId]);
}

export interface CheckedLogin extends SessionStart {
  memberId: number;
  /** The hash that the password matched. */
  passwordHash: string;
}

/** What an address with a second factor must have. It is used up. */
export interface Proved {
  proof?: FactorProof | undefined;
}

/**
 * Starts a session. Throws `wrong_sign_in` if the password changed, or the customer was disabled,
 * while the password was being checked, and `second_factor_needed` or `wrong_code`.
 */
export function* startSession(checked: CheckedLogin & Proved): Sql<StartedSession> {
  const { email } = yield* assertUnchanged(checked);
  yield* passSecondFactor({ email, proof: checked.proof });
  return yield* addSession({ ...checked, ownerId: checked.memberId });
}

export interface LinkedSession extends StartedSession {
  customerId: number;
  /** Whether a customer who registered is confirmed by it. */
  isConfirmed: boolean;
}

/**
 * Redeems a link: sets the password, confirms a customer who registered, ends all sessions and starts one.
 * Throws `link_over` for an unknown, used or expired link, and `second_factor_needed` or `wrong_code`. Of
 * two that redeem one link at once, one succeeds.
 */
export function* setPasswordByLink(
  input: SessionStart & Proved & { token: string; passwordHash: string; welcomeCredits?: number },
): Sql<LinkedSession> {
  const { memberId, customerId, email } = yield* findLink(input);
  yield* lockMember(memberId);
  // Another one may have redeemed it before the lock.
  yield* findLink(input);
  yield* passSecondFactor({ email, proof: input.proof });
  yield* storePassword(memberId, input.passwordHash);
  const isConfirmed = yield* confirmCustomer({ ...input, customerId });
  return { ...(yield* addSession({ ...input, ownerId: memberId })), customerId, isConfirmed };
}

/**
 * Replaces the password, ends all sessions and any link, and starts one session. Throws
 * `wrong_sign_in` if the password changed in the meantime.
 */
export function* replacePassword(change: CheckedLogin & { newHash: string }): Sql<StartedSession> {
  const { memberId, newHash } = change;
  yield* assertUnchanged(change);
  yield* storePassword(memberId, newHash);
  return yield* addSession({ ...change, ownerId: memberId });
}

/** Stores a renewed hash of the same password. Changes nothing if the password changed since. */
export function* renewHash({
  memberId,
  passwordHash,
  newHash,
}: Pick<CheckedLogin, 'memberId' | 'passwordHash'> & { newHash: string }): Sql<void> {
  yield* query('UPDATE members SET password_hash = $3 WHERE id = $1 AND password_hash = $2', [
    ...[memberId, passwordHash, newHash],
  ]);
}

function* assertUnchanged({ memberId, passwordHash }: CheckedLogin): Sql<Login> {
  yield* lockMember(memberId);
  const login = yield* loginOf(memberId);
  if (login?.passwordHash === passwordHash && login.disabledAt === null) return login;
  throw new VerbatimError('wrong_sign_in');
}

/** Ends the link and the sessions, too. */
function* storePassword(memberId: number, hash: string): Sql<void> {
  yield* query('UPDATE members SET password_hash = $2 WHERE id = $1', [memberId, hash]);
  yield* removeLink(memberId);
  yield* endSessions({ ownerId: memberId });
}

/**
 * Lets the other transactions of a member wait: those of all members of a customer, like every other
 * lock of accounts, so that no two wait for each other.
 */
function* lockMember(memberId: number): Sql<void> {
  const login = yield* loginOf(memberId);
  if (login !== undefined) yield* lockCustomer(login.customerId);
}
