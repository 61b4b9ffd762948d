/** A candidate with its score: what each stage of the ranking hands to the next. */
import type { DocumentNumber } from '../types.ts';
import type { Candidate } from './candidates.ts';

export interface Ranked {
  document: DocumentNumber;
  candidate: Candidate;
  score: number;
  /** The score after the first round. */
  firstScore: number;
}
