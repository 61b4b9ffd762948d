/** Signing in and out, and changing the password. Every sign-in creates a new token. */
import { VerbatimError } from '../errors.ts';
import type { AccountDeps } from './account-deps.ts';
import { mintBrowserToken } from './known-browser.ts';
import { matchPassword, type PasswordAttempt } from './match-password.ts';
import { assertStrong } from './password-rule.ts';
import { type Bound, emailOfPending, isPending, mintPendingSignIn } from './pending-sign-in.ts';
import { hasSecondFactor, proveSecondFactor } from './second-factor.ts';
import { notify, passwordChanged, signedInFrom } from './security-mails.ts';
import { browserOf } from './sign-in-browser.ts';
import { normalizeEmail } from './sql/customers.ts';
import type { Login, Proved } from './sql/passwords.ts';
import { hashToken } from './sql/secret-tokens.ts';
import type {
  ListedSession,
  SessionLimits,
  SessionOrigin,
  StartedSession,
} from './sql/session-rows.ts';
import type { Session } from './sql/sessions.ts';

const DAY_SECONDS = 86_400;

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

/** The password was right, and the address has a second factor. */
export interface CodeNeeded {
  /** For `signInWithCode`, from the same browser. */
  pending: string;
}

/** The browser that signs in. */
export interface SigningBrowser {
  /** The client's address; see client-address.ts. */
  address: string;
  /** The token of its cookie. A session that it has ends, because nobody could sign out of it later. */
  cookieToken?: string | undefined;
  /** The token of a possibly known browser. */
  browserToken?: string | undefined;
  /** What it is called in the list of sessions; see device.ts. */
  device?: string | undefined;
}

export interface SignIn extends SigningBrowser {
  email: string;
  password: string;
}

/**
 * Signs in, or asks for a code. Throws `wrong_sign_in` for a wrong password, an unknown address and a
 * customer without a password alike, after the same work. Throws `customer_disabled` only after the
 * right password, and `too_many_tries` or `at_capacity`.
 */
export async function signIn(deps: AccountDeps, input: SignIn): Promise<SignedIn | CodeNeeded> {
  const { address, password, browserToken, cookieToken } = input;
  const email = normalizeEmail(input.email);
  // The same lookup for known and unknown addresses.
  const login = await deps.store.findLogin(email);
  const browser = browserOf(deps, login, browserToken);
  const release = await deps.signIns.take({ account: email, address, browser });
  const checked = await checkPassword(deps, {
    login,
    password,
    release,
    queue: browser === undefined ? 'strangers' : 'known',
  });
  if (await hasSecondFactor(deps, email)) {
    // Nobody knows the password in the second step, so an outdated hash is renewed before it.
    const passwordHash = await renewedHash(deps, checked, password);
    const expiresAt = deps.now() + deps.settings.signInCodeMs;
    const bound = boundTo(deps, { ...checked, passwordHash }, cookieToken);
    return { pending: mintPendingSignIn(email, expiresAt, bound) };
  }
  const isOutdated = deps.hasher.isOutdated(checked.passwordHash);
  try {
    const session = await startSession(deps, checked, input);
    if (isOutdated) {
      deps.background.run('renew a password hash', () => renewedHash(deps, checked, password));
    }
    return session;
  } catch (error) {
    // Another sign-in of the same person may have renewed the hash meanwhile.
    const isChanged = error instanceof VerbatimError && error.code === 'wrong_sign_in';
    if (isOutdated && isChanged) return await signIn(deps, input);
    throw error;
  }
}

export interface SignInWithCode extends SigningBrowser {
  /** From the first step. */
  pending: string;
  code: string;
}

/**
 * Signs in with a code, after the password. Throws `sign_in_over` if the first step is too long ago or
 * was in another browser, `second_factor_needed`, `wrong_code`, or `too_many_tries`.
 */
export async function signInWithCode(deps: AccountDeps, input: SignInWithCode): Promise<SignedIn> {
  const login = await loginOfPending(deps, input);
  const { proof, accepted } = await proveSecondFactor(deps, login.email, input);
  const signedIn = await startSession(deps, { ...login, proof }, input);
  await accepted();
  return signedIn;
}

async function loginOfPending(
  deps: AccountDeps,
  { pending, cookieToken }: SignInWithCode,
): Promise<PasswordLogin> {
  const email = emailOfPending(pending);
  const login = email === undefined ? undefined : await deps.store.findLogin(email);
  const passwordHash = login?.passwordHash ?? null;
  if (login !== undefined && passwordHash !== null) {
    const found = { ...login, passwordHash };
    if (isPending(pending, boundTo(deps, found, cookieToken), deps.now())) return found;
  }
  throw new VerbatimError('sign_in_over');
}

function boundTo(
  { pendingKey: key }: AccountDeps,
  { passwordHash }: PasswordLogin,
  cookieToken = '',
): Bound {
  return { key, passwordHash, cookieToken };
}

async function startSession(
  deps: AccountDeps,
  login: PasswordLogin & Proved,
  { cookieToken: replaces, address, device, browserToken }: SigningBrowser,
): Promise<SignedIn> {
  const { memberId, passwordHash, proof } = login;
  const { sessionLimits: limits, now, store } = deps;
  const checked = { memberId, passwordHash, proof };
  const started = { limits, now: now(), replaces, address, device };
  const session = await store.startSession({ ...checked, ...started });
  // Without a known browser, every browser would be new.
  const isNew = login.browserKey !== null && browserOf(deps, login, browserToken) === undefined;
  if (isNew) notify(deps, login.email, signedInFrom({ device, address }));
  return signedIn(deps, session);
}

/** Renews an outdated hash. Returns the hash that is stored. */
async function renewedHash(
  { hasher, store }: AccountDeps,
  { memberId, passwordHash }: PasswordLogin,
  password: string,
): Promise<string> {
  if (!hasher.isOutdated(passwordHash)) return passwordHash;
  const newHash = await hasher.hash(password);
  await store.renewHash({ memberId, passwordHash, newHash });
  return newHash;
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
    deps.background.run('note a session', () => store.touchSession({ token, now }));
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

/** Lists where a member is signed in. */
export function listSessions(
  { store, sessionLimits: limits, now }: AccountDeps,
  ownerId: number,
): Promise<ListedSession[]> {
  return store.listSessions({ ownerId, limits, now: now() });
}

/** Ends all sessions of a member and forgets their browsers. Returns how many sessions ended. */
export function signOutEverywhere(deps: AccountDeps, ownerId: number): Promise<number> {
  return deps.store.endSessions({ ownerId });
}

export interface PasswordChange extends SessionOrigin {
  memberId: number;
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
  const { memberId, newPassword, address, device } = change;
  assertStrong(newPassword, change.email);
  const passwordHash = await confirmPassword(deps, change);
  const newHash = await deps.hasher.hash(newPassword);
  const { sessionLimits: limits, now } = deps;
  const started = await deps.store.replacePassword({
    memberId,
    passwordHash,
    newHash,
    limits,
    address,
    device,
    now: now(),
  });
  notify(deps, change.email, passwordChanged);
  return signedIn(deps, started);
}

export interface Confirmation {
  memberId: number;
  password: string;
  /** The token of the current session, by which attempts are counted. */
  sessionToken: string | undefined;
}

/**
 * Checks the password of somebody who is signed in. Returns its hash. Throws `wrong_sign_in`,
 * `too_many_tries`, or `at_capacity`.
 */
export async function confirmPassword(
  deps: AccountDeps,
  { memberId, password, sessionToken = '' }: Confirmation,
): Promise<string> {
  const { confirmations } = deps.throttles;
  const name = hashToken(sessionToken).toString('base64url');
  await confirmations.take(name);
  const { passwordHash } = await checkPassword(deps, {
    login: await deps.store.loginOf(memberId),
    password,
    queue: 'known',
    release: () => confirmations.release(name),
  });
  return passwordHash;
}

/** Returns the cookies for a new session. */
export function signedIn(
  { sessionLimits, settings, now }: AccountDeps,
  { token, browserKey }: StartedSession,
  { lifetimeMs }: SessionLimits = sessionLimits,
): SignedIn {
  return {
    session: { token, maxAgeSeconds: Math.floor(lifetimeMs / 1000) },
    browser: {
      token: mintBrowserToken(browserKey, now()),
      maxAgeSeconds: settings.knownBrowserDaysMax * DAY_SECONDS,
    },
  };
}

/** A login with a password. */
type PasswordLogin = Login & { passwordHash: string };

interface PasswordCheck extends Omit<PasswordAttempt, 'passwordHash'> {
  login: Login | undefined;
}

/** The same path for everyone: a hash, and only then a decision. */
async function checkPassword(
  { hasher }: AccountDeps,
  { login, password, queue, release }: PasswordCheck,
): Promise<PasswordLogin> {
  const passwordHash = login?.passwordHash ?? null;
  const isRight = await matchPassword(hasher, { password, passwordHash, queue, release });
  if (!isRight || login === undefined || passwordHash === null) {
    throw new VerbatimError('wrong_sign_in');
  }
  if (login.disabledAt !== null) throw new VerbatimError('customer_disabled');
  await release();
  return { ...login, passwordHash };
}
