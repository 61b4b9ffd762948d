/** The settings of a search. */
import type { SourceLimits } from '../index/ports/index-source.ts';
import type { CandidateLimits } from './candidates.ts';

export interface SearchLimits extends CandidateLimits, SourceLimits {
  queryTermsMax: number;
  filteredPostingsMax: number;
  /** Filters whose documents each search thread keeps. */
  filtersCachedMax: number;
  /** Which searches the reranker orders, if there is one: `always`, or `on_request`. */
  rerank?: string;
  /** How long that may take. */
  rerankMs?: number;
  /** Whether retracted and withdrawn papers are among the results. */
  withheldShown: boolean;
}
