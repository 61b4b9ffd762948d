/**
 * One search, from the question to cited sentences. The CLI and the service share it.
 *
 *   words ──► full text ──┐
 *                         ├─► candidates ─► exact scores ─► rank ─► papers ─► best sentences
 *   vector ─► dense ──────┘
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
import { type FindWordsDeps, type FoundWords, findWords } from './find-words.ts';
import { cutBehindFound, type FoundDocument, joinFound } from './found-documents.ts';
import { selectPapers } from './papers-once.ts';
import { clamp, rank } from './rank.ts';
import type { Ranked } from './ranked.ts';

export interface SearchLimits extends CandidateLimits, DenseLimits {
  queryTermsMax: number;
  postingsMax: number;
  /** 1: retracted and withdrawn papers are among the results; 0: they are not. */
  withheldShown: boolean;
}

/** What a search stands on, all of it on one connection. */
export interface SearchDeps extends CandidateDeps, FindWordsDeps {
  /** Runs in one consistent view: what a build replaces meanwhile is found whole or not at all. */
  inOneView: <Result>(work: () => Result) => Result;
  limits: SearchLimits;
}

/** Why the results are what they are, for `--explain`. */
export interface Explanation {
  words: string[];
  lexicalCandidates: number;
  denseCandidates: number;
  /** `embed` with the words, which are looked up meanwhile. */
  milliseconds: { embed: number; gather: number; rank: number; cite: number };
  results: {
    d: string;
    score: number;
    /** The score before feedback and smoothing. */
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

/** Puts the parts together. `dimensions` of the index's model. */
export function createSearchDeps(
  db: Connection,
  dimensions: number,
  limits: SearchLimits,
): SearchDeps {
  return {
    limits,
    inOneView: createView(db),
    statisticsNow: createStatisticsReader(db),
    revisionNow: readRevision(db),
    documents: createDocumentReader(db),
    lexical: createLexicalRetriever(db, limits),
    dense: createDenseRetriever(db, dimensions, limits),
    withheldNow: limits.withheldShown ? () => NONE : createWithheldReader(db),
  };
}

/**
 * Answers a validated request. Deterministic for an index. What the lanes found is ranked among
 * the candidates as if it were in the index.
 */
export async function search(
  request: SearchRequest,
  embedder: Embedder,
  deps: SearchDeps,
  found: readonly FoundDocument[] = [],
): Promise<SearchOutcome> {
  const clock = createStopwatch();
  const [vector, words] = await embedAndFindWords(request, embedder, deps);
  const embed = clock();
  const { answer, explanation } = retrieve(request, vector, deps, { found, words });
  const milliseconds = { ...explanation.milliseconds, embed };
  return { answer, explanation: { ...explanation, milliseconds } };
}

/** Several searches, each with its own outcome. First all are embedded, then all are retrieved. */
export async function searchAll(
  requests: readonly SearchRequest[],
  embedder: Embedder,
  deps: SearchDeps,
): Promise<PromiseSettledResult<SearchOutcome>[]> {
  const begun = requests.map((request) => embedAndFindWords(request, embedder, deps));
  await Promise.allSettled(begun);
  return Promise.allSettled(
    begun.map(async (one, i) => {
      const [vector, words] = await one;
      return retrieve(requests[i] as SearchRequest, vector, deps, { words });
    }),
  );
}

/**
 * The question's vector and words. A thread of the embedder's takes the text apart at first, and
 * this one looks up the words meanwhile instead of waiting for it.
 */
function embedAndFindWords(
  { query }: SearchRequest,
  embedder: Embedder,
  deps: SearchDeps,
): Promise<[Embedding, FoundWords]> {
  const lookUp = async (): Promise<FoundWords> => deps.inOneView(() => findWords(query, deps));
  return Promise.all([embedder.embedQuery(query), lookUp()]);
}

/** What is known of a search before. */
export interface KnownBefore {
  /** What the lanes have found. */
  found?: readonly FoundDocument[];
  /** The question's words; looked up again where the index has changed meanwhile. */
  words?: FoundWords;
}

/** The search after the embedding of its question. */
export function retrieve(
  request: SearchRequest,
  vector: Embedding,
  deps: SearchDeps,
  { found = [], words: wordsBefore }: KnownBefore = {},
): SearchOutcome {
  return deps.inOneView(() => {
    const clock = createStopwatch();
    const isCurrent = wordsBefore?.revision === deps.revisionNow();
    const words = isCurrent ? wordsBefore : findWords(request.query, deps);
    const { query } = words;
    const { all, lexicalCount, denseCount } = gatherCandidates(
      { words, vector, results: request.limit },
      deps,
    );
    const pool = joinFound(found, {
      query,
      vector,
      local: all,
      documents: deps.documents,
      withheld: deps.withheldNow(),
    });
    const gather = clock();
    const ranked = rank(pool.candidates, query);
    const ranking = clock();
    const papers = selectPapers(ranked, pool.documents, request.limit);
    const top = cutBehindFound(papers.ranked);
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

/** The cosine of the best of title and sentences. */
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

/** Made once: better-sqlite3 takes longer to make a transaction than to begin and end it. */
function createView(db: Connection): SearchDeps['inOneView'] {
  const run = db.transaction((work: () => unknown) => work());
  return <Result>(work: () => Result) => run(work) as Result;
}

/** Returns a function that gives the milliseconds since its last call. */
function createStopwatch(): () => number {
  let last = performance.now();
  return () => {
    const now = performance.now();
    const passed = now - last;
    last = now;
    return Math.round(passed * 1000) / 1000;
  };
}
