/** What a provider is: its requests, its rate limits, and how its responses become documents. */
import type { LaneName } from '../../settings/lane-choice.ts';
import type { Identifiers } from '../../types.ts';
import type { LaneDocument, ProviderName } from './lane.ts';

export interface HttpRequest {
  url: URL;
  /** A request with a body is a POST of JSON. */
  body?: string;
  headers?: Readonly<Record<string, string>>;
  /** Sent to the origin of the request only, and never printed. */
  secretHeaders?: Readonly<Record<string, string>>;
}

export interface HttpResponse {
  status: number;
  /** Names in lower case. The values of a repeated header are joined by commas. */
  headers: Readonly<Record<string, string>>;
  body: string;
}

/**
 * Sends a request when the rate limiter allows it, and reads the response. Throws what `read`
 * throws, a LaneFailure when no response arrives, and a LaneSkip when it cannot be sent in time.
 */
export type Exchange = <Result>(
  request: HttpRequest,
  read: (response: HttpResponse) => Result,
) => Promise<Result>;

export type ShowPartial = (documents: LaneDocument[]) => void;

export interface RateLimits {
  gapMs: number;
  concurrencyMax: number;
}

/** What the headers of a response say about the rate limits and what is left of them. */
export interface Quota extends Partial<RateLimits> {
  /** Nothing is left for this long. */
  exhaustedForMs?: number;
}

/** What a provider is asked. Those with the same first request share one response. */
export interface Inquiry {
  /** The first request. Throws a LaneSkip `no_words` when there is nothing to ask for. */
  request(): HttpRequest;
  /**
   * Throws what `request` and `exchange` throw. `showPartial` receives the documents of the first of
   * two requests. They count when the second one is late or fails, and are never cached.
   */
  find(exchange: Exchange, showPartial: ShowPartial): Promise<LaneDocument[]>;
}

/** How a provider looks up a reference. */
export interface ReferenceLookUp {
  /** Undefined if the provider knows none of the schemes. */
  byIdentifiers(identifiers: Identifiers): Inquiry | undefined;
  /** `author`: the first one; empty if unknown. */
  byTitle(title: string, author: string): Inquiry;
}

export interface Provider {
  name: ProviderName;
  lane: LaneName;
  /** Whether its terms of use allow us to store responses, in the cache too. */
  isStorable: boolean;
  rateLimits: RateLimits;
  /** How often a request is repeated after "too many requests", if there is time left. */
  retriesMax: number;
  /** The inquiry about a question. */
  inquire(query: string): Inquiry;
  /** Absent: it cannot look up references. */
  lookUp?: ReferenceLookUp;
  quotaOf(headers: HttpResponse['headers']): Quota;
  /** Whether it works with less than the settings provide, such as without a rejected key. */
  isDegraded?(): boolean;
}
