/** What the endpoints stand on; `verbatim serve` puts it together. */
import type { Settings } from '../config.ts';
import type { ServiceLanes } from '../fallback/start-fallback.ts';
import type { Log } from '../log.ts';
import type { TopUp } from '../payments/top-up.ts';
import type { KeyReader } from '../store/accounts/api-keys.ts';
import type { KeyUsage } from '../store/accounts/search-usage.ts';
import type { IndexTotals } from '../store/index/index-facts.ts';
import type { SearchRequest } from '../types.ts';
import type { LedgerWriter } from '../workers/ledger-writer.ts';
import type { LocalAnswer } from '../workers/search-worker.ts';
import type { ConcurrencyLimiter } from './concurrency-limiter.ts';
import type { HttpRequest, HttpResponse } from './messages.ts';
import type { RateLimiter } from './rate-limiter.ts';

/** A page that was found, and its answer. */
export interface PageResponse {
  /** The page's path as it is known, without what the caller has put in: fit for a log. */
  route: string;
  response: Promise<HttpResponse>;
}

/** Answers requests for pages; undefined for a path that is none of theirs. */
export type RespondToPage = (request: HttpRequest, requestId: string) => PageResponse | undefined;

export type ServiceState = 'starting' | 'ok' | 'stopping';

export interface ServiceDeps {
  settings: Pick<
    Settings,
    | 'requestsPerMinute'
    | 'inFlightPerKeyMax'
    | 'requestTimeoutMs'
    | 'bodyBytesMax'
    | 'bodyTimeoutMs'
    | 'usageWaitMs'
    | 'uncompressedBytesMax'
    | 'webhookBytesMax'
  >;
  log: Log;
  keys: KeyReader;
  rates: RateLimiter;
  searchLimiter: ConcurrencyLimiter;
  ledger: LedgerWriter;
  topUp: TopUp;
  /** Of events that are being received. */
  webhookLimiter: ConcurrencyLimiter;
  /** Searches the local index. */
  search: (request: SearchRequest) => Promise<LocalAnswer>;
  /** Undefined where no lane is switched on. */
  lanes: ServiceLanes | undefined;
  balanceOf: (customerId: number) => number;
  usageOf: (keyId: number, period: string) => KeyUsage;
  totals: () => IndexTotals;
  /** The same of the documents alone, for every search. */
  countDocuments: () => number;
  state: () => ServiceState;
  version: string;
  modelName: string;
  now: () => number;
}
