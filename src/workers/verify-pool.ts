/**
 * The pool of threads that verify. They start with the first call, because most servers never verify
 * anything, and a thread takes memory.
 */
import type { SourceOptions } from '../index-source/open/open-source.ts';
import type { VerifyItem } from '../verify/open-verify.ts';
import { createPool, type PoolOptions, type ThreadData, type ThreadPool } from './pool.ts';
import type { VerifiedItems } from './verify-worker.ts';

export interface VerifyPool {
  /** Rejects with `at_capacity` if the pool is full or closing. */
  run(items: VerifyItem[]): Promise<VerifiedItems>;
  close(): Promise<void>;
}

/** `queueMax`: calls that may wait for a thread. */
export function createVerifyPool(
  data: SourceOptions,
  options: Omit<PoolOptions<ThreadData>, 'data'>,
): VerifyPool {
  let pool: ThreadPool<VerifyItem[], VerifiedItems> | undefined;
  const start = (): ThreadPool<VerifyItem[], VerifiedItems> =>
    createPool({ ...options, data: { role: 'verify', ...data } });
  return {
    run(items) {
      pool ??= start();
      return pool.run(items);
    },
    close: async () => pool?.close(),
  };
}
