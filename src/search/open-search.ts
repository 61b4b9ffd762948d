/** Opens an index for searching: loads the model, connects, and checks that the two match. */
import { createEmbedder, type Embedder } from '../embed/embedder.ts';
import { loadModel } from '../embed/model.ts';
import { readTermEmbeddings } from '../embed/term-embeddings.ts';
import { assertModel } from '../store/index/index-facts.ts';
import { type IndexOptions, type OpenIndex, openIndex } from '../store/open-index.ts';
import type { ModelIdentity, SearchRequest, SimilarRequest } from '../types.ts';
import type { ExternalDocument } from './external-documents.ts';
import { createSearchDeps, type SearchOutcome, search, searchAll } from './search.ts';
import type { SearchLimits } from './search-limits.ts';
import { findSimilar } from './similar.ts';

export interface OpenSearchOptions {
  store: IndexOptions;
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
  /** The index, for other readers of the same thread. */
  index: Pick<OpenIndex, 'reading' | 'refresh'>;
  close(): void;
}

/** Throws `model_unusable`, `database_unusable` or `model_mismatch`. */
export async function openSearch({ store, model, limits }: OpenSearchOptions): Promise<OpenSearch> {
  const loaded = loadModel(model);
  const index = openIndex(store, (db) => assertModel(db, loaded));
  try {
    const { queryEncoder } = loaded;
    const embedder = await createEmbedder(queryEncoder);
    const termEmbeddings = readTermEmbeddings(queryEncoder);
    const deps = index.reading((db) => createSearchDeps(db, queryEncoder, limits, termEmbeddings));
    let documentEmbedder: Promise<Embedder> | undefined;
    return {
      search: (request, external) => search(request, embedder, deps(), external),
      searchAll: (requests) => searchAll(requests, embedder, deps()),
      similar: (request) => findSimilar(request, deps()),
      model: loaded,
      embedder,
      documentEmbedder: () => {
        const isSame = queryEncoder.sha256 === loaded.sha256;
        documentEmbedder ??= isSame ? Promise.resolve(embedder) : createEmbedder(loaded);
        return documentEmbedder;
      },
      indexVersion: () => deps().indexVersionNow(),
      index,
      close: index.close,
    };
  } catch (error) {
    index.close();
    throw error;
  }
}
