/**
 * One search, from the query to cited sentences. The CLI and the service share it.
 *
 *   terms ──► lexical ──┐
 *                       ├─► prune ─► features ─► rank ─► deduplicate ─► cite
 *   vector ─► dense ────┘
 */
import type { Embedder } from '../embed/embedder.ts';
import type { Connection } from '../store/database/connection.ts';
import { createDenseRetriever, type DenseLimits } from '../store/index/dense/dense-retrieval.ts';
import { createDocumentReader } from '../store/index/documents/documents.ts';
import { createWithheldReader, type WithheldDocuments } from '../store/index/documents/withheld.ts';
import { readRevision } from '../store/index/index-facts.ts';
import { createLexicalRetriever } from '../store/index/lexical/lexical-retrieval.ts';
import { createStatisticsReader } from '../store/index/lexical/term-statistics.ts';
import type { Answer, Embedding, SearchRequest } from '../types.ts';
import { type CandidateDeps, type CandidateLimits, gatherCandidates } from './candidates.ts';
import { cite } from './cite.ts';
import { selectDistinctPapers } from './deduplicate.ts';
import {
  cutAfterLastExternal,
  type ExternalDocument,
  mergeExternal,
} from './external-documents.ts';
import { type MatchQueryDeps, matchQuery, type QueryMatches } from './match-query.ts';
import { clamp, rank } from './rank.ts';
import type { Ranked } from './ranked.ts';

export interface SearchLimits extends CandidateLimits, DenseLimits {
  queryTermsMax: number;
  postingsMax: number;
  /** Whether retracted and withdrawn papers are among the results. */
  withheldShown: boolean;
}

/** The readers of a search, all on one connection. */
export interface SearchDeps extends CandidateDeps, MatchQueryDeps {
  /** Runs `work` in one read transaction, so that it sees a single state of the index. */
  inSnapshot: <Result>(work: () => Result) => Result;
  limits: SearchLimits;
}

/** The numbers behind an answer, for `--explain`. */
export interface Explanation {
  words: string[];
  lexicalCandidates: number;
  denseCandidates: number;
  /** `embed` includes the lexical lookup, which runs at the same time. */
  milliseconds: { embed: number; gather: number; rank: number; cite: number };
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
  explanation: Explanation;
}

const NONE: WithheldDocuments = new Map();

/** The readers of a search on one connection. `dimensions` are those of the index's model. */
export function createSearchDeps(
  db: Connection,
  dimensions: number,
  limits: SearchLimits,
): SearchDeps {
  return {
    limits,
    inSnapshot: createSnapshotRunner(db),
    statisticsNow: createStatisticsReader(db),
    revisionNow: readRevision(db),
    documents: createDocumentReader(db),
    lexical: createLexicalRetriever(db, limits),
    dense: createDenseRetriever(db, dimensions, limits),
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
  const [vector, matched] = await embedAndMatch(request, embedder, deps);
  const embed = clock();
  const { answer, explanation } = retrieve(request, vector, deps, { external, matched });
  const milliseconds = { ...explanation.milliseconds, embed };
  return { answer, explanation: { ...explanation, milliseconds } };
}

/** Answers several requests, each with its own outcome. Embeds all of them before it retrieves. */
export async function searchAll(
  requests: readonly SearchRequest[],
  embedder: Embedder,
  deps: SearchDeps,
): Promise<PromiseSettledResult<SearchOutcome>[]> {
  const begun = requests.map((request) => embedAndMatch(request, embedder, deps));
  await Promise.allSettled(begun);
  return Promise.allSettled(
    begun.map(async (one, i) => {
      const [vector, matched] = await one;
      return retrieve(requests[i] as SearchRequest, vector, deps, { matched });
    }),
  );
}

/**
 * The query's vector and its lexical matches. The tokenizer works in a thread of its own, so this
 * thread looks up the terms instead of waiting for it.
 */
function embedAndMatch(
  { query }: SearchRequest,
  embedder: Embedder,
  deps: SearchDeps,
): Promise<[Embedding, QueryMatches]> {
  const lookUp = async (): Promise<QueryMatches> => deps.inSnapshot(() => matchQuery(query, deps));
  return Promise.all([embedder.embedQuery(query), lookUp()]);
}

/** Inputs that a search may already have. */
export interface Precomputed {
  /** The documents of the lanes. */
  external?: readonly ExternalDocument[];
  /** The lexical matches. They are looked up again if the index has changed since. */
  matched?: QueryMatches;
}

/** The part of a search that follows the embedding of its query. */
export function retrieve(
  request: SearchRequest,
  vector: Embedding,
  deps: SearchDeps,
  { external = [], matched: matchedBefore }: Precomputed = {},
): SearchOutcome {
  return deps.inSnapshot(() => {
    const clock = createStopwatch();
    const isCurrent = matchedBefore?.revision === deps.revisionNow();
    const matched = isCurrent ? matchedBefore : matchQuery(request.query, deps);
    const { query } = matched;
    const { all, lexicalCount, denseCount } = gatherCandidates(
      { matched, vector, results: request.limit },
      deps,
    );
    const pool = mergeExternal(external, {
      query,
      vector,
      local: all,
      documents: deps.documents,
      withheld: deps.withheldNow(),
    });
    const gather = clock();
    const ranked = rank(pool.candidates, query);
    const ranking = clock();
    const papers = selectDistinctPapers(ranked, pool.documents, request.limit);
    const top = cutAfterLastExternal(papers.ranked);
    const results = cite(top, papers.documents, request);
    const best = all.reduce((most, { cosines }) => Math.max(most, bestUnitCosine(cosines)), 0);
    return {
      answer: { n: results.length, c: Math.round(clamp(best) * 1000) / 1000, results },
      explanation: {
        words: query.terms.map(({ word }) => word),
        lexicalCandidates: lexicalCount,
        denseCandidates: denseCount,
        milliseconds: { embed: 0, gather, rank: ranking, cite: clock() },
        results: results.map(({ d }, at) => explain(d, top[at] as Ranked)),
      },
    };
  });
}

/** The highest cosine among the title and the sentences. */
function bestUnitCosine(cosines: Float64Array): number {
  let best = 0;
  for (let i = 1; i < cosines.length; i++) best = Math.max(best, cosines[i] as number);
  return best;
}

function explain(d: string, ranked: Ranked): Explanation['results'][number] {
  const { score, firstScore, candidate } = ranked;
  const { bm25, cosines } = candidate;
  const [documentCosine = 0] = cosines;
  return { d, score, firstScore, bm25, documentCosine, bestCosine: bestUnitCosine(cosines) };
}

/** Prepares the transaction once, because that takes longer than to begin and end it. */
function createSnapshotRunner(db: Connection): SearchDeps['inSnapshot'] {
  const run = db.transaction((work: () => unknown) => work());
  return <Result>(work: () => Result) => run(work) as Result;
}

/** A function that returns the milliseconds since its last call. */
function createStopwatch(): () => number {
  let last = performance.now();
  return () => {
    const now = performance.now();
    const passed = now - last;
    last = now;
    return Math.round(passed * 1000) / 1000;
  };
}
