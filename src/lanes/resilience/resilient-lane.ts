/**
 * One provider, shared by all customers, behind four layers: cache, single flight, availability
 * (backoff and circuit breaker), and rate limiter.
 */
import { detailsOf } from '../../errors.ts';
import type { Log } from '../../log.ts';
import type { LaneName } from '../../settings/lane-choice.ts';
import type { LaneDocument, LaneReport, LaneState } from '../lane/lane.ts';
import { LaneFailure, LaneLate, LaneSkip } from '../lane/lane-errors.ts';
import type { Inquiry, Provider, ReferenceLookUp } from '../lane/provider.ts';
import type { LaneCache } from '../records/lane-cache.ts';
import type { ProviderRecords } from '../records/lane-records.ts';
import { normalizeQuery } from '../text/query-text.ts';
import type { HttpClient } from '../transport/http-client.ts';
import type { AdaptiveDeadline } from './adaptive-deadline.ts';
import { type Availability, type AvailabilityLimits, createAvailability } from './availability.ts';
import { cacheKey, readDocuments, writeDocuments } from './document-cache.ts';
import { createExchange, type ExchangeLimits } from './exchange.ts';
import { createMetricsRecorder } from './lane-counters.ts';
import {
  createLease,
  createRateLimiter,
  LOST_REQUEST_MARGIN_MS,
  type ProviderLease,
  type RateLimiter,
} from './lane-rate-limiter.ts';
import { createLatencyTracker, type LatencyLimits } from './latency-tracker.ts';
import { createSingleFlight } from './single-flight.ts';

export interface LaneLimits extends AvailabilityLimits, ExchangeLimits, LatencyLimits {
  laneQueueMax: number;
}

export interface ResilientLaneDeps {
  provider: Provider;
  client: HttpClient;
  limits: LaneLimits;
  records: ProviderRecords;
  /** The key of the provider's backoffs in the records. */
  subject: string;
  /** 0: no cap. */
  requestsPerDayMax: number;
  /** Waits for every response, even if the provider has been slow. */
  isCheck: boolean;
  /** Whether to wait for a short backoff, because no other provider can be asked. */
  waitsForBackoff: boolean;
  cache?: LaneCache | undefined;
  log?: Log | undefined;
  /** Receives the documents of responses that no search waited for. */
  onLateDocuments: (documents: readonly LaneDocument[]) => void;
}

export interface LaneResponse {
  documents: LaneDocument[];
  report: LaneReport;
}

export interface ResilientLane {
  name: LaneName;
  /** Never throws, and resolves by the deadline. */
  ask(query: string, deadline: AdaptiveDeadline): Promise<LaneResponse>;
  /**
   * Makes the inquiry about a reference; undefined is skipped as `no_words`. A provider that looks up
   * none is skipped as `no_look_up`. Never throws, and resolves by the deadline.
   */
  lookUp(inquire: InquireReference, deadline: AdaptiveDeadline): Promise<LaneResponse>;
  /** Call it when a deadline has moved: rejects the queued requests that are too late now. */
  dropTooLate(): void;
  states(): LaneState[];
  close(): Promise<void>;
}

/** The inquiry about a reference. */
export type InquireReference = (lookUp: ReferenceLookUp) => Inquiry | undefined;

type Outcome = Pick<LaneReport, 'outcome' | 'reason'>;

export function createResilientLane(deps: ResilientLaneDeps): ResilientLane {
  const { provider, limits, records } = deps;
  const { name, lane } = provider;
  const cache = provider.isStorable ? deps.cache : undefined;
  const metrics = createMetricsRecorder();
  const singleFlight = createSingleFlight<LaneDocument[]>(deps.onLateDocuments);
  const { rateLimiter, availability } = createGate(deps);
  const latency = createLatencyTracker(limits);
  const onRequest = (): void => records.countRequest(name);
  const gate = { rateLimiter, availability };
  const exchangeFor = createExchange({ ...deps, ...gate, metrics, latency, onRequest });
  let isClosed = false;

  const find = async (
    inquiry: Inquiry,
    deadline: AdaptiveDeadline,
    waitsIfSlow = deps.isCheck,
  ): Promise<[LaneDocument[], Outcome]> => {
    if (isClosed) throw new LaneSkip('closed');
    const currentKey = (): string => cacheKey(name, inquiry.request());
    const key = currentKey();
    const cached = cache && (await readDocuments(cache, key));
    if (cached !== undefined) return [cached, { outcome: 'cached', reason: '' }];
    if (!singleFlight.has(key)) assertInTime(deps, { ...gate, deadline });
    const isForCacheOnly = latency.isSlow() && !waitsIfSlow;
    const waiting = isForCacheOnly ? { ...deadline, passed: AbortSignal.abort() } : deadline;
    const documents = await singleFlight.join(key, waiting, async (flight) => {
      const found = await inquiry.find(exchangeFor(flight), (partial) => {
        flight.partial = partial;
      });
      // If the key was rejected meanwhile, the request is another one now.
      if (cache !== undefined) writeDocuments(cache, currentKey(), found);
      return found;
    });
    return [documents, { outcome: 'answered', reason: '' }];
  };

  const report = async (finding: ReturnType<typeof find>): Promise<LaneResponse> => {
    const started = performance.now();
    const [documents, outcome] = await finding.catch(
      (error: unknown): [LaneDocument[], Outcome] => [[], outcomeOf(error, deps)],
    );
    metrics.count(outcome);
    const milliseconds = Math.round(performance.now() - started);
    const shown = documents.filter(({ withheld }) => withheld === undefined).length;
    const counts = { documents: shown, milliseconds };
    return { documents, report: { lane, provider: name, ...outcome, ...counts } };
  };
  const lookUp = async (
    inquire: InquireReference,
    deadline: AdaptiveDeadline,
  ): ReturnType<typeof find> => {
    if (provider.lookUp === undefined) throw new LaneSkip('no_look_up');
    const inquiry = inquire(provider.lookUp);
    if (inquiry === undefined) throw new LaneSkip('no_words');
    return await find(inquiry, deadline, true);
  };

  return {
    name: lane,
    ask: (query, deadline) => report(find(provider.inquire(normalizeQuery(query)), deadline)),
    lookUp: (inquire, deadline) => report(lookUp(inquire, deadline)),
    dropTooLate: () => rateLimiter.dropTooLate(),
    states: () => [
      {
        ...stateOf(deps, availability),
        metrics: metrics.read(),
        requestsToday: records.requestsToday(name),
      },
    ],
    close() {
      isClosed = true;
      rateLimiter.dropAll('closed');
      return singleFlight.close();
    },
  };
}

/** What `/health` shows of the provider, without its counts. */
function stateOf({ provider }: ResilientLaneDeps, availability: Availability) {
  const { state, retryAt } = availability.state();
  const isDegraded = state === 'ok' && provider.isDegraded?.() === true;
  const shown: LaneState['state'] = isDegraded ? 'degraded' : state;
  return { lane: provider.lane, provider: provider.name, state: shown, retryAt };
}

/** Availability and rate limiter, connected: a backoff delays the queue, an open circuit empties it. */
function createGate(deps: ResilientLaneDeps): {
  rateLimiter: RateLimiter;
  availability: Availability;
} {
  const { provider, limits } = deps;
  const rateLimiter = createRateLimiter({
    ...provider.rateLimits,
    queueMax: limits.laneQueueMax,
    lease: leaseOf(deps),
  });
  const availability = createAvailability({
    ...deps,
    name: provider.name,
    onUnavailable({ reason, forMs }) {
      if (reason === 'circuit_open') rateLimiter.dropAll(reason);
      else rateLimiter.delay(forMs, reason);
    },
  });
  return { rateLimiter, availability };
}

interface Waits {
  availability: Availability;
  rateLimiter: RateLimiter;
  deadline: AdaptiveDeadline;
}

/** Throws a LaneSkip if no response can arrive in time, as far as that is known. */
function assertInTime(
  { limits, waitsForBackoff }: ResilientLaneDeps,
  { availability, rateLimiter, deadline }: Waits,
): void {
  const isInTime = (waitMs: number): boolean =>
    performance.now() + waitMs + limits.laneAnswerMsMin <= deadline.at();
  const unavailable = availability.current();
  if (unavailable !== undefined) {
    // Nobody knows how a probe ends, so an open circuit is not worth waiting for.
    const isWorthWaiting = waitsForBackoff && unavailable.reason !== 'circuit_open';
    if (!isWorthWaiting || !isInTime(unavailable.forMs)) throw new LaneSkip(unavailable.reason);
    // The rate limiter does not know of a backoff that another process started.
    rateLimiter.delay(unavailable.forMs, unavailable.reason);
  }
  if (!isInTime(0)) throw new LaneSkip('no_time');
  if (!isInTime(rateLimiter.waitMs())) throw new LaneSkip('throttled');
}

/** Undefined for a provider that allows concurrent requests. */
function leaseOf({ provider, limits, records }: ResilientLaneDeps): ProviderLease | undefined {
  const { name, rateLimits } = provider;
  if (rateLimits.concurrencyMax > 1) return undefined;
  // A request may be on its way that long.
  const holdMs = limits.laneTimeoutMs + LOST_REQUEST_MARGIN_MS + rateLimits.gapMs;
  return createLease(records, name, holdMs);
}

/** The outcome of an error. An error that nobody expected is logged here, once. */
function outcomeOf(error: unknown, { provider, log }: ResilientLaneDeps): Outcome {
  if (error instanceof LaneSkip) return { outcome: 'skipped', reason: error.reason };
  if (error instanceof LaneLate) return { outcome: 'late', reason: '' };
  if (error instanceof LaneFailure) return { outcome: 'failed', reason: error.reason };
  log?.error('lane_failed', { provider: provider.name, reason: detailsOf(error) });
  return { outcome: 'failed', reason: 'internal' };
}
