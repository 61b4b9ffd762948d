/** Opens an index for searching: the model, the connection, and that the two belong together. */
import { createEmbedder, type Embedder } from '../embed/embedder.ts';
import { loadModel } from '../embed/model.ts';
import type { OpenOptions } from '../store/database/open.ts';
import { assertModel } from '../store/index/index-facts.ts';
import { openStoreForReading } from '../store/open.ts';
import type { ModelIdentity, SearchRequest } from '../types.ts';
import type { FoundDocument } from './found-documents.ts';
import {
  createSearchDeps,
  type SearchLimits,
  type SearchOutcome,
  search,
  searchAll,
} from './search.ts';

export interface OpenSearchOptions {
  store: OpenOptions;
  /** Folder of the model, '' for the one that comes with Verbatim. */
  model: string;
  limits: SearchLimits;
}

export interface OpenSearch {
  /** `found`: what the lanes have found, if they were asked. */
  search(request: SearchRequest, found?: readonly FoundDocument[]): Promise<SearchOutcome>;
  /** The same of several requests: all are embedded first, which is faster than one by one. */
  searchAll(requests: readonly SearchRequest[]): Promise<PromiseSettledResult<SearchOutcome>[]>;
  /** The model of the index, for whoever has more to embed. */
  model: ModelIdentity;
  embedder: Embedder;
  close(): void;
}

/** Throws `model_unusable`, `database_unusable` or `model_mismatch`. */
export async function openSearch({ store, model, limits }: OpenSearchOptions): Promise<OpenSearch> {
  const loaded = loadModel(model);
  const db = openStoreForReading(store);
  try {
    assertModel(db, loaded);
    const embedder = await createEmbedder(loaded);
    const deps = createSearchDeps(db, loaded.dimensions, limits);
    return {
      search: (request, found) => search(request, embedder, deps, found),
      searchAll: (requests) => searchAll(requests, embedder, deps),
      model: loaded,
      embedder,
      close: () => db.close(),
    };
  } catch (error) {
    db.close();
    throw error;
  }
}
