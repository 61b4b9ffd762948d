/** The dependencies of the endpoints. `verbatim serve` builds them. */

import type { TopUp } from '../accounts/payments/top-up.ts';
import type { AccountStore } from '../accounts/ports/account-store.ts';
import type { NodeStore } from '../accounts/ports/node-store.ts';
import type { KeyCredit, PaidCallStore } from '../accounts/ports/paid-call-store.ts';
import type { RequestRecorder } from '../accounts/request-recorder.ts';
import type { ApiKey } from '../accounts/sql/api-keys.ts';
import type { RepeatableRequest, StoredAnswer } from '../accounts/sqlite/ledger/stored-answers.ts';
import type { DamageRegister } from '../database/damage/damage-register.ts';
import type { IndexSummary } from '../index/facets/index-summary.ts';
import type { IndexTotals } from '../index/index-facts.ts';
import type { Index } from '../index/ports/index.ts';
import type { ServiceLanes } from '../lanes/start-fallback.ts';
import type { Log, LogFields } from '../log.ts';
import type { ChangesRequest, ListedChanges } from '../search/papers/list-changes.ts';
import type { LocalAnswer, PapersAnswer, PapersRequest } from '../search/threads/search-worker.ts';
import type { Settings } from '../settings/config.ts';
import type { SearchRequest, SimilarRequest } from '../types.ts';
import type { VerifyTask } from '../verify/open-verify.ts';
import type { VerifiedItems } from '../verify/threads/verify-worker.ts';
import type { CallRecord } from './call-record.ts';
import type { ConcurrencyLimiter } from './concurrency-limiter.ts';
import type { HttpRequest, HttpResponse } from './messages.ts';
import type { ServiceObserver } from './service-observer.ts';

/** A matched page and its response. */
export interface PageResponse {
  /** The page's path pattern. It contains nothing from the caller, so it may be logged. */
  route: string;
  response: Promise<HttpResponse>;
}

/** Responds to requests for pages. Returns undefined if no page matches the path. */
export type RespondToPage = (request: HttpRequest, requestId: string) => PageResponse | undefined;

/** A request to the MCP endpoint whose key was checked and whose body was read. */
export interface McpCall {
  request: HttpRequest;
  body: Buffer;
  requestId: string;
  key: ApiKey;
  /** What the key may spend, as the request found it. */
  credit: KeyCredit;
  /** Extra fields for the request's log line. */
  logged: LogFields;
  record: CallRecord;
}

/** Responds to a request to the MCP endpoint. Throws the expected errors. */
export type RespondToMcp = (call: McpCall) => Promise<HttpResponse>;

/** Access to the MCP endpoint for clients that a customer connected. */
export interface ClientAccess {
  /** Where clients read how to get a token. */
  metadataUrl: () => string;
}

/** A request with an `Idempotency-Key` that is being answered. */
export interface RequestInFlight extends RepeatableRequest {
  /** Its stored answer, if it repeats an answered request. */
  stored: Promise<StoredAnswer | undefined>;
}

/** Requests with an `Idempotency-Key` that are being answered, by customer and key. */
export type RequestsInFlight = Map<string, RequestInFlight>;

/** What the endpoints need of the accounts. */
export interface ServiceStore
  extends PaidCallStore,
    Pick<AccountStore, 'readBalance' | 'readKeyAccount' | 'recordPaymentEvent' | 'findKeyOfSecret'>,
    Pick<NodeStore, 'flush' | 'fault' | 'counts' | 'readAnswerTotals'> {}

export type ServiceState = 'starting' | 'ok' | 'stopping';

export interface ServiceDeps {
  settings: Settings;
  log: Log;
  observer: ServiceObserver;
  store: ServiceStore;
  requests: RequestRecorder;
  /** Undefined if customers cannot connect clients. */
  clientAccess: ClientAccess | undefined;
  searchLimiter: ConcurrencyLimiter;
  requestsInFlight: RequestsInFlight;
  topUp: TopUp;
  /** Limits webhook events that are being received. */
  webhookLimiter: ConcurrencyLimiter;
  /** Searches the local index only. */
  search: (request: SearchRequest) => Promise<LocalAnswer>;
  /** Finds papers that are similar to one. Rejects with `unknown_paper`, among others. */
  similar: (request: SimilarRequest) => Promise<LocalAnswer>;
  /** Looks up papers by their ids. */
  findPapers: (request: PapersRequest) => Promise<PapersAnswer>;
  /** Lists what has changed in the index. Rejects with `cursor_over`, among others. */
  listChanges: (request: ChangesRequest) => Promise<ListedChanges>;
  /** Counts what is in the index. */
  summarizeIndex: () => Promise<IndexSummary>;
  /** Verifies quotes and references against the local index. Customers take turns. */
  verify: (task: VerifyTask, customerId: number) => Promise<VerifiedItems>;
  /** Undefined if no lane is enabled. */
  lanes: ServiceLanes | undefined;
  respondToMcp: RespondToMcp;
  indexEngine: Index['engine'];
  totals: () => Promise<IndexTotals>;
  /** Names the state of the index: see index-version.ts. */
  indexVersion: () => Promise<string>;
  /** The number of documents, cheap enough to read for every search. */
  countDocuments: () => Promise<number>;
  state: () => ServiceState;
  /** What is known of damage to what is stored. */
  damage: Pick<DamageRegister, 'all' | 'blockingReason'>;
  version: string;
  /** The name of the model of the index. */
  modelName: () => Promise<string>;
  now: () => number;
}
