/**
 * One search, from the question to cited sentences. The CLI and the service share it.
 *
 *   words ──► full text ──┐
 *                         ├─► candidates ─► exact cosines ─► fuse ─► best sentence of the top few
 *   vector ─► dense ──────┘
 */
import type { Embedder } from '../embed/embedder.ts';
import { createDenseRetriever, type DenseRetriever } from '../store/dense.ts';
import { createDocumentReader, type DocumentReader } from '../store/documents.ts';
import { cosinesWith } from '../store/embeddings.ts';
import { createLexicalRetriever, type LexicalRetriever } from '../store/lexical.ts';
import type { Store } from '../store/open.ts';
import type { Answer, DocumentNumber, Embedding, SearchRequest } from '../types.ts';
import { cite } from './cite.ts';
import { clamp, type Fused, fuse, type Signals } from './fuse.ts';
import { queryWords } from './query-words.ts';

export interface SearchLimits {
  queryTermsMax: number;
  lexicalCandidatesMax: number;
  denseCandidatesMax: number;
}

/** What a search stands on. */
export interface SearchParts {
  embedder: Embedder;
  documents: DocumentReader;
  lexical: LexicalRetriever;
  dense: DenseRetriever;
  /** Runs in one consistent view: what a build replaces meanwhile is found whole or not at all. */
  inOneView: <Result>(work: () => Result) => Result;
  limits: SearchLimits;
}

/** A candidate with the cosines of its vectors, document and title first. */
export interface Candidate extends Signals {
  cosines: Float64Array;
}

/** Why the results are what they are, for `--explain`. */
export interface Explanation {
  words: string[];
  lexicalCandidates: number;
  denseCandidates: number;
  milliseconds: { embed: number; lexical: number; dense: number; rank: number; cite: number };
  results: {
    d: string;
    score: number;
    lexical: number;
    documentCosine: number;
    bestCosine: number;
  }[];
}

export interface SearchOutcome {
  answer: Answer;
  explanation: Explanation;
}

/** Puts the parts together on one connection. */
export function createSearchParts(
  db: Store,
  embedder: Embedder,
  limits: SearchLimits,
): SearchParts {
  return {
    ...{ embedder, limits },
    inOneView: (work) => db.transaction(work)(),
    documents: createDocumentReader(db),
    lexical: createLexicalRetriever(db),
    dense: createDenseRetriever(db),
  };
}

/** Answers a validated request. Deterministic for an index. */
export async function search(request: SearchRequest, parts: SearchParts): Promise<SearchOutcome> {
  const clock = createStopwatch();
  const query = await parts.embedder.embedQuery(request.query);
  const embed = clock();
  return parts.inOneView(() => {
    const { answer, explanation } = retrieve(request, { query, clock, parts });
    const milliseconds = { ...explanation.milliseconds, embed };
    return { answer, explanation: { ...explanation, milliseconds } };
  });
}

function retrieve(
  request: SearchRequest,
  { query, clock, parts }: { query: Embedding; clock: () => number; parts: SearchParts },
): SearchOutcome {
  const { limits } = parts;
  const words = queryWords(request.query, limits.queryTermsMax);
  // At least as many candidates as results: an evaluation asks for more than a customer may.
  const lexical = parts.lexical.retrieve(
    words,
    Math.max(limits.lexicalCandidatesMax, request.limit),
  );
  const lexicalTime = clock();
  const dense = parts.dense.retrieve(query, Math.max(limits.denseCandidatesMax, request.limit));
  const denseTime = clock();
  const scores = new Map<DocumentNumber, number>(dense.map(({ document }) => [document, 0]));
  for (const { document, score } of lexical) scores.set(document, score);
  const candidates = measure(scores, query, parts.documents);
  const ranked = fuse([...candidates.values()]);
  const rank = clock();
  const results = cite({ request, words, ranked, candidates, documents: parts.documents });
  const best = ranked.reduce((most, { bestCosine }) => Math.max(most, bestCosine), 0);
  return {
    answer: { n: results.length, c: Math.round(clamp(best) * 1000) / 1000, results },
    explanation: {
      words,
      lexicalCandidates: lexical.length,
      denseCandidates: dense.length,
      milliseconds: { embed: 0, lexical: lexicalTime, dense: denseTime, rank, cite: clock() },
      results: results.map(({ d }, at) => explain(d, ranked[at] as Fused)),
    },
  };
}

/** The exact cosines of every candidate. */
function measure(
  lexicalScores: ReadonlyMap<DocumentNumber, number>,
  query: Embedding,
  documents: DocumentReader,
): Map<DocumentNumber, Candidate> {
  const candidates = new Map<DocumentNumber, Candidate>();
  const cosinesOf = cosinesWith(query);
  for (const [document, lexical] of lexicalScores) {
    const all = cosinesOf(documents.readEmbeddings(document));
    const [documentCosine = 0] = all;
    let bestCosine = 0;
    for (let i = 1; i < all.length; i++) bestCosine = Math.max(bestCosine, all[i] as number);
    candidates.set(document, { document, lexical, documentCosine, bestCosine, cosines: all });
  }
  return candidates;
}

function explain(d: string, fused: Fused): Explanation['results'][number] {
  const { score, lexical, documentCosine, bestCosine } = fused;
  return { d, score, lexical, documentCosine, bestCosine };
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
