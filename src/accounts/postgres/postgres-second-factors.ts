/** Second factors on PostgreSQL, with the meaning of accounts/second-factors.ts. */

import type { Database, Queries } from '../../database/postgres/postgres-database.ts';
import { VerbatimError } from '../../errors.ts';
import type {
  FactorProof,
  FactorUse,
  NewSecondFactor,
  SecondFactor,
} from '../sql/second-factor-rows.ts';
import { hashToken } from '../sql/secret-tokens.ts';

export async function findSecondFactor(
  { query }: Queries,
  email: string,
): Promise<SecondFactor | undefined> {
  const [found] = await query<SecondFactor>(
    `SELECT secret, used_step AS "usedStep", enabled_at AS "enabledAt",
       (SELECT count(*) FROM recovery_codes WHERE recovery_codes.email = second_factors.email)
         AS "recoveryCodesLeft"
     FROM second_factors WHERE email = $1`,
    [email],
  );
  return found;
}

/** Turns it on, and ends the other sessions. Throws `second_factor_on`. */
export function enableSecondFactor(database: Database, input: NewSecondFactor): Promise<void> {
  return database.transaction(async (queries) => {
    const { email, secret, step, keep, now } = input;
    const added = await queries.query(
      'INSERT INTO second_factors VALUES ($1, $2, $3, $4) ON CONFLICT DO NOTHING RETURNING 1',
      [email, secret, step, now],
    );
    if (added.length === 0) throw new VerbatimError('second_factor_on');
    await addRecoveryCodes(queries, input);
    await queries.query(
      `DELETE FROM sessions WHERE token_hash <> $1
         AND member_id = (SELECT id FROM members WHERE email = $2)`,
      [hashToken(keep ?? ''), email],
    );
  });
}

/** Uses up what a code proved. Throws `wrong_code`. */
export async function useSecondFactor(
  { query }: Queries,
  { email, proof }: FactorUse,
): Promise<void> {
  const used =
    'step' in proof
      ? await query(
          `UPDATE second_factors SET used_step = $2 WHERE email = $1 AND used_step < $2
           RETURNING 1`,
          [email, proof.step],
        )
      : await query('DELETE FROM recovery_codes WHERE email = $1 AND code_hash = $2 RETURNING 1', [
          ...[email, proof.recoveryHash],
        ]);
  if (used.length === 0) throw new VerbatimError('wrong_code');
}

/** Throws `second_factor_needed` without a proof that an address needs, and `wrong_code`. */
export async function passSecondFactor(
  queries: Queries,
  { email, proof }: { email: string; proof?: FactorProof | undefined },
): Promise<void> {
  const found = await queries.query('SELECT 1 FROM second_factors WHERE email = $1', [email]);
  if (found.length === 0) return;
  if (proof === undefined) throw new VerbatimError('second_factor_needed');
  await useSecondFactor(queries, { email, proof });
}

/** Replaces the recovery codes. Throws `wrong_code`. */
export function renewRecoveryCodes(
  database: Database,
  input: FactorUse & { recoveryHashes: readonly Uint8Array[] },
): Promise<void> {
  return database.transaction(async (queries) => {
    await lockFactor(queries, input.email);
    await useSecondFactor(queries, input);
    await queries.query('DELETE FROM recovery_codes WHERE email = $1', [input.email]);
    await addRecoveryCodes(queries, input);
  });
}

/** Turns it off. Throws `wrong_code`. */
export function disableSecondFactor(database: Database, input: FactorUse): Promise<void> {
  return database.transaction(async (queries) => {
    await lockFactor(queries, input.email);
    await useSecondFactor(queries, input);
    await removeSecondFactor(queries, input.email);
  });
}

/** Removes it. Returns whether there was one. */
export async function removeSecondFactor(queries: Queries, email: string): Promise<boolean> {
  await lockFactor(queries, email);
  await queries.query('DELETE FROM recovery_codes WHERE email = $1', [email]);
  const removed = await queries.query('DELETE FROM second_factors WHERE email = $1 RETURNING 1', [
    email,
  ]);
  return removed.length > 0;
}

/** Lets the other transactions of an address wait, so that none adds codes that others delete. */
async function lockFactor({ query }: Queries, email: string): Promise<void> {
  await query('SELECT 1 FROM second_factors WHERE email = $1 FOR UPDATE', [email]);
}

async function addRecoveryCodes(
  { query }: Queries,
  { email, recoveryHashes }: { email: string; recoveryHashes: readonly Uint8Array[] },
): Promise<void> {
  for (const hash of recoveryHashes) {
    await query('INSERT INTO recovery_codes VALUES ($1, $2)', [email, hash]);
  }
}
