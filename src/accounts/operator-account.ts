/** What operators do with their own accounts: enrollment by a link, password, app, and recovery codes. */
import { createHmac } from 'node:crypto';
import { VerbatimError } from '../errors.ts';
import type { AccountDeps } from './account-deps.ts';
import { confirmOperator, type PresentOperator } from './operator-sign-in.ts';
import { assertStrong } from './password-rule.ts';
import { compactCode, proofOf } from './proof.ts';
import { mintRecovery } from './recovery-codes.ts';
import { type SignedIn, type SigningBrowser, signedIn } from './sign-in.ts';
import { browserOf } from './sign-in-browser.ts';
import type { OperatorLogin } from './sql/operator-sign-in-rows.ts';
import type { Operator } from './sql/operators.ts';
import type { FactorProof } from './sql/second-factor-rows.ts';
import { SECRET_BYTES, stepOfCode } from './totp.ts';

/** The time step of no code. */
const NO_STEP = -1;

/** An operator who is signed in, with new recovery codes, which are stored nowhere. */
export interface Enrolled extends SignedIn {
  operatorId: number;
  codes: string[];
}

/** Returns the owner of a one-time link. Opening it does not use it up. Throws `link_over`. */
export function readOperatorLink({ store, now }: AccountDeps, token: string): Promise<Operator> {
  return store.findOperatorLink({ token, now: now() });
}

/**
 * Returns the secret of an authenticator app that is being set up with a one-time link, in one browser.
 * It is the same each time the page is loaded, so nothing has to be kept, and another in another
 * browser, so that somebody who sees the link later cannot compute it.
 */
export function enrollmentSecret(deps: AccountDeps, link: string, cookieToken: string): Uint8Array {
  return deriveSecret(deps, ['enrollment', link, cookieToken]);
}

/** Returns the secret of an app that is to replace the present one. */
export function replacementSecret(
  deps: AccountDeps,
  { token }: PresentOperator,
  { enrolledAt }: OperatorLogin,
): Uint8Array {
  return deriveSecret(deps, ['replacement', token, String(enrolledAt)]);
}

function deriveSecret({ pendingKey }: AccountDeps, parts: readonly string[]): Uint8Array {
  const text = `secret of an operator ${JSON.stringify(parts)}`;
  return createHmac('sha256', pendingKey).update(text).digest().subarray(0, SECRET_BYTES);
}

export interface EnrollmentForm extends SigningBrowser {
  /** Of the link. */
  token: string;
  password: string;
  /** What the app shows. */
  code: string;
}

/**
 * Redeems a link: sets the password and the app, ends all earlier sessions, and signs in. Throws
 * `link_over`, and also `weak_password`, `wrong_new_code`, or `at_capacity`, after which the link stays
 * valid.
 */
export async function enrollOperator(deps: AccountDeps, form: EnrollmentForm): Promise<Enrolled> {
  const { token, password, code, cookieToken = '', address, device } = form;
  const { id: operatorId, email } = await readOperatorLink(deps, token);
  assertStrong(password, email);
  const secret = enrollmentSecret(deps, token, cookieToken);
  const step = firstStepOf(secret, code, deps.now());
  const passwordHash = await deps.hasher.hash(password);
  const { codes, recoveryHashes } = mintRecovery();
  const { sessionLimits: limits } = deps.operators;
  const factor = { secret, step, recoveryHashes };
  const session = { limits, now: deps.now(), replaces: cookieToken, address, device };
  const started = await deps.store.enrollOperator({ token, passwordHash, ...factor, ...session });
  return { ...signedIn(deps, started, limits), operatorId, codes };
}

/**
 * Changes the password, ends all sessions, forgets all browsers, and signs this one in again. Throws
 * `weak_password`, `wrong_sign_in` for a wrong old password, `too_many_tries`, or `at_capacity`.
 */
export async function changeOperatorPassword(
  deps: AccountDeps,
  present: PresentOperator,
  { password, newPassword, email }: { password: string; newPassword: string; email: string },
): Promise<SignedIn> {
  assertStrong(newPassword, email);
  const { passwordHash } = await confirmOperator(deps, present, password);
  const newHash = await deps.hasher.hash(newPassword);
  const { operatorId, address, device } = present;
  const { sessionLimits: limits } = deps.operators;
  const session = { limits, now: deps.now(), address, device };
  const change = { operatorId, passwordHash, newHash, ...session };
  return signedIn(deps, await deps.store.replaceOperatorPassword(change), limits);
}

export interface FactorReplacement {
  password: string;
  /** Of the earlier app, or a recovery code. */
  code: string;
  /** Of the new app. */
  newCode: string;
}

/**
 * Replaces authenticator app and recovery codes, and ends all other sessions. Returns the new codes.
 * Throws `wrong_sign_in` for a wrong password, `wrong_new_code`, `wrong_code`, `too_many_tries`, or
 * `at_capacity`.
 */
export async function replaceOperatorFactor(
  deps: AccountDeps,
  present: PresentOperator,
  { password, code, newCode }: FactorReplacement,
): Promise<string[]> {
  const login = await confirmOperator(deps, present, password);
  const secret = replacementSecret(deps, present, login);
  const step = firstStepOf(secret, newCode, deps.now());
  const { codes, recoveryHashes } = mintRecovery();
  const factor = { secret, step, recoveryHashes, keep: present.token };
  await withProof(deps, present, { login, code }, (proved) =>
    deps.store.replaceOperatorFactor({ ...proved, ...factor }),
  );
  return codes;
}

/** Replaces the recovery codes, and returns the new ones. Throws `wrong_code` or `too_many_tries`. */
export async function renewOperatorCodes(
  deps: AccountDeps,
  present: PresentOperator,
  code: string,
): Promise<string[]> {
  const login = await deps.store.operatorLoginOf(present.operatorId);
  if (login === undefined) throw new VerbatimError('signed_out');
  const { codes, recoveryHashes } = mintRecovery();
  await withProof(deps, present, { login, code }, (proved) =>
    deps.store.renewOperatorCodes({ ...proved, recoveryHashes }),
  );
  return codes;
}

/** Makes a change that a code of the present app proves. Counting first prevents parallel guesses. */
async function withProof(
  deps: AccountDeps,
  { operatorId, address, device, browserToken }: PresentOperator,
  { login, code }: { login: OperatorLogin; code: string },
  change: (proved: {
    operatorId: number;
    proof: FactorProof;
    address: string;
    device: string;
    now: number;
  }) => Promise<void>,
): Promise<void> {
  const browser = browserOf(deps, login, browserToken);
  const release = await deps.operators.codes.take({ account: login.email, address, browser });
  const proof = proofOf(login, code, deps.now());
  if (proof === undefined) throw new VerbatimError('wrong_code');
  await change({ operatorId, proof, address, device, now: deps.now() });
  await release();
}

/** Returns the step of the first code of a new app. Throws `wrong_new_code`. */
function firstStepOf(secret: Uint8Array, typed: string, now: number): number {
  const step = stepOfCode({ secret, code: compactCode(typed), usedStep: NO_STEP, now });
  if (step === undefined) throw new VerbatimError('wrong_new_code');
  return step;
}
