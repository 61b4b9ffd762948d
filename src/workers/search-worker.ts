/** Embeds queries and searches, each thread with its own connection and model. */
import { createEmbedder } from '../embed/embedder.ts';
import { loadModel } from '../embed/model.ts';
import {
  createSearchParts,
  type SearchLimits,
  type SearchOutcome,
  search,
} from '../search/search.ts';
import { assertModel } from '../store/index-facts.ts';
import { type OpenOptions, openStoreForReading } from '../store/open.ts';
import type { SearchRequest } from '../types.ts';
import { createPool, type Pool } from './pool.ts';

export interface SearchWorkerData {
  store: OpenOptions;
  model: string;
  limits: SearchLimits;
}

export type SearchHandler = (request: SearchRequest) => Promise<SearchOutcome>;

export async function createSearchHandler(data: SearchWorkerData): Promise<SearchHandler> {
  const model = loadModel(data.model);
  const db = openStoreForReading(data.store);
  assertModel(db, model);
  const parts = createSearchParts(db, await createEmbedder(model), data.limits);
  return (request) => search(request, parts);
}

/** Threads that search. `queueMax`: searches that wait for a thread at most. */
export function createSearchPool(
  data: SearchWorkerData,
  { threads, queueMax }: { threads: number; queueMax: number },
): Pool<SearchRequest, SearchOutcome> {
  return createPool({ ...{ threads, queueMax }, data: { role: 'search', ...data } });
}
