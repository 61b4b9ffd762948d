/** Deletes stored answers that have expired, in the background. */
import { every } from './every.ts';
import type { WriteAccounts } from './ledger-writer.ts';

export interface ExpireAnswersOptions {
  write: WriteAccounts;
  expiredAnswersCheckMs: number;
  expiredAnswersDeletedMax: number;
}

/**
 * Deletes in short transactions, until none is left. What cannot be deleted now is deleted with the
 * next check; a repeat does not get it meanwhile. Returns the function that stops it.
 */
export function expireAnswers({
  write,
  expiredAnswersCheckMs,
  expiredAnswersDeletedMax: atMost,
}: ExpireAnswersOptions): () => void {
  let isStopped = false;
  const deleteSome = (): Promise<number> =>
    write('deleteExpiredAnswers', { now: Date.now(), atMost }).catch(() => 0);
  const stop = every(expiredAnswersCheckMs, async () => {
    while (!isStopped && (await deleteSome()) === atMost);
  });
  return () => {
    isStopped = true;
    stop();
  };
}
