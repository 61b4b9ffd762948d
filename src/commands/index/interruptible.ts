/** Runs work that Ctrl-C ends. */
import { VerbatimError } from '../../errors.ts';

/** Throws `interrupted` in place of whatever the work throws after the signal. */
export async function interruptible<Result>(
  signal: AbortSignal,
  work: (signal: AbortSignal) => Promise<Result>,
): Promise<Result> {
  try {
    return await work(signal);
  } catch (error) {
    if (!signal.aborted) throw error;
    throw new VerbatimError('interrupted', 'interrupted', { cause: error });
  }
}
