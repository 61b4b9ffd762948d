/** Opens an index for searching: loads the model, connects, and checks that the two match. */
import { createEmbedder, type Embedder } from '../embed/embedder.ts';
import { loadModel } from '../embed/model.ts';
import type { OpenOptions } from '../store/database/connect.ts';
import type { Connection } from '../store/database/connection.ts';
import { assertModel } from '../store/index/index-facts.ts';
import { openStoreForReading } from '../store/open.ts';
import type { ModelIdentity, SearchRequest, SimilarRequest } from '../types.ts';
import type { ExternalDocument } from './external-documents.ts';
import { createSearchDeps, type SearchOutcome, search, searchAll } from './search.ts';
import type { SearchLimits } from './search-limits.ts';
import { findSimilar } from './similar.ts';

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
  /** Throws `unknown_paper` and `bad_request`. */
  similar(request: SimilarRequest): SearchOutcome;
  /** The model of the index. */
  model: ModelIdentity;
  /** Embeds queries. It also embeds documents that are compared with a query and not kept. */
  embedder: Embedder;
  /** Loads the embedder of the index's documents on its first call. */
  documentEmbedder(): Promise<Embedder>;
  /** Names the state of the index: see index-version.ts. */
  indexVersion(): string;
  /** The connection, for other readers of the same thread. */
  db: Connection;
  close(): void;
}

/** Throws `model_unusable`, `database_unusable` or `model_mismatch`. */
export async function openSearch({ store, model, limits }: OpenSearchOptions): Promise<OpenSearch> {
  const loaded = loadModel(model);
  const db = openStoreForReading(store);
  try {
    assertModel(db, loaded);
    const { queryEncoder } = loaded;
    const embedder = await createEmbedder(queryEncoder);
    const deps = createSearchDeps(db, queryEncoder, limits);
    let documentEmbedder: Promise<Embedder> | undefined;
    return {
      search: (request, external) => search(request, embedder, deps, external),
      searchAll: (requests) => searchAll(requests, embedder, deps),
      similar: (request) => findSimilar(request, deps),
      model: loaded,
      embedder,
      documentEmbedder: () => {
        const isSame = queryEncoder.sha256 === loaded.sha256;
        documentEmbedder ??= isSame ? Promise.resolve(embedder) : createEmbedder(loaded);
        return documentEmbedder;
      },
      indexVersion: deps.indexVersionNow,
      db,
      close: () => db.close(),
    };
  } catch (error) {
    db.close();
    throw error;
  }
}
