/**
 * BM25 over title and abstract (Robertson and Zaragoza, "The Probabilistic Relevance Framework:
 * BM25 and Beyond", 2009).
 */

import { countInAbstract, countInTitle, type TermVector } from '../index/lexical/term-vectors.ts';

export interface Bm25Parameters {
  /** Term frequency saturation: the larger, the more a repeated term still adds. */
  k1: number;
  /** Length normalization, from 0 (none) to 1 (full). */
  b: number;
  /** How many occurrences in the abstract one occurrence in the title is worth. */
  title: number;
}

/**
 * The inverse document frequency of a term, in nats. It is at least 1e-6, so that a match never
 * lowers a score.
 */
export function inverseDocumentFrequency(frequency: number, documents: number): number {
  return Math.max(1e-6, Math.log((documents - frequency + 0.5) / (frequency + 0.5)));
}

/** A smoothed inverse document frequency, in nats. It is positive, so it can be normalized to a share. */
export function smoothedDocumentFrequency(frequency: number, documents: number): number {
  return Math.log(1 + (documents - frequency + 0.5) / (frequency + 0.5));
}

/**
 * The saturated frequency of the term at a position of the vector, before its IDF weight. `length`
 * is the document's length divided by the mean length.
 */
export function saturate(
  terms: TermVector,
  at: number,
  length: number,
  { k1, b, title }: Bm25Parameters,
): number {
  const occurrences = title * countInTitle(terms, at) + countInAbstract(terms, at);
  return (occurrences * (k1 + 1)) / (occurrences + k1 * (1 - b + b * length));
}
