/** bm25 over title and abstract (Robertson and Zaragoza, "The Probabilistic Relevance Framework"). */

import {
  countInAbstract,
  countInTitle,
  type TermVector,
} from '../store/index/lexical/term-vectors.ts';

export interface Bm25Weights {
  /** How slowly a repeated term saturates. */
  k1: number;
  /** How much a long document is made to pay. */
  b: number;
  /** How many occurrences in the abstract one in the title is worth. */
  title: number;
}

/** What a rare term counts in bm25: never less than almost nothing, so that more terms are more. */
export function inverseDocumentFrequency(frequency: number, documents: number): number {
  return Math.max(1e-6, Math.log((documents - frequency + 0.5) / (frequency + 0.5)));
}

/** The same, smoothed to stay above zero by itself: for shares of a whole. */
export function smoothedDocumentFrequency(frequency: number, documents: number): number {
  return Math.log(1 + (documents - frequency + 0.5) / (frequency + 0.5));
}

/**
 * What the occurrences of the term at a position count, before the term's own weight. `length` of
 * the document as a share of the mean.
 */
export function saturate(
  terms: TermVector,
  at: number,
  length: number,
  { k1, b, title }: Bm25Weights,
): number {
  const occurrences = title * countInTitle(terms, at) + countInAbstract(terms, at);
  return (occurrences * (k1 + 1)) / (occurrences + k1 * (1 - b + b * length));
}
