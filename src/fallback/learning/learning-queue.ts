/**
 * Hands what lanes returned to a lane thread, a few documents at a time, to be learned. Nobody waits
 * for it, and what there is no room for is not missed: it comes again with the next question.
 */
import { setTimeout as wait } from 'node:timers/promises';
import { detailsOf } from '../../errors.ts';
import type { Log } from '../../log.ts';
import type { LaneDocument } from '../lane/lane.ts';
import type { LearnCounts } from './learn.ts';

export interface LearningQueue {
  /** Takes those documents that may be kept and have an abstract, as far as there is room. */
  offer(documents: readonly LaneDocument[]): void;
  /** Learns what waits, for so long at most, then finishes the transaction under way. */
  close(waitMs: number): Promise<void>;
}

export interface LearningQueueDeps {
  /** Adds documents in one transaction; one call at a time. */
  learn: (documents: readonly LaneDocument[]) => Promise<LearnCounts>;
  log: Log;
  limits: { learnQueueMax: number; learnBatchMax: number; learnRetryDelayMs: number };
}

export function createLearningQueue({ learn, log, limits }: LearningQueueDeps): LearningQueue {
  // By id: popular papers come with many questions.
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
  /** Undefined where it failed in a way that trying again would not mend. */
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
      // With nothing to learn, learnAll would end before its promise is assigned.
      if (waiting.size > 0) learning ??= learnAll();
    },
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
