/** The pool of search threads. */

import type { IndexSummary } from '../../index/facets/index-summary.ts';
import { type BatchingPool, inBatches } from '../../workers/batching.ts';
import type { Outcome } from '../../workers/outcome.ts';
import {
  createPool,
  type PoolCounts,
  type PoolOptions,
  type ThreadData,
  type ThreadPool,
} from '../../workers/pool.ts';
import type { ExplainedResult } from '../explain-quote.ts';
import type { OpenSearchOptions } from '../open-search.ts';
import type { ChangesRequest, ListedChanges } from '../papers/list-changes.ts';
import type {
  ExplainRequest,
  IndexAnswer,
  IndexRequest,
  LocalAnswer,
  PapersAnswer,
  PapersRequest,
  SummaryRequest,
} from './search-worker.ts';

export interface SearchPoolOptions {
  threads: number;
  /** Searches that may wait for a thread. */
  queueMax: number;
  /** Searches per batch. */
  batchMax: number;
  onThreadDied?: PoolOptions<ThreadData>['onThreadDied'];
  onDamage?: PoolOptions<ThreadData>['onDamage'];
}

/** What a request is answered with. */
type AnswerTo<Request> = Request extends SummaryRequest
  ? IndexSummary
  : Request extends PapersRequest
    ? PapersAnswer
    : Request extends ChangesRequest
      ? ListedChanges
      : Request extends ExplainRequest
        ? ExplainedResult[]
        : LocalAnswer;

export interface SearchPool extends Omit<BatchingPool<IndexRequest, IndexAnswer>, 'run'> {
  run<Request extends IndexRequest>(request: Request): Promise<AnswerTo<Request>>;
  counts(): PoolCounts;
}

export function createSearchPool(data: OpenSearchOptions, options: SearchPoolOptions): SearchPool {
  const { threads, onThreadDied, onDamage } = options;
  const pool: ThreadPool<IndexRequest[], Outcome<IndexAnswer>[]> = createPool({
    threads,
    queueMax: threads,
    onThreadDied,
    onDamage,
    data: { role: 'search', ...data },
  });
  const batches = inBatches(pool, options);
  return {
    ...batches,
    run: (request) => batches.run(request) as Promise<AnswerTo<typeof request>>,
    counts: () => pool.counts(),
  };
}
