/**
 * The queue of documents to learn. It hands them to a lane thread in small batches. Documents beyond
 * its bound are dropped, because they come again with the next question.
 */
import { setTimeout as wait } from 'node:timers/promises';
import { detailsOf } from '../../errors.ts';
import type { Log } from '../../log.ts';
import type { LaneDocument } from '../lane/lane.ts';
import type { LearnCounts } from './learn.ts';

export interface LearningQueue {
  /** Enqueues the documents that may be stored and have an abstract, as long as there is room. */
  offer(documents: readonly LaneDocument[]): void;
  /** The number of documents that wait. */
  waiting(): number;
  /** Learns what waits for at most this long, then finishes the running transaction. */
  close(waitMs: number): Promise<void>;
}

export interface LearningQueueDeps {
  /** Adds documents in one transaction. Calls do not overlap. */
  learn: (documents: readonly LaneDocument[]) => Promise<LearnCounts>;
  log: Pick<Log, 'info' | 'error'>;
  limits: { learnQueueMax: number; learnBatchMax: number; learnRetryDelayMs: number };
}

export function createLearningQueue({ learn, log, limits }: LearningQueueDeps): LearningQueue {
  // By id, because popular papers come with many questions.
  const waiting = new Map<string, LaneDocument>();
  const stopping = new AbortController();
  let learning: Promise<void> | undefined;
  let isClosed = false;

  const learnAll = async (): Promise<void> => {
    while (waiting.size > 0 && !stopping.signal.aborted) {
      const batch = [...waiting.values()].slice(0, limits.learnBatchMax);
      const counts = await learnBatch(batch);
      if (counts?.isBusy) {
        await wait(limits.learnRetryDelayMs, undefined, { signal: stopping.signal }).catch(
          () => {},
        );
        continue;
      }
      for (const { id } of batch) waiting.delete(id);
      if (counts !== undefined && counts.added > 0)
        log.info('learned', { documents: counts.added });
    }
    learning = undefined;
  };
  /** Undefined after an error that a retry would not fix. */
  const learnBatch = async (batch: readonly LaneDocument[]): Promise<LearnCounts | undefined> => {
    try {
      return await learn(batch);
    } catch (error) {
      log.error('learning_failed', { documents: batch.length, reason: detailsOf(error) });
      return undefined;
    }
  };

  return {
    offer(documents) {
      if (isClosed) return;
      for (const document of documents) {
        if (!document.isStorable || document.abstract === '') continue;
        if (waiting.size < limits.learnQueueMax) waiting.set(document.id, document);
      }
      // Without documents, learnAll would end before its promise is assigned.
      if (waiting.size > 0) learning ??= learnAll();
    },
    waiting: () => waiting.size,
    async close(waitMs) {
      isClosed = true;
      if (learning === undefined) return;
      const timer = setTimeout(() => stopping.abort(), waitMs);
      await learning;
      clearTimeout(timer);
      if (waiting.size > 0) log.info('not_learned', { documents: waiting.size });
    },
  };
}
