/** What a code that was typed proves: that somebody has the app, or a recovery code. Pure. */

import { hashRecoveryCode } from './recovery-codes.ts';
import type { FactorProof } from './sql/second-factor-rows.ts';
import { stepOfCode } from './totp.ts';

/** Apps show codes in groups. */
export function compactCode(typed: string): string {
  return typed.replace(/\s/g, '');
}

/**
 * Returns the proof of a code; undefined for a wrong one. Whether a recovery code is one of those that
 * are left shows when it is used up.
 */
export function proofOf(
  { secret, usedStep }: { secret: Uint8Array; usedStep: number },
  typed: string,
  now: number,
): FactorProof | undefined {
  const code = compactCode(typed);
  const step = stepOfCode({ secret, usedStep, code, now });
  if (step !== undefined) return { step };
  const recoveryHash = hashRecoveryCode(code);
  return recoveryHash === undefined ? undefined : { recoveryHash };
}
