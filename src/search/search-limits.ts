/** The settings of a search. */
import type { DenseLimits } from '../store/index/dense/dense-retrieval.ts';
import type { CandidateLimits } from './candidates.ts';

export interface SearchLimits extends CandidateLimits, DenseLimits {
  queryTermsMax: number;
  postingsMax: number;
  /** Whether retracted and withdrawn papers are among the results. */
  withheldShown: boolean;
}
