/**
 * Operators on their way in and out. Address, password, and code arrive together and fail together: who
 * guesses does not learn which of them was right. A second factor is part of being an operator, so there
 * is no sign-in without one.
 */
import { VerbatimError } from '../errors.ts';
import type { AccountDeps } from './account-deps.ts';
import { matchPassword } from './match-password.ts';
import { proofOf } from './proof.ts';
import { type SignedIn, type SignIn, signedIn } from './sign-in.ts';
import { browserOf } from './sign-in-browser.ts';
import { normalizeEmail } from './sql/customers.ts';
import type { OperatorLogin, OperatorSession } from './sql/operator-sign-in-rows.ts';
import { hashToken } from './sql/secret-tokens.ts';

export interface OperatorSignIn extends SignIn {
  /** Of the authenticator app, or a recovery code. */
  code: string;
}

function wrongSignIn(): VerbatimError {
  return new VerbatimError(
    'wrong_sign_in',
    'address, password, or code is wrong; a code counts once, so wait for the next one',
  );
}

/**
 * Signs an operator in. Throws `wrong_sign_in` whatever was wrong, after the same work, and
 * `too_many_tries` or `at_capacity`.
 */
export async function signInOperator(deps: AccountDeps, input: OperatorSignIn): Promise<SignedIn> {
  const { password, code, address, browserToken, cookieToken: replaces, device } = input;
  const { store, operators, hasher } = deps;
  const email = normalizeEmail(input.email);
  // The same look-up for known and unknown addresses.
  const login = await store.findOperatorLogin(email);
  const browser = browserOf(deps, login, browserToken);
  const source = { account: email, address, browser };
  const release = await operators.signIns.take(source);
  const passwordHash = login?.passwordHash ?? null;
  const queue = browser === undefined ? 'strangers' : 'known';
  const isRight = await matchPassword(hasher, { password, passwordHash, queue, release });
  if (!isRight || login === undefined) throw wrongSignIn();
  await release();
  const releaseCode = await operators.codes.take(source);
  const proof = proofOf(login, code, deps.now());
  if (proof === undefined) throw wrongSignIn();
  const { id: operatorId } = login;
  const { sessionLimits: limits } = operators;
  const checked = { operatorId, passwordHash: login.passwordHash, proof, limits, now: deps.now() };
  try {
    const started = await store.startOperatorSession({ ...checked, replaces, address, device });
    await releaseCode();
    return signedIn(deps, started, limits);
  } catch (error) {
    throw hasCode(error, 'wrong_code') ? wrongSignIn() : error;
  }
}

/** Returns the session of a cookie's token; undefined if no operator is signed in. */
export async function readOperatorSession(
  { store, operators, settings, background, ...deps }: AccountDeps,
  token: string | undefined,
): Promise<OperatorSession | undefined> {
  if (token === undefined) return undefined;
  const now = deps.now();
  const { sessionLimits: limits } = operators;
  const session = await store.findOperatorSession({ token, limits, now });
  if (session !== undefined && now - session.seenAt >= settings.sessionSeenEveryMs) {
    background.run('note a session', () => store.touchOperatorSession({ token, now }));
  }
  return session;
}

/** An operator who is signed in, in one of their browsers. */
export interface PresentOperator {
  operatorId: number;
  /** The token of the session. */
  token: string;
  /** The client's address; see client-address.ts. */
  address: string;
  browserToken?: string | undefined;
  device: string;
}

/**
 * Checks the password of an operator who is signed in. Throws `wrong_sign_in`, `too_many_tries`, or
 * `at_capacity`.
 */
export async function confirmOperator(
  { store, operators, hasher }: AccountDeps,
  { operatorId, token }: PresentOperator,
  password: string,
): Promise<OperatorLogin> {
  const { confirmations } = operators;
  const name = hashToken(token).toString('base64url');
  await confirmations.take(name);
  const release = (): Promise<void> => confirmations.release(name);
  const login = await store.operatorLoginOf(operatorId);
  const passwordHash = login?.passwordHash ?? null;
  const isRight = await matchPassword(hasher, { password, passwordHash, queue: 'known', release });
  if (!isRight || login === undefined) {
    throw new VerbatimError('wrong_sign_in', 'your current password is incorrect');
  }
  await release();
  return login;
}

/** Whether an error is an expected one with a code. */
function hasCode(error: unknown, code: VerbatimError['code']): boolean {
  return error instanceof VerbatimError && error.code === code;
}
