/**
 * One search, from the query to cited sentences. The CLI and the service share it.
 *
 *   terms ──► lexical ──┐
 *                       ├─► prune ─► features ─► rank ─► deduplicate ─► cite
 *   vector ─► dense ────┘
 */
import type { Embedder, QueryEmbedding } from '../embed/embedder.ts';
import type { Encoder } from '../embed/model.ts';
import type { TermEmbeddings } from '../embed/term-embeddings.ts';
import type { Connection } from '../store/database/connection.ts';
import { createDenseRetriever } from '../store/index/dense/dense-retrieval.ts';
import { createDocumentReader } from '../store/index/documents/documents.ts';
import { createWithheldReader, type WithheldDocuments } from '../store/index/documents/withheld.ts';
import { readRevision } from '../store/index/index-facts.ts';
import { createLexicalRetriever } from '../store/index/lexical/lexical-retrieval.ts';
import { createStatisticsReader } from '../store/index/lexical/term-statistics.ts';
import type { Answer, DocumentNumber, SearchRequest } from '../types.ts';
import { type CandidateDeps, gatherCandidates } from './candidates.ts';
import { cite } from './cite.ts';
import { selectDistinctPapers } from './deduplicate.ts';
import { createExclusions } from './exclusions.ts';
import {
  cutAfterLastExternal,
  type ExternalDocument,
  mergeExternal,
} from './external-documents.ts';
import { type AllowedReader, createAllowedReader } from './filter.ts';
import { createIndexVersionReader } from './index-version.ts';
import { matchesFilter } from './lane-filter.ts';
import { createLateInteraction, type LateInteractionWith } from './late-interaction.ts';
import { type MatchQueryDeps, matchQuery, type QueryMatches } from './match-query.ts';
import { clamp, rank } from './rank.ts';
import type { Ranked } from './ranked.ts';
import type { SearchLimits } from './search-limits.ts';
import { shapeAnswer } from './shape-answer.ts';

/** The readers of a search, all on one connection. */
export interface SearchDeps extends CandidateDeps, MatchQueryDeps {
  /** Runs `work` in one read transaction, so that it sees a single state of the index. */
  inSnapshot: <Result>(work: () => Result) => Result;
  indexVersionNow: () => string;
  allowedBy: AllowedReader;
  limits: SearchLimits;
  /** The dimensions of the index's model. */
  dimensions: number;
  /** Absent if the encoder of queries has no term embeddings. */
  interactionWith: LateInteractionWith | undefined;
}

/** The milliseconds that a search spent in each of its steps. */
export interface SearchTimes {
  /**
   * Until the query's vector was there, less `words`, which runs at the same time. Queries that are
   * embedded together share the time in equal parts.
   */
  embed: number;
  /** Weighting the query's terms and looking them up. */
  words: number;
  /** Finding the documents with the nearest vectors. */
  dense: number;
  /** Reading, scoring, and sorting the candidates. */
  rank: number;
  /** Leaving out repeated papers, and choosing a sentence of each paper. */
  cite: number;
}

/** The numbers behind an answer, for `--explain`. */
export interface Explanation {
  words: string[];
  lexicalCandidates: number;
  denseCandidates: number;
  milliseconds: SearchTimes;
  results: {
    d: string;
    score: number;
    /** The score before rerank and smoothing. */
    firstScore: number;
    bm25: number;
    documentCosine: number;
    bestCosine: number;
  }[];
}

export interface SearchOutcome {
  answer: Answer;
  /** The state of the index that was searched: see index-version.ts. */
  indexVersion: string;
  explanation: Explanation;
}

const NONE: WithheldDocuments = new Map();

/** The readers of a search on one connection. `termEmbeddings` are those of the encoder of queries. */
export function createSearchDeps(
  db: Connection,
  queryEncoder: Pick<Encoder, 'sha256' | 'dimensions' | 'termEmbeddings'>,
  limits: SearchLimits,
  termEmbeddings?: TermEmbeddings,
): SearchDeps {
  const documents = createDocumentReader(db);
  return {
    limits,
    dimensions: queryEncoder.dimensions,
    interactionWith: termEmbeddings && createLateInteraction(termEmbeddings),
    inSnapshot: createSnapshotRunner(db),
    statisticsNow: createStatisticsReader(db),
    revisionNow: readRevision(db),
    indexVersionNow: createIndexVersionReader(db, queryEncoder, limits),
    documents,
    allowedBy: createAllowedReader(db, documents, limits),
    lexical: createLexicalRetriever(db, limits),
    dense: createDenseRetriever(db, queryEncoder.dimensions, limits),
    withheldNow: limits.withheldShown ? () => NONE : createWithheldReader(db),
  };
}

/**
 * Answers a validated request. The same index and request give the same answer. Documents of the
 * lanes are ranked as if they were in the index.
 */
export async function search(
  request: SearchRequest,
  embedder: Embedder,
  deps: SearchDeps,
  external: readonly ExternalDocument[] = [],
): Promise<SearchOutcome> {
  const clock = createStopwatch();
  const { embedding, matched, words } = await embedAndMatch(request, embedder, deps);
  const times = { embed: Math.max(0, clock() - words), words };
  return retrieve(request, embedding, deps, { external, matched, times });
}

/** Answers several requests, each with its own outcome. Embeds all of them before it retrieves. */
export async function searchAll(
  requests: readonly SearchRequest[],
  embedder: Embedder,
  deps: SearchDeps,
): Promise<PromiseSettledResult<SearchOutcome>[]> {
  const clock = createStopwatch();
  const begun = requests.map((request) => embedAndMatch(request, embedder, deps));
  const matching = (await Promise.allSettled(begun)).reduce(
    (sum, one) => sum + (one.status === 'fulfilled' ? one.value.words : 0),
    0,
  );
  const embed = Math.max(0, clock() - matching) / requests.length;
  return Promise.allSettled(
    begun.map(async (one, i) => {
      const { embedding, matched, words } = await one;
      const times = { embed, words };
      return retrieve(requests[i] as SearchRequest, embedding, deps, { matched, times });
    }),
  );
}

interface EmbeddedQuery {
  embedding: QueryEmbedding;
  matched: QueryMatches;
  /** Milliseconds that the lexical matches took. */
  words: number;
}

/**
 * The query's vector and its lexical matches. The tokenizer works in a thread of its own, so this
 * thread looks up the terms instead of waiting for it.
 */
async function embedAndMatch(
  { query, filter }: SearchRequest,
  embedder: Embedder,
  deps: SearchDeps,
): Promise<EmbeddedQuery> {
  const lookUp = async () => {
    const clock = createStopwatch();
    const matched = deps.inSnapshot(() => matchQuery(query, deps, deps.allowedBy(filter)));
    return { matched, words: clock() };
  };
  const [embedding, looked] = await Promise.all([embedder.embedQuery(query), lookUp()]);
  return { embedding, matched: looked.matched, words: looked.words };
}

/** Inputs that a search may already have. */
export interface Precomputed {
  /** The documents of the lanes. */
  external?: readonly ExternalDocument[];
  /** The lexical matches. They are looked up again if the index has changed since. */
  matched?: QueryMatches;
  /** What that took, for the explanation. */
  times?: Pick<SearchTimes, 'embed' | 'words'>;
}

/** The part of a search that follows the embedding of its query. */
export function retrieve(
  request: SearchRequest,
  embedding: QueryEmbedding,
  deps: SearchDeps,
  { external = [], matched: matchedBefore, times = { embed: 0, words: 0 } }: Precomputed = {},
): SearchOutcome {
  return deps.inSnapshot(() => {
    const clock = createStopwatch();
    const isCurrent = matchedBefore?.revision === deps.revisionNow();
    const allowed = deps.allowedBy(request.filter);
    const matched = isCurrent ? matchedBefore : matchQuery(request.query, deps, allowed);
    const words = times.words + clock();
    const { query } = matched;
    const { vector } = embedding;
    const exclusions = createExclusions(request.exclude ?? [], deps.documents);
    const view = withoutDocuments(deps, exclusions.documents);
    const { all, lexicalCount, denseCount, denseMs } = gatherCandidates(
      { matched, vector, results: request.limit, allowed },
      view,
    );
    const admitted = external.filter(
      ({ source }) => !exclusions.hasExternal(source) && matchesFilter(source, request.filter),
    );
    const pool = mergeExternal(admitted, {
      query,
      vector,
      local: all,
      documents: deps.documents,
      withheld: view.withheldNow(),
    });
    const interaction = deps.interactionWith?.(query, embedding.words);
    const ranked = rank(pool.candidates, query, { interaction });
    const ranking = clock() - denseMs;
    const papers = selectDistinctPapers(ranked, pool.documents, request.limit);
    const top = cutAfterLastExternal(papers.ranked);
    const results = cite(top, papers.documents, request);
    const best = all.reduce((most, { cosines }) => Math.max(most, bestUnitCosine(cosines)), 0);
    return {
      answer: shapeAnswer(
        { n: results.length, c: Math.round(clamp(best) * 1000) / 1000, results },
        request,
      ),
      indexVersion: deps.indexVersionNow(),
      explanation: {
        words: query.terms.map(({ word }) => word),
        lexicalCandidates: lexicalCount,
        denseCandidates: denseCount,
        milliseconds: rounded({ ...times, words, dense: denseMs, rank: ranking, cite: clock() }),
        results: results.map(({ d }, at) => explain(d, top[at] as Ranked)),
      },
    };
  });
}

/** The same readers, which also withhold these documents and find others instead. */
export function withoutDocuments(
  deps: SearchDeps,
  excluded: ReadonlySet<DocumentNumber>,
): SearchDeps {
  if (excluded.size === 0) return deps;
  const { limits } = deps;
  const withheld = new Map<DocumentNumber, unknown>(deps.withheldNow());
  for (const document of excluded) withheld.set(document, 'excluded');
  const denseCandidatesMax = limits.denseCandidatesMax + excluded.size;
  return {
    ...deps,
    withheldNow: () => withheld,
    limits: { ...limits, denseCandidatesMax },
  };
}

/** The highest cosine among the title and the sentences. */
export function bestUnitCosine(cosines: Float64Array): number {
  let best = 0;
  for (let i = 1; i < cosines.length; i++) best = Math.max(best, cosines[i] as number);
  return best;
}

export function explain(d: string, ranked: Ranked): Explanation['results'][number] {
  const { score, firstScore, candidate } = ranked;
  const { bm25, cosines } = candidate;
  const [documentCosine = 0] = cosines;
  return { d, score, firstScore, bm25, documentCosine, bestCosine: bestUnitCosine(cosines) };
}

/** The times, each to the microsecond. */
export function rounded({ embed, words, dense, rank, cite }: SearchTimes): SearchTimes {
  const round = (milliseconds: number): number => Math.round(milliseconds * 1000) / 1000;
  return {
    embed: round(embed),
    words: round(words),
    dense: round(dense),
    rank: round(rank),
    cite: round(cite),
  };
}

/** Prepares the transaction once, because that takes longer than to begin and end it. */
function createSnapshotRunner(db: Connection): SearchDeps['inSnapshot'] {
  const run = db.transaction((work: () => unknown) => work());
  return <Result>(work: () => Result) => run(work) as Result;
}

/** A function that returns the milliseconds since its last call. */
export function createStopwatch(): () => number {
  let last = performance.now();
  return () => {
    const now = performance.now();
    const passed = now - last;
    last = now;
    return passed;
  };
}
