/** The fallback lanes of a service: the threads that score what they return, and learning. */

import type { Settings } from '../config.ts';
import { detailsOf } from '../errors.ts';
import type { LaneName } from '../lane-choice.ts';
import type { Log } from '../log.ts';
import type { OpenOptions } from '../store/database/open.ts';
import type { Answer } from '../types.ts';
import { createFallback, type Fallback, type ScoringTask } from './fallback.ts';
import type { LaneState, Lanes } from './lane/lane.ts';
import type { LearnCounts } from './learning/learn.ts';
import { createLearningQueue } from './learning/learning-queue.ts';
import { boundConcurrency } from './scoring/bounded-concurrency.ts';
import { coalesceScorings } from './scoring/coalesce-scorings.ts';
import { dropWithheld } from './scoring/drop-withheld.ts';
import { createLanePool } from './threads/lane-pool.ts';
import { createLaneScoring } from './threads/lane-scoring.ts';

/** The lanes as the endpoints see them. */
export interface ServiceLanes {
  /** Those that are on. */
  names: readonly LaneName[];
  fallback: Fallback<Answer>;
  states: () => LaneState[];
}

export interface RunningFallback extends ServiceLanes {
  /** Resolves when every thread can score. */
  warmUp(): Promise<void>;
  /** Learns for so long at most what is still to be learned, then ends threads and lanes. */
  close(waitMs: number): Promise<void>;
}

export interface FallbackOptions {
  settings: Settings;
  store: OpenOptions;
  log: Log;
  lanes: Lanes;
}

export function startFallback({ settings, store, log, lanes }: FallbackOptions): RunningFallback {
  const threads = settings.laneThreads;
  const scoringsMax = threads * settings.laneScoringsPerThreadMax;
  const pool = createLanePool(
    { store, model: settings.model, limits: settings, scoring: settings, learning: settings },
    // What warms up, what is embedded on idle threads, what is scored, and one batch to learn.
    { threads, queueMax: 2 * threads + scoringsMax + 1 },
  );
  const scoring = createLaneScoring(pool, threads);
  const learner =
    settings.learn === 1
      ? createLearningQueue({
          learn: async (documents) => (await pool.run({ kind: 'learn', documents })) as LearnCounts,
          log,
          limits: settings,
        })
      : undefined;
  // What a search has admitted comes by `onDocuments`; nobody has looked at this.
  lanes.onLateDocuments((documents) => learner?.offer(dropWithheld(documents)));
  const fallback = createFallback({
    lanes,
    limits: settings,
    score: coalesceScorings(
      boundConcurrency(scoringsMax, (task: ScoringTask) => scoring.score(task)),
    ),
    embed: scoring.embedWhenIdle,
    onDocuments: (documents) => learner?.offer(documents),
    onError: (error) => log.error('lanes_failed', { reason: detailsOf(error) }),
  });
  return {
    names: lanes.names,
    fallback,
    states: () => lanes.states(),
    async warmUp() {
      const nothing = { kind: 'learn', documents: [] } as const;
      await Promise.all(Array.from({ length: threads }, () => pool.run(nothing)));
    },
    async close(waitMs) {
      await learner?.close(waitMs);
      await lanes.close();
      await pool.close();
    },
  };
}
