/**
 * The second step of signing in: a code of an authenticator app, or a recovery code. It belongs to an
 * address of a member. Operators have their own: see operator-account.ts.
 */
import { randomBytes } from 'node:crypto';
import { VerbatimError } from '../errors.ts';
import type { AccountDeps } from './account-deps.ts';
import { compactCode, proofOf } from './proof.ts';
import { mintRecovery } from './recovery-codes.ts';
import {
  notify,
  recoveryCodesRenewed,
  recoveryCodeUsed,
  secondFactorOff,
  secondFactorOn,
} from './security-mails.ts';
import { browserOf } from './sign-in-browser.ts';
import type { FactorProof } from './sql/second-factor-rows.ts';
import { SECRET_BYTES, stepOfCode } from './totp.ts';

/** The time step of no code. */
const NO_STEP = -1;

/** A code as it was typed, and where from. */
export interface TypedCode {
  code: string;
  /** The client's address; see client-address.ts. */
  address: string;
  /** The token of a possibly known browser. */
  browserToken?: string | undefined;
}

/** Whether this address proves more than its password when it signs in. */
export async function hasSecondFactor({ store }: AccountDeps, email: string): Promise<boolean> {
  return (await store.findSecondFactor(email)) !== undefined;
}

/** Returns the secret of an authenticator app that is being set up. */
export function mintSecret(): Uint8Array {
  return randomBytes(SECRET_BYTES);
}

export interface SetUp {
  email: string;
  secret: Uint8Array;
  /** What the app shows. */
  typed: TypedCode;
  /** The token of the session that stays; all others of the address end. */
  keep?: string | undefined;
}

/**
 * Turns the second factor on, once the app has shown that it has the secret. Returns the recovery codes,
 * which are stored nowhere. Throws `wrong_code`, `second_factor_on`, or `too_many_tries`.
 */
export async function enableSecondFactor(
  deps: AccountDeps,
  { email, secret, typed, keep }: SetUp,
): Promise<string[]> {
  const now = deps.now();
  const release = await takeAttempt(deps, email, typed);
  const step = stepOfCode({ secret, code: compactCode(typed.code), usedStep: NO_STEP, now });
  if (step === undefined) throw new VerbatimError('wrong_code');
  const { codes, recoveryHashes } = mintRecovery();
  await deps.store.enableSecondFactor({ email, secret, step, recoveryHashes, keep, now });
  notify(deps, email, secondFactorOn);
  await release();
  return codes;
}

/** What a code proved. */
export interface Proof {
  /** undefined: the address has no second factor, so nothing had to be proved. */
  proof: FactorProof | undefined;
  /** To be called once the proof was used up: releases its attempt, and tells of a recovery code. */
  accepted: () => Promise<void>;
}

/**
 * Checks a code for an address. The proof must be used up by what it permits. Throws
 * `second_factor_needed` for an empty code, `wrong_code`, or `too_many_tries`.
 */
export async function proveSecondFactor(
  deps: AccountDeps,
  email: string,
  typed: TypedCode | undefined,
): Promise<Proof> {
  const factor = await deps.store.findSecondFactor(email);
  if (factor === undefined) return { proof: undefined, accepted: async () => {} };
  if (typed === undefined || compactCode(typed.code) === '')
    throw new VerbatimError('second_factor_needed');
  // Counting first prevents parallel guesses.
  const release = await takeAttempt(deps, email, typed);
  const proof = proofOf(factor, typed.code, deps.now());
  if (proof === undefined) throw new VerbatimError('wrong_code');
  const accepted = async (): Promise<void> => {
    if ('recoveryHash' in proof) notify(deps, email, recoveryCodeUsed);
    await release();
  };
  return { proof, accepted };
}

/** Checks a code and uses it up. Throws like `proveSecondFactor`. */
export async function useSecondFactor(
  deps: AccountDeps,
  email: string,
  typed: TypedCode | undefined,
): Promise<void> {
  await withProof(deps, email, typed, (proof) => deps.store.useSecondFactor({ email, proof }));
}

/** Turns the second factor off. Throws like `proveSecondFactor`. */
export async function disableSecondFactor(
  deps: AccountDeps,
  email: string,
  typed: TypedCode,
): Promise<void> {
  await withProof(deps, email, typed, (proof) => deps.store.disableSecondFactor({ email, proof }));
  notify(deps, email, secondFactorOff);
}

/** Replaces the recovery codes, and returns the new ones. Throws like `proveSecondFactor`. */
export async function renewRecoveryCodes(
  deps: AccountDeps,
  email: string,
  typed: TypedCode,
): Promise<string[]> {
  const { codes, recoveryHashes } = mintRecovery();
  await withProof(deps, email, typed, (proof) =>
    deps.store.renewRecoveryCodes({ email, proof, recoveryHashes }),
  );
  notify(deps, email, recoveryCodesRenewed);
  return codes;
}

async function withProof(
  deps: AccountDeps,
  email: string,
  typed: TypedCode | undefined,
  use: (proof: FactorProof) => Promise<void>,
): Promise<void> {
  const { proof, accepted } = await proveSecondFactor(deps, email, typed);
  if (proof !== undefined) await use(proof);
  await accepted();
}

async function takeAttempt(
  deps: AccountDeps,
  email: string,
  { address, browserToken }: TypedCode,
): Promise<() => Promise<void>> {
  const browser = browserOf(deps, await deps.store.findLogin(email), browserToken);
  return await deps.codes.take({ account: email, address, browser });
}
