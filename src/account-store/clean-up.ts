/** Deletes what has expired, in the background: stored answers, and old details of usage. */
import { dayOf } from '../store/accounts/ledger.ts';
import { every } from '../workers/every.ts';
import type { NodeStore } from './node-store.ts';

export interface CleanUpOptions {
  store: Pick<NodeStore, 'deleteExpiredAnswers' | 'deleteOldMeasures'>;
  expiredAnswersCheckMs: number;
  expiredAnswersDeletedMax: number;
  usageDetailDaysMax: number;
  usageDetailCheckMs: number;
  usageDetailsDeletedMax: number;
}

const DAY_MS = 86_400_000;

/** Starts the deletions. Returns the function that stops them. */
export function cleanUp(options: CleanUpOptions): () => void {
  const { store, expiredAnswersDeletedMax, usageDetailDaysMax, usageDetailsDeletedMax } = options;
  const stopAnswers = deleteEvery(options.expiredAnswersCheckMs, expiredAnswersDeletedMax, () =>
    store.deleteExpiredAnswers({ now: Date.now(), atMost: expiredAnswersDeletedMax }),
  );
  const stopDetails = deleteEvery(options.usageDetailCheckMs, usageDetailsDeletedMax, () => {
    const before = dayOf(Date.now() - usageDetailDaysMax * DAY_MS);
    return store.deleteOldMeasures({ before, atMost: usageDetailsDeletedMax });
  });
  return () => {
    stopAnswers();
    stopDetails();
  };
}

/**
 * Deletes in short transactions of at most `atMost` rows, until none is left. What cannot be deleted
 * now is deleted with the next check.
 */
function deleteEvery(
  checkMs: number,
  atMost: number,
  deleteSome: () => Promise<number>,
): () => void {
  let isStopped = false;
  const stop = every(checkMs, async () => {
    while (!isStopped && (await deleteSome().catch(() => 0)) === atMost);
  });
  return () => {
    isStopped = true;
    stop();
  };
}
