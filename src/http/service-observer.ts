/** What the endpoints report for metrics. */
import type { AnswerOutcome } from '../accounts/sql/answer-outcomes.ts';
import type { RerankOutcome } from '../search/rerank.ts';
import type { StageTimes } from './search-stages.ts';

export interface ObservedResponse {
  /** A known path or a page's path pattern, never what the caller wrote. */
  route: string;
  status: number;
  /** Whether the response was handed to the network. False: the client was gone. */
  sent: boolean;
  milliseconds: number;
}

export interface ServiceObserver {
  /** Receives every response to a request. */
  responded(response: ObservedResponse): void;
  /** Receives each search that has results, with the time from the validated request to them. */
  searched(milliseconds: number, stages: StageTimes): void;
  /** Receives what came of each search that has results: the first word of `X-Lanes`, or `no_lanes`. */
  answered(outcome: AnswerOutcome): void;
  /** Receives why a search kept its order that the reranker was to change. */
  notReranked(reason: Exclude<RerankOutcome, number>): void;
}
