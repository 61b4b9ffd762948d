/**
 * Second factors, by the address of their owner: the secret of an authenticator app, and recovery codes.
 * Codes are checked elsewhere. What a code proved is used up here, in the transaction that it permits.
 */

import { query, queryFirst, type Sql } from '../../database/sql/sql.ts';
import { VerbatimError } from '../../errors.ts';
import { hashToken } from './secret-tokens.ts';

export interface SecondFactor {
  /** Shared with the authenticator app. The server computes codes with it, so it is not hashed. */
  secret: Uint8Array;
  /** The last time step whose code was used. */
  usedStep: number;
  enabledAt: number;
  recoveryCodesLeft: number;
}

/** What a code proved: the time step of an app's code, or the hash of a recovery code. */
export type FactorProof = { step: number } | { recoveryHash: Uint8Array };

export interface NewSecondFactor {
  /** In its stored form. */
  email: string;
  secret: Uint8Array;
  /** The time step of the code that proved that the app has the secret. */
  step: number;
  recoveryHashes: readonly Uint8Array[];
  /** The token of the session that stays. All others of the address end. */
  keep?: string | undefined;
  now: number;
}

export interface FactorUse {
  email: string;
  proof: FactorProof;
}

/** Finds the second factor of an address; undefined if it has none. */
export function* findSecondFactor(email: string): Sql<SecondFactor | undefined> {
  return yield* queryFirst<SecondFactor>(
    `SELECT secret, used_step AS "usedStep", enabled_at AS "enabledAt",
       (SELECT count(*) FROM recovery_codes WHERE recovery_codes.email = second_factors.email)
         AS "recoveryCodesLeft"
     FROM second_factors WHERE email = $1`,
    [email],
  );
}

/**
 * Turns the second factor of an address on, and ends its other sessions. Throws `second_factor_on` if
 * it is on.
 */
export function* enableSecondFactor(input: NewSecondFactor): Sql<void> {
  const { email, secret, step, keep, now } = input;
  const added = yield* query(
    `INSERT INTO second_factors (email, secret, used_step, enabled_at) VALUES ($1, $2, $3, $4)
     ON CONFLICT DO NOTHING RETURNING email`,
    [email, secret, step, now],
  );
  if (added.length === 0) throw new VerbatimError('second_factor_on');
  yield* addRecoveryCodes(input);
  yield* query(
    `DELETE FROM sessions WHERE token_hash <> $1
       AND member_id = (SELECT id FROM members WHERE email = $2)`,
    [hashToken(keep ?? ''), email],
  );
}

/**
 * Uses up what a code proved. Throws `wrong_code` if it was used before, or the address has no second
 * factor any more.
 */
export function* useSecondFactor({ email, proof }: FactorUse): Sql<void> {
  const used =
    'step' in proof
      ? yield* query(
          `UPDATE second_factors SET used_step = $2 WHERE email = $1 AND used_step < $2
           RETURNING email`,
          [email, proof.step],
        )
      : yield* query(
          'DELETE FROM recovery_codes WHERE email = $1 AND code_hash = $2 RETURNING email',
          [email, proof.recoveryHash],
        );
  if (used.length === 0) throw new VerbatimError('wrong_code');
}

/**
 * Lets an address pass that has no second factor, or whose code proved it. Throws
 * `second_factor_needed` without a proof, and `wrong_code`.
 */
export function* passSecondFactor({
  email,
  proof,
}: {
  email: string;
  proof?: FactorProof | undefined;
}): Sql<void> {
  const found = yield* query('SELECT 1 FROM second_factors WHERE email = $1', [email]);
  if (found.length === 0) return;
  if (proof === undefined) throw new VerbatimError('second_factor_needed');
  yield* useSecondFactor({ email, proof });
}

/** Replaces the recovery codes, after a code. Throws `wrong_code`. */
export function* renewRecoveryCodes(
  input: FactorUse & { recoveryHashes: readonly Uint8Array[] },
): Sql<void> {
  yield* lockFactor(input.email);
  yield* useSecondFactor(input);
  yield* query('DELETE FROM recovery_codes WHERE email = $1', [input.email]);
  yield* addRecoveryCodes(input);
}

/** Turns a second factor off, after a code. Throws `wrong_code`. */
export function* disableSecondFactor(input: FactorUse): Sql<void> {
  yield* lockFactor(input.email);
  yield* useSecondFactor(input);
  yield* removeSecondFactor(input.email);
}

/** Removes the second factor of an address. Returns whether there was one. */
export function* removeSecondFactor(email: string): Sql<boolean> {
  yield* lockFactor(email);
  yield* query('DELETE FROM recovery_codes WHERE email = $1', [email]);
  const removed = yield* query('DELETE FROM second_factors WHERE email = $1 RETURNING email', [
    email,
  ]);
  return removed.length > 0;
}

/** Lets the other transactions of an address wait, so that none adds codes that others delete. */
function* lockFactor(email: string): Sql<void> {
  yield* query('SELECT 1 FROM second_factors WHERE email = $1 FOR UPDATE', [email]);
}

function* addRecoveryCodes({
  email,
  recoveryHashes,
}: {
  email: string;
  recoveryHashes: readonly Uint8Array[];
}): Sql<void> {
  for (const hash of recoveryHashes) {
    yield* query('INSERT INTO recovery_codes (email, code_hash) VALUES ($1, $2)', [email, hash]);
  }
}
