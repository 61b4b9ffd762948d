/** Gathers the candidates of a search and computes the features that rank them. */

import { cosinesOfAll, type OwnVector, ownVectorOf } from '../index/dense/embeddings.ts';
import type { AllowedDocuments } from '../index/facets/allowed-documents.ts';
import {
  countInTitle,
  decodeTermVector,
  findTerm,
  sentenceMask,
  type TermVector,
} from '../index/lexical/term-vectors.ts';
import type { IndexView } from '../index/ports/index-source.ts';
import type { DocumentNumber, Embedding } from '../types.ts';
import { dotProductsOf } from '../vectors/dot-products.ts';
import { saturate } from './bm25.ts';
import type { QueryMatches } from './match-query.ts';
import { startPruning } from './prune-candidates.ts';
import { CUSTOMER_RESULTS_MAX } from './result-limit.ts';
import type { WeightedQuery } from './weight-query.ts';

/** k1 was tuned on SciFact and Cranfield. b and the title's weight are common defaults. */
export const bm25Parameters = { k1: 0.9, b: 0.75, title: 2 };
/**
 * Candidates added for each result beyond CUSTOMER_RESULTS_MAX, which only evaluations request.
 * Customers' requests all use the same number of candidates, so a lower limit never changes the
 * ranking.
 */
const CANDIDATES_PER_EXTRA_RESULT = 3;

export interface CandidateLimits {
  /** Candidates that are read and scored. */
  candidatesMax: number;
  /** Nearest documents that dense retrieval returns before pruning, at least. */
  denseCandidatesMax: number;
  /** Lexical matches outside the probed lists whose vectors are compared one by one. */
  denseUnprobedMax: number;
}

/** A document with the features that rank it. */
export interface Candidate {
  document: DocumentNumber;
  terms: TermVector;
  /** The query terms that occur in it. */
  matches: Match[];
  bm25: number;
  own: OwnVector;
  /** Cosines with the query, in this order: document, title, sentences. */
  cosines: Float64Array;
  /** Those with the vector of an answer, if the model gives one. */
  answerCosines?: Float64Array;
}

export interface Match {
  inTitle: boolean;
  /** The sentences in which the term occurs: bit n for sentence n, see term-vectors.ts. */
  mask: number;
  /** The term's share of the query's total weight: see weight-query.ts. */
  share: number;
}

export interface Candidates {
  all: Candidate[];
  lexicalCount: number;
  denseCount: number;
  /** Milliseconds that dense retrieval took. */
  denseMs: number;
}

/** What candidates are gathered for. */
export interface CandidateQuery {
  matched: QueryMatches;
  vector: Embedding;
  /** The vector of an answer, if the model gives one. */
  answer?: Embedding | undefined;
  /** The number of results wanted. */
  results: number;
  /** The documents to which a filter limits the search, as for `matched`. Absent: all. */
  allowed?: AllowedDocuments | undefined;
  /** Documents excluded from results. */
  withheld: ReadonlyMap<DocumentNumber, unknown>;
}

/** The candidates from lexical and dense retrieval, unsorted, enough for `results` results. */
export async function gatherCandidates(
  { matched, vector, answer, results, allowed, withheld }: CandidateQuery,
  view: IndexView,
  limits: CandidateLimits,
): Promise<Candidates> {
  const { documents } = matched.matches;
  const candidatesMax =
    Math.max(limits.candidatesMax, results) +
    CANDIDATES_PER_EXTRA_RESULT * Math.max(0, results - CUSTOMER_RESULTS_MAX);
  const started = performance.now();
  const most = Math.max(limits.denseCandidatesMax, candidatesMax);
  const near = await view.nearest({ vector, most, documents, allowed });
  const denseMs = performance.now() - started;
  const pruning = startPruning(matched.matches, near, {
    candidatesMax,
    unprobedMax: limits.denseUnprobedMax,
    withheld,
  });
  const chosen = pruning.finish(await near.scoresIn(pruning.unscored));
  const entries = await view.forwardEntries(chosen);
  // The products use a memory of the thread, so nothing may wait between them and the cosines.
  const blobs = entries.map(({ vectors }) => vectors);
  const cosines = cosinesOfAll(dotProductsOf(vector), blobs, vector.length);
  const answers = answer && cosinesOfAll(dotProductsOf(answer), blobs, vector.length);
  const all = entries.map(({ vectors, terms }, index) => ({
    document: chosen[index] as DocumentNumber,
    cosines: cosines[index] as Float64Array,
    ...(answers && { answerCosines: answers[index] as Float64Array }),
    ...scoreTerms(terms, matched.query),
    own: ownVectorOf(vectors, vector.length),
  }));
  return {
    all,
    lexicalCount: documents.length,
    denseCount: near.nearest.length,
    denseMs,
  };
}

type ScoredTerms = Pick<Candidate, 'terms' | 'matches' | 'bm25'>;

/** BM25 of a document and the query terms that it matches, from its term vector. */
export function scoreTerms(
  blob: Buffer,
  { terms: queryTerms, statistics }: WeightedQuery,
): ScoredTerms {
  const terms = decodeTermVector(blob);
  const length = terms.length / statistics.lengthMean;
  const matches: Match[] = [];
  let bm25 = 0;
  for (const { term, weight, share } of queryTerms) {
    const at = findTerm(terms, term);
    if (at < 0) continue;
    bm25 += weight * saturate(terms, at, length, bm25Parameters);
    matches.push({ inTitle: countInTitle(terms, at) > 0, mask: sentenceMask(terms, at), share });
  }
  return { terms, matches, bm25 };
}
