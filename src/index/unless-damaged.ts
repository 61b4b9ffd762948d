/** Reads stored rows that may be damaged, where one row must not fail all others. */
import { isDamage } from '../database/sqlite/faults.ts';

/**
 * Returns undefined if SQLite cannot read what is stored, or if it cannot be decoded. Throws any other
 * error.
 */
export function unlessDamaged<Value>(read: () => Value): Value | undefined {
  try {
    return read();
  } catch (error) {
    if (!isOtherContent(error) && !isDamage(error)) throw error;
    return undefined;
  }
}

/** Returns whether something could not be decoded, because it is no JSON or of another type or length. */
export function isOtherContent(error: unknown): error is Error {
  return error instanceof SyntaxError || error instanceof TypeError || error instanceof RangeError;
}
