/** Limits of a server that a test starts. */
import type { Settings } from '../../src/settings/config.ts';

/** A hash of a password takes a fifth of a second of a processor. Here it takes none. */
export const CHEAP_HASHES = { passwordHashDoublings: 4 };

/** The environment of a program with other limits than its constants. */
export function withLimits(
  limits: { [Name in keyof Settings as Settings[Name] extends number ? Name : never]?: number },
): { VERBATIM_TEST_LIMITS: string } {
  return { VERBATIM_TEST_LIMITS: JSON.stringify(limits) };
}
