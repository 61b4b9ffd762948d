/** Opens an index for searching: loads the model, connects, and checks that the two match. */

import type { IndexPlace } from '../index/open/index-place.ts';
import { openIndex } from '../index/open/open-index.ts';
import type { IndexSource } from '../index/ports/index-source.ts';
import type { OnDamage } from '../index/ports/report-damaged.ts';
import { createEmbedder, type Embedder } from '../text/embed/embedder.ts';
import { openReranker } from '../text/embed/hub/reranker.ts';
import { loadModel, type Model } from '../text/embed/model.ts';
import { readTermEmbeddings } from '../text/embed/term-embeddings.ts';
import type { ModelIdentity, SearchRequest, SimilarRequest } from '../types.ts';
import type { ExternalDocument } from './external-documents.ts';
import { openFollowing } from './followed-model.ts';
import type { IndexVersionOf } from './index-version.ts';
import { createSearchDeps, type SearchOutcome, search, searchAll } from './search.ts';
import type { SearchLimits } from './search-limits.ts';
import { findSimilar } from './similar.ts';

export interface OpenSearchOptions {
  store: IndexPlace;
  /** Folder of the model, or '' for the bundled one. */
  model: string;
  /** Folder of the reranker; '' without one. */
  reranker?: string;
  limits: SearchLimits;
  /** Whether to open the model to which `index reembed` has moved the index, if the given one does not fit. */
  followsIndex?: boolean;
}

export interface OpenSearch {
  /** `external` has the documents of the lanes, if they were asked. */
  search(request: SearchRequest, external?: readonly ExternalDocument[]): Promise<SearchOutcome>;
  /** Embeds all requests before it searches, which is faster than one search after the other. */
  searchAll(requests: readonly SearchRequest[]): Promise<PromiseSettledResult<SearchOutcome>[]>;
  /** Rejects with `unknown_paper` and `bad_request`. */
  similar(request: SimilarRequest): Promise<SearchOutcome>;
  /** The model of the index. */
  model: ModelIdentity;
  /** Embeds queries. It also embeds documents that are compared with a query and not kept. */
  embedder: Embedder;
  /** Loads the embedder of the index's documents on its first call. */
  documentEmbedder(): Promise<Embedder>;
  /** Names a state of the index: see index-version.ts. */
  indexVersionOf: IndexVersionOf;
  /** The index, for other readers of the same thread. */
  source: Pick<IndexSource, 'view' | 'refresh' | 'figures'>;
  close(): Promise<void>;
}

/** `onDamage`: as in `SourceOptions`. Rejects with `model_unusable`, `database_unusable` or `model_mismatch`. */
export async function openSearch(
  options: OpenSearchOptions,
  onDamage?: OnDamage,
): Promise<OpenSearch> {
  const { reranker: folder = '', limits } = options;
  const { loaded, source } = await openSource(options, onDamage);
  try {
    const { queryEncoder } = loaded;
    const embedder = await createEmbedder(queryEncoder);
    const termEmbeddings = readTermEmbeddings(queryEncoder);
    const reranker = folder === '' ? undefined : await openReranker(folder);
    const deps = createSearchDeps(source, queryEncoder, limits, { termEmbeddings, reranker });
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
      indexVersionOf: deps.indexVersionOf,
      source,
      close: source.close,
    };
  } catch (error) {
    await source.close();
    throw error;
  }
}

async function openSource(
  { store, model, limits, followsIndex = false }: OpenSearchOptions,
  onDamage?: OnDamage,
): Promise<{ loaded: Model; source: IndexSource }> {
  const index = await openIndex(store);
  const given = loadModel(model);
  const open = async (fitting: Model) => {
    const loaded = fitting === given ? given : loadModel(fitting.folder);
    const asked = { limits, model: loaded, staysWithModel: true, onDamage };
    return { loaded, source: await index.source(asked) };
  };
  return followsIndex ? openFollowing(index, { model: given, limits }, open) : open(given);
}
