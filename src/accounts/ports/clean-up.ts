/**
 * Deletes what has expired, in the background: stored answers, details of usage, questions, requests, and
 * customers who never confirmed their address.
 */

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
    | 'deleteUnconfirmed'
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
  unconfirmedDaysMax: number;
}

const DAY_MS = 86_400_000;

/** Starts the deletions. Returns the function that stops them. */
export function cleanUp(options: CleanUpOptions): () => void {
  const { store, expiredAnswersDeletedMax, usageDetailDaysMax, usageDetailsDeletedMax } = options;
  const details = (): Promise<number> => {
    const before = dayOf(Date.now() - usageDetailDaysMax * DAY_MS);
    return store.deleteOldMeasures({ before, limit: usageDetailsDeletedMax });
  };
  const questions = (): Promise<number> => {
    const ageMsMax = options.keepQuestions ? options.keptQuestionDaysMax * DAY_MS : 0;
    const before = Date.now() - ageMsMax;
    return store.deleteOldQuestions({ before, limit: usageDetailsDeletedMax });
  };
  const requests = (): Promise<number> =>
    store.deleteOldRequests({
      before: Date.now() - options.requestDays * DAY_MS,
      requestsMax: options.requestsMax,
      limit: usageDetailsDeletedMax,
    });
  const asked = (): Promise<number> =>
    store.forgetAsked({ now: Date.now(), limit: usageDetailsDeletedMax });
  const unconfirmed = (): Promise<number> => {
    const now = Date.now();
    const before = now - options.unconfirmedDaysMax * DAY_MS;
    return store.deleteUnconfirmed({ before, now, limit: expiredAnswersDeletedMax });
  };
  const stops = [
    deleteEvery(options.expiredAnswersCheckMs, expiredAnswersDeletedMax, () =>
      store.deleteExpiredAnswers({ now: Date.now(), limit: expiredAnswersDeletedMax }),
    ),
    ...[details, questions, requests, asked].map((deleteSome) =>
      deleteEvery(options.usageDetailCheckMs, usageDetailsDeletedMax, deleteSome),
    ),
    // Few at once: each of them takes several statements.
    deleteEvery(options.usageDetailCheckMs, expiredAnswersDeletedMax, unconfirmed),
  ];
  // Whoever no longer wants questions to be kept need not wait for the first check.
  if (!options.keepQuestions) void deleteAll(usageDetailsDeletedMax, questions, () => false);
  return () => {
    for (const stop of stops) stop();
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
