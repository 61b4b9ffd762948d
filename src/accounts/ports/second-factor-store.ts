/**
 * Second factors of members, by their address; operators have their own. Codes are checked
 * before: a proof says what a code proved. An address is in its stored form.
 */
import type { FactorUse, NewSecondFactor, SecondFactor } from '../sql/second-factor-rows.ts';

export interface SecondFactorStore {
  /** Finds the second factor of an address; undefined if it has none. */
  findSecondFactor(email: string): Promise<SecondFactor | undefined>;
  /**
   * Turns the second factor of an address on, and ends its sessions but for the one to keep. Rejects
   * with `second_factor_on`: of two at once, one succeeds.
   */
  enableSecondFactor(input: NewSecondFactor): Promise<void>;
  /** Uses up what a code proved. Rejects with `wrong_code`: of two with one code, one succeeds. */
  useSecondFactor(input: FactorUse): Promise<void>;
  /** Uses up what a code proved, and replaces all recovery codes. Rejects with `wrong_code`. */
  renewRecoveryCodes(input: FactorUse & { recoveryHashes: readonly Uint8Array[] }): Promise<void>;
  /** Uses up what a code proved, and turns the second factor off. Rejects with `wrong_code`. */
  disableSecondFactor(input: FactorUse): Promise<void>;
}
