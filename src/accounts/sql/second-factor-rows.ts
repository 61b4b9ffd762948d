/**
 * Second factors, by the address of their owner: the secret of an authenticator app, and recovery codes.
 * Codes are checked elsewhere. What a code proved is used up here, in the transaction that it permits.
 */

import type { Connection } from '../../database/sqlite/connection.ts';
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
export function findSecondFactor(db: Connection, email: string): SecondFactor | undefined {
  return db
    .prepare(
      `SELECT secret, used_step AS usedStep, enabled_at AS enabledAt,
         (SELECT count(*) FROM recovery_codes WHERE recovery_codes.email = second_factors.email)
           AS recoveryCodesLeft
       FROM second_factors WHERE email = ?`,
    )
    .get(email) as SecondFactor | undefined;
}

/**
 * Turns the second factor of an address on, and ends its other sessions. Throws `second_factor_on` if
 * it is on.
 */
export function enableSecondFactor(db: Connection, input: NewSecondFactor): void {
  db.transaction(() => {
    const { email, secret, step, keep, now } = input;
    const { changes } = db
      .prepare('INSERT INTO second_factors VALUES (?, ?, ?, ?) ON CONFLICT DO NOTHING')
      .run(email, secret, step, now);
    if (changes === 0) throw new VerbatimError('second_factor_on');
    addRecoveryCodes(db, input);
    db.prepare(
      `DELETE FROM sessions WHERE token_hash <> ?
         AND member_id = (SELECT id FROM members WHERE email = ?)`,
    ).run(hashToken(keep ?? ''), email);
  }).immediate();
}

/**
 * Uses up what a code proved. Throws `wrong_code` if it was used before, or the address has no second
 * factor any more.
 */
export function useSecondFactor(db: Connection, { email, proof }: FactorUse): void {
  const { changes } =
    'step' in proof
      ? db
          .prepare('UPDATE second_factors SET used_step = ? WHERE email = ? AND used_step < ?')
          .run(proof.step, email, proof.step)
      : db
          .prepare('DELETE FROM recovery_codes WHERE email = ? AND code_hash = ?')
          .run(email, proof.recoveryHash);
  if (changes === 0) throw new VerbatimError('wrong_code');
}

/**
 * Lets an address pass that has no second factor, or whose code proved it. Throws
 * `second_factor_needed` without a proof, and `wrong_code`.
 */
export function passSecondFactor(
  db: Connection,
  { email, proof }: { email: string; proof?: FactorProof | undefined },
): void {
  const isOn = db.prepare('SELECT 1 FROM second_factors WHERE email = ?').get(email) !== undefined;
  if (!isOn) return;
  if (proof === undefined) throw new VerbatimError('second_factor_needed');
  useSecondFactor(db, { email, proof });
}

/** Replaces the recovery codes, after a code. Throws `wrong_code`. */
export function renewRecoveryCodes(
  db: Connection,
  input: FactorUse & { recoveryHashes: readonly Uint8Array[] },
): void {
  db.transaction(() => {
    useSecondFactor(db, input);
    db.prepare('DELETE FROM recovery_codes WHERE email = ?').run(input.email);
    addRecoveryCodes(db, input);
  }).immediate();
}

/** Turns a second factor off, after a code. Throws `wrong_code`. */
export function disableSecondFactor(db: Connection, input: FactorUse): void {
  db.transaction(() => {
    useSecondFactor(db, input);
    removeSecondFactor(db, input.email);
  }).immediate();
}

/** Removes the second factor of an address. Returns whether there was one. */
export function removeSecondFactor(db: Connection, email: string): boolean {
  db.prepare('DELETE FROM recovery_codes WHERE email = ?').run(email);
  return db.prepare('DELETE FROM second_factors WHERE email = ?').run(email).changes > 0;
}

function addRecoveryCodes(
  db: Connection,
  { email, recoveryHashes }: { email: string; recoveryHashes: readonly Uint8Array[] },
): void {
  const insert = db.prepare('INSERT INTO recovery_codes VALUES (?, ?)');
  for (const hash of recoveryHashes) insert.run(email, hash);
}
