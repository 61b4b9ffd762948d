/** Signing in and out, and changing the password. Every way in gives a new token. */
import { VerbatimError } from '../errors.ts';
import { normalizeEmail } from '../store/customers.ts';
import { findLogin, type Login, loginOf } from '../store/passwords.ts';
import { findSession, type Session } from '../store/sessions.ts';
import type { AccountParts } from './parts.ts';
import { assertStrong } from './password-rule.ts';

/** Whoever has the token in a cookie is signed in. */
export interface SignedIn {
  token: string;
  /** How long the cookie is to be kept: until the session ends, however much it is used. */
  maxAgeSeconds: number;
}

export interface SignIn {
  email: string;
  password: string;
  /** From client-address.ts. */
  address: string;
  /** The token that the browser has: a session of it ends, as nobody could sign out of it again. */
  replaces?: string | undefined;
}

/**
 * Signs in. Throws `wrong_sign_in` alike for a wrong password, an unknown address and a customer
 * without a password, after the same work; `customer_disabled` after the right password only;
 * `too_many_tries`; `at_capacity`.
 */
export async function signIn(parts: AccountParts, given: SignIn): Promise<SignedIn> {
  const email = normalizeEmail(given.email);
  const login = await checkPassword(parts, {
    ...{ ...given, account: email },
    readLogin: () => findLogin(parts.db, email),
  });
  const { customerId, passwordHash } = login;
  const { sessionLimits: limits, now } = parts;
  const token = await parts.write('startSession', {
    ...{ customerId, passwordHash, limits, now: now(), replaces: given.replaces },
  });
  if (parts.hasher.isOutdated(passwordHash)) {
    parts.background.run('renew a password hash', async () => {
      const newHash = await parts.hasher.hash(given.password);
      await parts.write('renewHash', { customerId, passwordHash, newHash });
    });
  }
  return signedIn(parts, token);
}

/** The session of a cookie's token; undefined where nobody is signed in by it. */
export function readSession(parts: AccountParts, token: string | undefined): Session | undefined {
  if (token === undefined) return undefined;
  const { db, sessionLimits: limits, settings } = parts;
  const now = parts.now();
  const session = findSession(db, { token, limits, now });
  if (session !== undefined && now - session.seenAt >= settings.sessionSeenEveryMs) {
    parts.background.run('note a session', () => parts.write('seeSession', { token, now }));
  }
  return session;
}

/** The same. Throws `signed_out` where nobody is signed in. */
export function requireSession(parts: AccountParts, token: string | undefined): Session {
  const session = readSession(parts, token);
  if (session === undefined) throw new VerbatimError('signed_out');
  return session;
}

/** Ends the session of a token; one that has ended stays so. */
export async function signOut(parts: AccountParts, token: string): Promise<void> {
  await parts.write('endSession', { token });
}

/** Ends all sessions of a customer, this one too; resolves to how many. */
export function signOutEverywhere(parts: AccountParts, customerId: number): Promise<number> {
  return parts.write('endSessions', { customerId });
}

export interface PasswordChange {
  customerId: number;
  email: string;
  password: string;
  newPassword: string;
  address: string;
}

/**
 * Changes the password and ends all sessions; the token is that of a new one. Throws
 * `weak_password`, `wrong_sign_in` for a wrong old password, `too_many_tries`, `at_capacity`.
 */
export async function changePassword(
  parts: AccountParts,
  change: PasswordChange,
): Promise<SignedIn> {
  const { customerId, newPassword } = change;
  assertStrong(newPassword, change.email);
  const { passwordHash } = await checkPassword(parts, {
    ...{ ...change, account: change.email },
    readLogin: () => loginOf(parts.db, customerId),
  });
  const newHash = await parts.hasher.hash(newPassword);
  const { sessionLimits: limits, now } = parts;
  const token = await parts.write('replacePassword', {
    ...{ customerId, passwordHash, newHash, limits, now: now() },
  });
  return signedIn(parts, token);
}

/** What a browser is told of a session that has just been started. */
export function signedIn(parts: AccountParts, token: string): SignedIn {
  return { token, maxAgeSeconds: Math.floor(parts.sessionLimits.lifetimeMs / 1000) };
}

interface PasswordCheck {
  account: string;
  address: string;
  password: string;
  readLogin: () => Login | undefined;
}

/** One way for everybody, known or not: a try, a look-up, a hash, and only then a decision. */
async function checkPassword(
  { throttles, hasher }: AccountParts,
  { account, address, password, readLogin }: PasswordCheck,
): Promise<Login & { passwordHash: string }> {
  // Before the hash: guesses that come at once must not all be tried.
  throttles.account.take(account);
  throttles.address.take(address);
  const login = readLogin();
  const passwordHash = login?.passwordHash ?? null;
  const isRight = await hasher.verify(password, passwordHash);
  if (!isRight || login === undefined || passwordHash === null) {
    throw new VerbatimError('wrong_sign_in');
  }
  if (login.disabledAt !== null) throw new VerbatimError('customer_disabled');
  throttles.account.giveBack(account);
  throttles.address.giveBack(address);
  return { ...login, passwordHash };
}
