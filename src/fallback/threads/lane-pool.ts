/** The threads that score and learn what lanes return. */

import { createPool, type ThreadPool } from '../../workers/pool.ts';
import type { LaneResult, LaneTask, LaneWorkerOptions } from './lane-worker.ts';

/** `queueMax`: tasks that wait for a thread at most. */
export function createLanePool(
  data: LaneWorkerOptions,
  { threads, queueMax }: { threads: number; queueMax: number },
): ThreadPool<LaneTask, LaneResult> {
  return createPool({ threads, queueMax, data: { role: 'lanes', ...data } });
}
