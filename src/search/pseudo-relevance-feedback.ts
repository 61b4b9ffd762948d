/**
 * Pseudo-relevance feedback in the manner of Rocchio ("Relevance Feedback in Information
 * Retrieval", 1971). It takes the top documents of the first stage as relevant and compares all
 * candidates with their centroid and with expansion terms from them. The top documents are weighted
 * by an exponential of their scores, as relevance models weight them by the likelihood of the query
 * (Lavrenko and Croft, "Relevance-Based Language Models", 2001).
 */
import { cosinesWithOwn, meanOfOwn } from '../index/dense/embeddings.ts';
import type { TermStatistics } from '../index/lexical/term-statistics.ts';
import { findTerm, termAt } from '../index/lexical/term-vectors.ts';
import { stopTerms, type Term } from '../text/terms.ts';
import { dotProductsOf } from '../vectors/dot-products.ts';
import { keepBest } from '../vectors/keep-best.ts';
import { mergeSums, type Sums } from '../vectors/merge-sums.ts';
import { inverseDocumentFrequency, saturate } from './bm25.ts';
import type { Candidate } from './candidates.ts';
import type { Ranked } from './ranked.ts';

/** Top documents that are taken as relevant. */
export const FEEDBACK_DOCUMENTS = 5;
/** The weight of a document falls by a factor of e for each 1/30 that its score is below the best. */
export const STEEPNESS = 30;
const EXPANSION_TERMS = 20;
/** A term that occurs in a single document is often a name or a typo. */
const FREQUENCY_MIN = 2;
export const bm25Parameters = { k1: 1.2, b: 0.75, title: 2 };

export interface Feedback {
  /** Cosine of the document with the centroid of the top documents. */
  vector: number;
  /** BM25 over the expansion terms, as a share of the highest, in [0,1]. */
  terms: number;
}

/** Yields the terms of the top documents, whose frequencies the feedback may need. */
export function* feedbackTermsOf(ranked: readonly Ranked[]): Generator<Term> {
  for (const { candidate } of ranked.slice(0, FEEDBACK_DOCUMENTS)) {
    const { terms } = candidate;
    for (let at = 0; at < terms.size; at++) yield termAt(terms, at);
  }
}

/** The feedback features of each document, in their order. `ranked` must be sorted by score. */
export function scoreFeedback(ranked: readonly Ranked[], statistics: TermStatistics): Feedback[] {
  const best = ranked.slice(0, FEEDBACK_DOCUMENTS).map(({ candidate, score }) => ({
    candidate,
    weight: Math.exp(STEEPNESS * (score - (ranked[0] as Ranked).score)),
  }));
  const vectors = scoreByCentroid(best, ranked);
  const terms = scoreByTerms(selectExpansionTerms(best, statistics), ranked, statistics);
  return ranked.map((_, i) => ({ vector: vectors[i] as number, terms: terms[i] as number }));
}

interface WeightedCandidate {
  candidate: Candidate;
  weight: number;
}

function scoreByCentroid(
  best: readonly WeightedCandidate[],
  ranked: readonly Ranked[],
): Float64Array {
  const mean = meanOfOwn(
    best.map(({ candidate }) => candidate.own),
    best.map(({ weight }) => weight),
  );
  return cosinesWithOwn(
    dotProductsOf(mean),
    ranked.map(({ candidate }) => candidate.own),
  );
}

interface ExpansionTerm {
  term: Term;
  weight: number;
}

function selectExpansionTerms(
  best: readonly WeightedCandidate[],
  statistics: TermStatistics,
): ExpansionTerm[] {
  const { items: terms, values: weights } = mergeSums(
    best.map(({ candidate, weight }) => termWeights(candidate, weight, statistics)),
  );
  const expansion = keepBest(EXPANSION_TERMS);
  const rarest = inverseDocumentFrequency(FREQUENCY_MIN, statistics.documents);
  for (let i = 0; i < terms.length; i++) {
    const [term, weight] = [terms[i] as Term, weights[i] as number];
    // Looking up a frequency costs more than everything else, and most terms cannot qualify.
    if (weight * rarest < expansion.worst() || stopTerms.has(term)) continue;
    const frequency = statistics.frequencyOf(term);
    if (frequency < FREQUENCY_MIN) continue;
    expansion.add(term, weight * inverseDocumentFrequency(frequency, statistics.documents));
  }
  return expansion.items().map(({ item, score }) => ({ term: item, weight: score }));
}

/** The weight of each term of a document: the document's weight times the saturated frequency. */
function termWeights({ terms }: Candidate, weight: number, { lengthMean }: TermStatistics): Sums {
  const length = terms.length / lengthMean;
  const items = new Uint32Array(terms.size);
  const values = new Float64Array(terms.size);
  for (let at = 0; at < terms.size; at++) {
    items[at] = termAt(terms, at);
    values[at] = weight * saturate(terms, at, length, bm25Parameters);
  }
  return { items, values };
}

function scoreByTerms(
  expansion: readonly ExpansionTerm[],
  ranked: readonly Ranked[],
  statistics: TermStatistics,
): number[] {
  const scores = ranked.map(({ candidate: { terms } }) => {
    const length = terms.length / statistics.lengthMean;
    let score = 0;
    for (const { term, weight } of expansion) {
      const at = findTerm(terms, term);
      if (at >= 0) score += weight * saturate(terms, at, length, bm25Parameters);
    }
    return score;
  });
  const most = Math.max(...scores);
  return scores.map((score) => (most > 0 ? score / most : 0));
}
