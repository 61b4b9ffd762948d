/**
 * The threads that read accounts for the operator. They start with the first read, because a
 * server without operators needs none, and a thread takes memory.
 */

import {
  createPool,
  type PoolOptions,
  type ThreadData,
  type ThreadPool,
} from '../../workers/pool.ts';
import type { OperatorRead } from '../sqlite/ledger/read-as-operator.ts';
import type { OperatorReadWorkerOptions } from './operator-read-worker.ts';

export interface OperatorReadPool {
  /** Rejects with `at_capacity` if the pool is full or closing. */
  run(read: OperatorRead): Promise<unknown>;
  close(): Promise<void>;
}

/** `queueMax`: reads that may wait for a thread. */
export function createOperatorReadPool(
  data: OperatorReadWorkerOptions,
  options: Omit<PoolOptions<ThreadData>, 'data'>,
): OperatorReadPool {
  let pool: ThreadPool<OperatorRead, unknown> | undefined;
  return {
    run(read) {
      pool ??= createPool({ ...options, data: { role: 'operator', ...data } });
      return pool.run(read);
    },
    close: async () => pool?.close(),
  };
}
