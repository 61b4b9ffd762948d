/** The settings of a search. */
import type { SourceLimits } from '../index/ports/index-source.ts';
import type { CandidateLimits } from './candidates.ts';

export interface SearchLimits extends CandidateLimits, SourceLimits {
  queryTermsMax: number;
  filteredPostingsMax: number;
  /** Filters whose documents each search thread keeps. */
  filtersCachedMax: number;
  /** Whether retracted and withdrawn papers are among the results. */
  withheldShown: boolean;
}
