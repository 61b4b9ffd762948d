/** Signing in and out, and changing the password. Every sign-in creates a new token. */
import { randomBytes } from 'node:crypto';
import { VerbatimError } from '../errors.ts';
import { normalizeEmail } from '../store/accounts/customers.ts';
import type { Login } from '../store/accounts/passwords.ts';
import type { Session, StartedSession } from '../store/accounts/sessions.ts';
import { hashToken } from '../store/accounts/tokens.ts';
import type { AccountDeps } from './account-deps.ts';
import { knownBrowser, mintBrowserToken } from './known-browser.ts';
import type { Queue } from './password-hash.ts';
import { assertStrong } from './password-rule.ts';

const DAY_SECONDS = 86_400;
const DAY_MS = DAY_SECONDS * 1_000;
/** The key for accounts without known browsers. Nothing was ever signed with it. */
const NOBODYS_KEY = randomBytes(32);

/** The content of a cookie. */
export interface CookieToken {
  token: string;
  maxAgeSeconds: number;
}

export interface SignedIn {
  /** The holder of this token is signed in until the session ends, however active it is. */
  session: CookieToken;
  /** Identifies the known browser; see known-browser.ts. */
  browser: CookieToken;
}

export interface SignIn {
  email: string;
  password: string;
  /** The client's address; see client-address.ts. */
  address: string;
  /** The browser's current token. Its session ends, because nobody could sign out of it later. */
  replaces?: string | undefined;
  /** The token of a possibly known browser. */
  browserToken?: string | undefined;
}

/**
 * Signs in. Throws `wrong_sign_in` for a wrong password, an unknown address and a customer without
 * a password alike, after the same work. Throws `customer_disabled` only after the right password,
 * and `too_many_tries` or `at_capacity`.
 */
export async function signIn(deps: AccountDeps, given: SignIn): Promise<SignedIn> {
  const { address, password, browserToken } = given;
  const email = normalizeEmail(given.email);
  // The same lookup for known and unknown addresses.
  const login = await deps.store.findLogin(email);
  const browser = browserOf(deps, login, browserToken);
  const giveBack = await deps.signIns.take({ account: email, address, browser });
  const { customerId, passwordHash } = await checkPassword(deps, {
    login,
    password,
    giveBack,
    queue: browser === undefined ? 'strangers' : 'known',
  });
  const { sessionLimits: limits, now } = deps;
  const started = await deps.store.startSession({
    customerId,
    passwordHash,
    limits,
    now: now(),
    replaces: given.replaces,
  });
  if (deps.hasher.isOutdated(passwordHash)) {
    deps.background.run('renew a password hash', async () => {
      const newHash = await deps.hasher.hash(password);
      await deps.store.renewHash({ customerId, passwordHash, newHash });
    });
  }
  return signedIn(deps, started);
}

/** Returns the session of a cookie's token; undefined if nobody is signed in. */
export async function readSession(
  deps: AccountDeps,
  token: string | undefined,
): Promise<Session | undefined> {
  if (token === undefined) return undefined;
  const { store, sessionLimits: limits, settings } = deps;
  const now = deps.now();
  const session = await store.findSession({ token, limits, now });
  if (session !== undefined && now - session.seenAt >= settings.sessionSeenEveryMs) {
    deps.background.run('note a session', () => store.seeSession({ token, now }));
  }
  return session;
}

/** Returns the session of a token. Throws `signed_out` if nobody is signed in. */
export async function requireSession(
  deps: AccountDeps,
  token: string | undefined,
): Promise<Session> {
  const session = await readSession(deps, token);
  if (session === undefined) throw new VerbatimError('signed_out');
  return session;
}

/** Ends the session of a token, if there is one. */
export async function signOut(deps: AccountDeps, token: string): Promise<void> {
  await deps.store.endSession({ token });
}

/** Ends all sessions of a customer and forgets their browsers. Returns how many sessions ended. */
export function signOutEverywhere(deps: AccountDeps, customerId: number): Promise<number> {
  return deps.store.endSessions({ customerId });
}

export interface PasswordChange {
  customerId: number;
  email: string;
  password: string;
  newPassword: string;
  /** The token of the current session. */
  sessionToken: string;
}

/**
 * Changes the password, ends all sessions, forgets all browsers, and signs this browser in again.
 * Throws `weak_password`, `wrong_sign_in` for a wrong old password, `too_many_tries`, or
 * `at_capacity`.
 */
export async function changePassword(deps: AccountDeps, change: PasswordChange): Promise<SignedIn> {
  const { customerId, newPassword, password } = change;
  assertStrong(newPassword, change.email);
  const { confirmations } = deps.throttles;
  const name = hashToken(change.sessionToken).toString('base64url');
  await confirmations.take(name);
  const { passwordHash } = await checkPassword(deps, {
    login: await deps.store.loginOf(customerId),
    password,
    queue: 'known',
    giveBack: () => confirmations.giveBack(name),
  });
  const newHash = await deps.hasher.hash(newPassword);
  const { sessionLimits: limits, now } = deps;
  const started = await deps.store.replacePassword({
    customerId,
    passwordHash,
    newHash,
    limits,
    now: now(),
  });
  return signedIn(deps, started);
}

/**
 * Returns the name under which a browser's attempts for an account are counted; undefined for an
 * unknown browser.
 */
export function browserOf(
  { settings, now }: AccountDeps,
  login: Login | undefined,
  browserToken: string | undefined,
): string | undefined {
  return knownBrowser(browserToken, {
    key: login?.browserKey ?? NOBODYS_KEY,
    lifetimeMs: settings.knownBrowserDaysMax * DAY_MS,
    now: now(),
  });
}

/** Returns the cookies for a new session. */
export function signedIn(
  { sessionLimits, settings, now }: AccountDeps,
  { token, browserKey }: StartedSession,
): SignedIn {
  return {
    session: { token, maxAgeSeconds: Math.floor(sessionLimits.lifetimeMs / 1000) },
    browser: {
      token: mintBrowserToken(browserKey, now()),
      maxAgeSeconds: settings.knownBrowserDaysMax * DAY_SECONDS,
    },
  };
}

interface PasswordCheck {
  login: Login | undefined;
  password: string;
  queue: Queue;
  /** Returns the try that was counted before the hash. Counting first prevents parallel guesses. */
  giveBack: () => Promise<void>;
}

/** The same path for everyone: a hash, and only then a decision. */
async function checkPassword(
  { hasher }: AccountDeps,
  { login, password, queue, giveBack }: PasswordCheck,
): Promise<Login & { passwordHash: string }> {
  const passwordHash = login?.passwordHash ?? null;
  let isRight: boolean;
  try {
    isRight = await hasher.verify(password, passwordHash, queue);
  } catch (error) {
    // Nothing was learned, so a busy server must not use up tries.
    await giveBack();
    throw error;
  }
  if (!isRight || login === undefined || passwordHash === null) {
    throw new VerbatimError('wrong_sign_in');
  }
  if (login.disabledAt !== null) throw new VerbatimError('customer_disabled');
  await giveBack();
  return { ...login, passwordHash };
}
