/** Gathers the candidates of a search, and reads what is needed to score each of them exactly. */
import type { DenseRetriever } from '../store/index/dense/dense-retrieval.ts';
import { cosinesOfAll, type OwnVector, ownVectorOf } from '../store/index/dense/embeddings.ts';
import type { DocumentReader } from '../store/index/documents/documents.ts';
import {
  countInTitle,
  findTerm,
  readTermVector,
  sentenceMask,
  type TermVector,
} from '../store/index/lexical/term-vectors.ts';
import type { DocumentNumber, Embedding } from '../types.ts';
import { dotProductsOf } from '../vectors/dot-products.ts';
import { saturate } from './bm25.ts';
import type { FoundWords } from './find-words.ts';
import { preselect } from './preselect.ts';
import type { WeighedQuery } from './weigh-query.ts';

/** Measured on SciFact and Cranfield; b and the title's weight are the usual ones. */
const bm25Weights = { k1: 0.9, b: 0.75, title: 2 };
/** Results that a customer may ask for (specification 8). */
export const CUSTOMER_RESULTS_MAX = 50;
/**
 * An evaluation asks for more results than a customer may, and needs more candidates for them. For
 * customers' requests there are always as many: the same document must not be ranked differently
 * because fewer results were asked for.
 */
const CANDIDATES_PER_FURTHER_RESULT = 3;

export interface CandidateLimits {
  /** Documents that are read and scored. */
  candidatesMax: number;
  /** Documents that the dense search hands on at least, to be chosen from. */
  denseCandidatesMax: number;
  /** Documents found by words whose vectors are looked at although no near cell has them. */
  denseFurtherMax: number;
}

export interface CandidateDeps {
  documents: DocumentReader;
  dense: DenseRetriever;
  /** Documents that are left out. */
  withheldNow: () => ReadonlyMap<DocumentNumber, unknown>;
  limits: CandidateLimits;
}

/** A document that may be among the results. */
export interface Candidate {
  document: DocumentNumber;
  /** All its terms. */
  terms: TermVector;
  /** The query's terms that it has. */
  matches: Match[];
  bm25: number;
  own: OwnVector;
  /** Cosines of its vectors with the query: its own, the title's, the sentences'. */
  cosines: Float64Array;
}

export interface Match {
  inTitle: boolean;
  /** The sentences that have the term: bit n for sentence n, see term-vectors.ts. */
  mask: number;
  /** What the term counts among the query's terms: see weigh-query.ts. */
  share: number;
}

export interface Candidates {
  all: Candidate[];
  lexicalCount: number;
  denseCount: number;
}

/** The documents by words and those by meaning, enough of them for so many results; unsorted. */
export function gatherCandidates(
  { words, vector, results }: { words: FoundWords; vector: Embedding; results: number },
  { documents, dense, withheldNow, limits }: CandidateDeps,
): Candidates {
  const products = dotProductsOf(vector);
  const candidatesMax =
    Math.max(limits.candidatesMax, results) +
    CANDIDATES_PER_FURTHER_RESULT * Math.max(0, results - CUSTOMER_RESULTS_MAX);
  const byMeaning = dense.retrieve(vector, Math.max(limits.denseCandidatesMax, candidatesMax));
  const chosen = preselect(words.matches, byMeaning, {
    candidatesMax,
    furtherMax: limits.denseFurtherMax,
    withheld: withheldNow(),
  });
  const signals = documents.readSignals(chosen);
  const cosines = cosinesOfAll(
    products,
    signals.map(({ vectors }) => vectors),
    vector.length,
  );
  const all = signals.map(({ vectors, terms }, index) => ({
    document: chosen[index] as DocumentNumber,
    cosines: cosines[index] as Float64Array,
    ...scoreTerms(terms, words.query),
    own: ownVectorOf(vectors, vector.length),
  }));
  return {
    all,
    lexicalCount: words.matches.documents.length,
    denseCount: byMeaning.nearest.length,
  };
}

type ScoredTerms = Pick<Candidate, 'terms' | 'matches' | 'bm25'>;

/** What a document's packed terms say of it. */
export function scoreTerms(
  blob: Buffer,
  { terms: queryTerms, statistics }: WeighedQuery,
): ScoredTerms {
  const terms = readTermVector(blob);
  const length = terms.length / statistics.lengthMean;
  const matches: Match[] = [];
  let bm25 = 0;
  for (const { term, weight, share } of queryTerms) {
    const at = findTerm(terms, term);
    if (at < 0) continue;
    bm25 += weight * saturate(terms, at, length, bm25Weights);
    matches.push({ inTitle: countInTitle(terms, at) > 0, mask: sentenceMask(terms, at), share });
  }
  return { terms, matches, bm25 };
}
