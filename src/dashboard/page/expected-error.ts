/** Errors that a form answers by itself. */
import { VerbatimError } from '../../errors.ts';

/** The error if it is expected and its message is for customers; else throws it again. */
export function expectedErrorOf(error: unknown): VerbatimError {
  if (error instanceof VerbatimError && error.isForCustomers) return error;
  throw error;
}
