/** Deletes what has expired, in the background: stored answers, details of usage, questions, and requests. */

import { every } from '../../workers/every.ts';
import { dayOf } from '../sql/calendar-month.ts';
import type { AccountStore } from './account-store.ts';

export interface CleanUpOptions {
  store: Pick<
    AccountStore,
    | 'deleteExpiredAnswers'
    | 'deleteOldMeasures'
    | 'deleteOldQuestions'
    | 'deleteOldRequests'
    | 'forgetAsked'
  >;
  expiredAnswersCheckMs: number;
  expiredAnswersDeletedMax: number;
  usageDetailDaysMax: number;
  usageDetailCheckMs: number;
  usageDetailsDeletedMax: number;
  keepQuestions: boolean;
  keptQuestionDaysMax: number;
  requestDays: number;
  requestsMax: number;
}

const DAY_MS = 86_400_000;

/** Starts the deletions. Returns the function that stops them. */
export function cleanUp(options: CleanUpOptions): () => void {
  const { store, expiredAnswersDeletedMax, usageDetailDaysMax, usageDetailsDeletedMax } = options;
  const stopAnswers = deleteEvery(options.expiredAnswersCheckMs, expiredAnswersDeletedMax, () =>
    store.deleteExpiredAnswers({ now: Date.now(), limit: expiredAnswersDeletedMax }),
  );
  const stopDetails = deleteEvery(options.usageDetailCheckMs, usageDetailsDeletedMax, () => {
    const before = dayOf(Date.now() - usageDetailDaysMax * DAY_MS);
    return store.deleteOldMeasures({ before, limit: usageDetailsDeletedMax });
  });
  const questions = (): Promise<number> => {
    const ageMsMax = options.keepQuestions ? options.keptQuestionDaysMax * DAY_MS : 0;
    const before = Date.now() - ageMsMax;
    return store.deleteOldQuestions({ before, limit: usageDetailsDeletedMax });
  };
  const stopQuestions = deleteEvery(options.usageDetailCheckMs, usageDetailsDeletedMax, questions);
  const requests = (): Promise<number> =>
    store.deleteOldRequests({
      before: Date.now() - options.requestDays * DAY_MS,
      requestsMax: options.requestsMax,
      limit: usageDetailsDeletedMax,
    });
  const stopRequests = deleteEvery(options.usageDetailCheckMs, usageDetailsDeletedMax, requests);
  const stopAsked = deleteEvery(options.usageDetailCheckMs, usageDetailsDeletedMax, () =>
    store.forgetAsked({ now: Date.now(), limit: usageDetailsDeletedMax }),
  );
  // Whoever no longer wants questions to be kept need not wait for the first check.
  if (!options.keepQuestions) void deleteAll(usageDetailsDeletedMax, questions, () => false);
  return () => {
    stopAnswers();
    stopDetails();
    stopQuestions();
    stopRequests();
    stopAsked();
  };
}

function deleteEvery(
  checkMs: number,
  limit: number,
  deleteSome: () => Promise<number>,
): () => void {
  let isStopped = false;
  const stop = every(checkMs, () => deleteAll(limit, deleteSome, () => isStopped));
  return () => {
    isStopped = true;
    stop();
  };
}

/**
 * Deletes in short transactions of at most `limit` rows, until none is left. What cannot be deleted
 * now is deleted with the next check.
 */
async function deleteAll(
  limit: number,
  deleteSome: () => Promise<number>,
  isStopped: () => boolean,
): Promise<void> {
  while (!isStopped() && (await deleteSome().catch(() => 0)) === limit);
}
