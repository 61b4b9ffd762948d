/** A candidate with its score, as each stage of the ranking passes it to the next. */
import type { DocumentNumber } from '../types.ts';
import type { Candidate } from './candidates.ts';

export interface Ranked {
  document: DocumentNumber;
  candidate: Candidate;
  score: number;
  /** The score before rerank and smoothing. */
  firstScore: number;
}
