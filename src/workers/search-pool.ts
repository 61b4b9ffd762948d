/** The pool of search threads. */
import type { OpenSearchOptions } from '../search/open-search.ts';
import type { SearchRequest } from '../types.ts';
import { type BatchingPool, inBatches } from './batching.ts';
import type { Outcome } from './outcome.ts';
import {
  createPool,
  type PoolCounts,
  type PoolOptions,
  type ThreadData,
  type ThreadPool,
} from './pool.ts';
import type { LocalAnswer } from './search-worker.ts';

export interface SearchPoolOptions {
  threads: number;
  /** Searches that may wait for a thread. */
  queueMax: number;
  /** Searches per batch. */
  batchMax: number;
  onThreadDied?: PoolOptions<ThreadData>['onThreadDied'];
}

export interface SearchPool extends BatchingPool<SearchRequest, LocalAnswer> {
  counts(): PoolCounts;
}

export function createSearchPool(data: OpenSearchOptions, options: SearchPoolOptions): SearchPool {
  const { threads, onThreadDied } = options;
  const pool: ThreadPool<SearchRequest[], Outcome<LocalAnswer>[]> = createPool({
    threads,
    queueMax: threads,
    onThreadDied,
    data: { role: 'search', ...data },
  });
  return { ...inBatches(pool, options), counts: () => pool.counts() };
}
