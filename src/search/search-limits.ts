/** The settings of a search. */
import type { DenseLimits } from '../store/index/dense/dense-retrieval.ts';
import type { LexicalLimits } from '../store/index/lexical/lexical-retrieval.ts';
import type { CandidateLimits } from './candidates.ts';

export interface SearchLimits extends CandidateLimits, DenseLimits, LexicalLimits {
  queryTermsMax: number;
  filteredPostingsMax: number;
  /** Filters whose documents each search thread keeps. */
  filtersCachedMax: number;
  /** Whether retracted and withdrawn papers are among the results. */
  withheldShown: boolean;
}
