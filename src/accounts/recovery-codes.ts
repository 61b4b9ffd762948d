/**
 * Recovery codes, which stand in for an authenticator app that is lost. Each works once. A code has 60
 * random bits, so its hash needs no salt and no slow function. Pure, but for the random bits.
 */
import { createHash, randomInt } from 'node:crypto';

const CODES = 10;
/** Lower-case letters and digits that are not mistaken for one another. */
const ALPHABET = 'abcdefghjkmnpqrstuvwxyz23456789';
const CHARACTERS = 12;
const GROUP = 4;

/** Returns new codes, in the form in which they are shown: `abcd-efgh-jkmn`. */
export function mintRecoveryCodes(): string[] {
  return Array.from({ length: CODES }, () => {
    const characters = Array.from({ length: CHARACTERS }, () =>
      ALPHABET.charAt(randomInt(ALPHABET.length)),
    );
    return characters.join('').replace(new RegExp(`(.{${GROUP}})(?=.)`, 'g'), '$1-');
  });
}

/** Returns the stored hash of a code, however it was typed; undefined for another text. */
export function hashRecoveryCode(typed: string): Buffer | undefined {
  const code = typed.toLowerCase().replace(/[\s-]/g, '');
  const isPossible = code.length === CHARACTERS && [...code].every((one) => ALPHABET.includes(one));
  return isPossible ? createHash('sha256').update(`recovery ${code}`).digest() : undefined;
}

/** Returns new codes with their hashes. */
export function mintRecovery(): { codes: string[]; recoveryHashes: Uint8Array[] } {
  const codes = mintRecoveryCodes();
  const recoveryHashes = codes.flatMap((code) => hashRecoveryCode(code) ?? []);
  return { codes, recoveryHashes };
}
