/** Opens an index for searching: loads the model, connects, and checks that the two match. */
import { createEmbedder, type Embedder } from '../embed/embedder.ts';
import { loadModel } from '../embed/model.ts';
import type { OpenOptions } from '../store/database/connect.ts';
import { assertModel } from '../store/index/index-facts.ts';
import { openStoreForReading } from '../store/open.ts';
import type { ModelIdentity, SearchRequest } from '../types.ts';
import type { ExternalDocument } from './external-documents.ts';
import { createSearchDeps, type SearchOutcome, search, searchAll } from './search.ts';
import type { SearchLimits } from './search-limits.ts';

export interface OpenSearchOptions {
  store: OpenOptions;
  /** Folder of the model, or '' for the bundled one. */
  model: string;
  limits: SearchLimits;
}

export interface OpenSearch {
  /** `external` has the documents of the lanes, if they were asked. */
  search(request: SearchRequest, external?: readonly ExternalDocument[]): Promise<SearchOutcome>;
  /** Embeds all requests before it searches, which is faster than one search after the other. */
  searchAll(requests: readonly SearchRequest[]): Promise<PromiseSettledResult<SearchOutcome>[]>;
  /** The model of the index. */
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
      search: (request, external) => search(request, embedder, deps, external),
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
