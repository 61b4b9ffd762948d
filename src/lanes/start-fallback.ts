/** Puts the fallback of a service together: lanes, the threads that score, and learning. */

import type { DamageRegister } from '../database/damage/damage-register.ts';
import type { OpenOptions } from '../database/sqlite/connect.ts';
import { detailsOf } from '../errors.ts';
import type { IndexPlace } from '../index/open/index-place.ts';
import type { Log } from '../log.ts';
import type { Settings } from '../settings/config.ts';
import type { LaneName } from '../settings/lane-choice.ts';
import type { Answer } from '../types.ts';
import { inTurn } from '../workers/in-turn.ts';
import { createPool, logDeath, type PoolCounts, type ThreadPool } from '../workers/pool.ts';
import { createFallback, type Fallback } from './fallback.ts';
import type { LaneState, Lanes, LookedUp, LookUpOptions, SoughtReference } from './lane/lane.ts';
import type { LearnCounts } from './learning/learn.ts';
import { createLearningQueue } from './learning/learning-queue.ts';
import { boundConcurrency } from './scoring/bounded-concurrency.ts';
import { coalesceScorings } from './scoring/coalesce-scorings.ts';
import type { ScoringTask } from './scoring/scoring-task.ts';
import { dropWithheld } from './scoring/select-documents.ts';
import { createLaneScoring } from './threads/lane-scoring.ts';
import type { LaneResult, LaneTask, LaneWorkerOptions } from './threads/lane-worker.ts';

export interface LookUpTask {
  reference: SoughtReference;
  options: LookUpOptions;
}

/** The lanes as the HTTP endpoints see them. */
export interface ServiceLanes {
  /** The lanes that are on. */
  names: readonly LaneName[];
  fallback: Fallback<Answer>;
  /** Looks up a reference. Owners take turns. Rejects with `at_capacity` if too many wait. */
  lookUp: (task: LookUpTask, owner: number) => Promise<LookedUp>;
  states: () => LaneState[];
}

export interface RunningFallback extends ServiceLanes {
  /** Resolves when all threads can score. */
  warmUp(): Promise<void>;
  /** For metrics; `learning` is the number of documents that wait to be learned. */
  counts(): { pool: PoolCounts; learning: number };
  /** Learns for at most this long what still waits, then stops the threads and the lanes. */
  close(waitMs: number): Promise<void>;
}

export interface FallbackOptions {
  settings: Settings;
  store: IndexPlace;
  /** The database that learned documents join. */
  learnInto: OpenOptions;
  log: Log;
  damage: Pick<DamageRegister, 'report'>;
  lanes: Lanes;
}

export function startFallback(options: FallbackOptions): RunningFallback {
  const { settings, log, lanes } = options;
  const threads = settings.laneThreads;
  const scoringsMax = threads * settings.laneScoringsPerThreadMax;
  const pool = startPool(options, scoringsMax);
  const scoring = createLaneScoring(pool, threads);
  const learningQueue = settings.learn
    ? createLearningQueue({
        learn: async (documents) => (await pool.run({ kind: 'learn', documents })) as LearnCounts,
        log,
        limits: settings,
      })
    : undefined;
  // A search filters its documents before `onDocuments`; nothing has filtered these.
  lanes.onLateDocuments((documents) => learningQueue?.offer(dropWithheld(documents)));
  const fallback = createFallback({
    lanes,
    limits: settings,
    score: coalesceScorings(
      boundConcurrency(scoringsMax, (task: ScoringTask) => scoring.score(task)),
    ),
    embed: scoring.embedWhenIdle,
    onDocuments: (documents) => learningQueue?.offer(documents),
    onError: (error, requestId) =>
      log.error('lanes_failed', { request_id: requestId, reason: detailsOf(error) }),
  });
  const lookUps = inTurn<LookUpTask, LookedUp>(
    {
      async run({ reference, options }) {
        const lookedUp = await lanes.lookUp(reference, options);
        learningQueue?.offer(dropWithheld(lookedUp.documents));
        return lookedUp;
      },
      close: async () => {},
    },
    { threads: settings.lookUpsInFlightMax, queueMax: settings.lookUpsWaitingMax },
  );
  return {
    names: lanes.names,
    fallback,
    lookUp: lookUps.run,
    states: () => lanes.states(),
    async warmUp() {
      const nothing = { kind: 'learn', documents: [] } as const;
      await Promise.all(Array.from({ length: threads }, () => pool.run(nothing)));
    },
    counts: () => ({ pool: pool.counts(), learning: learningQueue?.waiting() ?? 0 }),
    async close(waitMs) {
      await learningQueue?.close(waitMs);
      await Promise.all([lookUps.close(), lanes.close()]);
      await pool.close();
    },
  };
}

function startPool(
  { settings, store, learnInto, log, damage }: FallbackOptions,
  scoringsMax: number,
): ThreadPool<LaneTask, LaneResult> {
  const threads = settings.laneThreads;
  const options: LaneWorkerOptions = {
    store,
    learnInto,
    model: settings.model,
    limits: settings,
    followsIndex: true,
    scoring: settings,
    learning: settings,
  };
  return createPool({
    threads,
    // Room for warming up, for speculative embedding, for scoring, and for one batch to learn.
    queueMax: 2 * threads + scoringsMax + 1,
    data: { role: 'lanes', ...options },
    onThreadDied: logDeath(log),
    onDamage: damage.report,
  });
}
