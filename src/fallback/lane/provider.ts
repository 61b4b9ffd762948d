/** What a provider is to the rest: how it is asked, at what pace, and what may be kept of it. */
import type { LaneName } from '../../lane-choice.ts';
import type { HttpRequest, HttpResponse } from '../transport/http-client.ts';
import type { LaneDocument, ProviderName } from './lane.ts';

/**
 * Sends a request in its turn and reads the answer. Throws what `read` throws, a LaneFailure where
 * no answer comes, a LaneSkip where there is no turn in time.
 */
export type Exchange = <Result>(
  request: HttpRequest,
  read: (answer: HttpResponse) => Result,
) => Promise<Result>;

export type ShowPartial = (documents: LaneDocument[]) => void;

export interface RateLimits {
  gapMs: number;
  concurrencyMax: number;
}

/** What the headers of an answer say of what is left. */
export interface Quota extends Partial<RateLimits> {
  /** Nothing is left for so long. */
  exhaustedForMs?: number;
}

export interface Provider {
  name: ProviderName;
  lane: LaneName;
  /** Whether its terms allow keeping what it answers, in the cache too. */
  isStorable: boolean;
  rateLimits: RateLimits;
  /** How often a request is repeated that met "too many requests", where the time is left. */
  retriesMax: number;
  /**
   * The request that a question leads to first. Questions that lead to the same one have the same
   * answer. Throws a LaneSkip `no_words` for a question that leaves nothing to ask for.
   */
  requestFor(query: string): HttpRequest;
  /**
   * Throws as `requestFor` and `exchange` do. `show` gets what there is already where the rest
   * takes another request: it stands where that comes too late or fails, and is never kept.
   */
  ask(query: string, exchange: Exchange, show: ShowPartial): Promise<LaneDocument[]>;
  quotaOf(headers: HttpResponse['headers']): Quota;
  /** Whether it works with less than it was set up with, such as without a key. */
  isDegraded?(): boolean;
}
