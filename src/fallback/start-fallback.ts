/** The fallback lanes of a service: the threads that score what they return, and learning. */

import type { Settings } from '../config.ts';
import { detailsOf } from '../errors.ts';
import type { LaneName } from '../lane-choice.ts';
import type { Log } from '../log.ts';
import type { OpenOptions } from '../store/database/open.ts';
import type { Answer } from '../types.ts';
import { admitFound } from './asking/admit-found.ts';
import { atMost } from './asking/at-most.ts';
import { createFallback, type Fallback, type ScoringTask } from './asking/fallback.ts';
import { shareScorings } from './asking/share-scorings.ts';
import type { LaneState, Lanes } from './lanes/lane.ts';
import type { LearnCounts } from './learning/learn.ts';
import { createLearner } from './learning/learner.ts';
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
      ? createLearner({
          learn: async (documents) => (await pool.run({ kind: 'learn', documents })) as LearnCounts,
          log,
          limits: settings,
        })
      : undefined;
  // What a search has admitted comes by `onDocuments`; nobody has looked at this.
  lanes.onLate((documents) => learner?.offer(admitFound(documents)));
  const fallback = createFallback({
    lanes,
    limits: settings,
    score: shareScorings(atMost(scoringsMax, (task: ScoringTask) => scoring.score(task))),
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
