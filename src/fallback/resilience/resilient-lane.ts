/**
 * One provider behind cache, single flight, standing and pace, in that order. All customers share
 * it.
 */
import { detailsOf } from '../../errors.ts';
import type { LaneName } from '../../lane-choice.ts';
import type { Log } from '../../log.ts';
import type { LaneDocument, LaneReport, LaneState } from '../lane/lane.ts';
import { LaneFailure, LaneLate, LaneSkip } from '../lane/lane-errors.ts';
import type { Provider } from '../lane/provider.ts';
import { normalizeQuery } from '../text/query-text.ts';
import type { HttpClient } from '../transport/http-client.ts';
import type { AdaptiveDeadline } from './adaptive-deadline.ts';
import { type Availability, type AvailabilityLimits, createAvailability } from './availability.ts';
import { cacheKey, type LaneCache, readDocuments, writeDocuments } from './document-cache.ts';
import { createExchange, type ExchangeLimits } from './exchange.ts';
import type { ProviderRecords } from './in-memory-records.ts';
import { createMetricsRecorder } from './lane-metrics.ts';
import { createLatencyTracker, type LatencyLimits } from './latency-tracker.ts';
import {
  createRateLimiter,
  LOST_REQUEST_MARGIN_MS,
  type ProviderLease,
  type RateLimiter,
} from './rate-limiter.ts';
import { createSingleFlight } from './single-flight.ts';

export interface LaneLimits extends AvailabilityLimits, ExchangeLimits, LatencyLimits {
  laneQueueMax: number;
}

export interface ResilientLaneDeps {
  provider: Provider;
  client: HttpClient;
  limits: LaneLimits;
  records: ProviderRecords;
  /** Of the provider's pauses in the records. */
  subject: string;
  /** 0: no cap. */
  requestsPerDayMax: number;
  /** Every answer is waited for, however slow the provider has been. */
  isCheck: boolean;
  /** Whether a short pause is worth waiting for, as there is no other provider to turn to. */
  waitsForBackoff: boolean;
  cache?: LaneCache | undefined;
  log?: Log | undefined;
  /** Gets what was answered when nobody waited for it any more. */
  onLateDocuments: (documents: readonly LaneDocument[]) => void;
}

export interface LaneResponse {
  documents: LaneDocument[];
  report: LaneReport;
}

export interface ResilientLane {
  name: LaneName;
  /** Never throws; is over with the patience. */
  ask(query: string, patience: AdaptiveDeadline): Promise<LaneResponse>;
  /** To be called when somebody's patience has become shorter. */
  dropTooLate(): void;
  states(): LaneState[];
  close(): Promise<void>;
}

type Outcome = Pick<LaneReport, 'outcome' | 'reason'>;

export function createResilientLane(deps: ResilientLaneDeps): ResilientLane {
  const { provider, limits, records } = deps;
  const { name, lane } = provider;
  const cache = provider.isStorable ? deps.cache : undefined;
  const activity = createMetricsRecorder();
  const flights = createSingleFlight<LaneDocument[]>(deps.onLateDocuments);
  const { pace, standing } = createPaceAndStanding(deps);
  const slowness = createLatencyTracker(limits);
  const onRequest = (): void => records.countRequest(name);
  const exchangeFor = createExchange({
    ...deps,
    pace,
    standing,
    activity,
    slowness,
    onRequest,
  });
  let isClosed = false;

  const find = async (
    query: string,
    patience: AdaptiveDeadline,
  ): Promise<[LaneDocument[], Outcome]> => {
    if (isClosed) throw new LaneSkip('closed');
    const asked = normalizeQuery(query);
    const keyNow = (): string => cacheKey(name, provider.requestFor(asked));
    const key = keyNow();
    const kept = cache && readDocuments(cache, key);
    if (kept !== undefined) return [kept, { outcome: 'cached', reason: '' }];
    if (!flights.has(key)) assertInTime(deps, { standing, pace, patience });
    const isForCache = slowness.isSlow() && !deps.isCheck;
    const waiting = isForCache ? { ...patience, over: AbortSignal.abort() } : patience;
    const documents = await flights.join(key, waiting, async (flight) => {
      const found = await provider.ask(asked, exchangeFor(flight), (documents) => {
        flight.partial = documents;
      });
      // Without a key that was rejected meanwhile, it is another request.
      if (cache !== undefined) writeDocuments(cache, keyNow(), found);
      return found;
    });
    return [documents, { outcome: 'answered', reason: '' }];
  };

  return {
    name: lane,
    async ask(query, patience) {
      const started = performance.now();
      const [documents, outcome] = await find(query, patience).catch(
        (error: unknown): [LaneDocument[], Outcome] => [[], outcomeOf(error, deps)],
      );
      activity.count(outcome);
      const milliseconds = Math.round(performance.now() - started);
      const shown = documents.filter(({ withheld }) => withheld === undefined).length;
      const counts = { documents: shown, milliseconds };
      return { documents, report: { lane, provider: name, ...outcome, ...counts } };
    },
    dropTooLate: () => pace.dropTooLate(),
    states: () => [
      {
        ...stateOf(deps, standing),
        metrics: activity.read(),
        requestsToday: records.requestsToday(name),
      },
    ],
    close() {
      isClosed = true;
      pace.dropAll('closed');
      return flights.close();
    },
  };
}

/** What /health says of the provider, but for its counts. */
function stateOf({ provider }: ResilientLaneDeps, standing: Availability) {
  const { state, retryAt } = standing.state();
  const isWeaker = state === 'ok' && provider.isDegraded?.() === true;
  const shown: LaneState['state'] = isWeaker ? 'degraded' : state;
  return { lane: provider.lane, provider: provider.name, state: shown, retryAt };
}

/** When the provider may be asked; those who wait in the queue learn of its pauses and breaks. */
function createPaceAndStanding(deps: ResilientLaneDeps): {
  pace: RateLimiter;
  standing: Availability;
} {
  const { provider, limits } = deps;
  const pace = createRateLimiter({
    ...provider.rateLimits,
    queueMax: limits.laneQueueMax,
    lease: sharedTurns(deps),
  });
  const standing = createAvailability({
    ...deps,
    name: provider.name,
    onUnavailable({ reason, forMs }) {
      if (reason === 'circuit_open') pace.dropAll(reason);
      else pace.delay(forMs, reason);
    },
  });
  return { pace, standing };
}

/** Throws a LaneSkip where no answer can come in time, as far as can be known. */
function assertInTime(
  { limits, waitsForBackoff: waitsForPauses }: ResilientLaneDeps,
  {
    standing,
    pace,
    patience,
  }: { standing: Availability; pace: RateLimiter; patience: AdaptiveDeadline },
): void {
  const isInTime = (waitMs: number): boolean =>
    performance.now() + waitMs + limits.laneAnswerMsMin <= patience.at();
  const refusal = standing.current();
  if (refusal !== undefined) {
    // Behind a break there is no telling what comes.
    const isWorthWaiting = waitsForPauses && refusal.reason !== 'circuit_open';
    if (!isWorthWaiting || !isInTime(refusal.forMs)) throw new LaneSkip(refusal.reason);
    // Of a pause that another process was asked for, the queue does not know yet.
    pace.delay(refusal.forMs, refusal.reason);
  }
  if (!isInTime(pace.waitMs())) throw new LaneSkip('no_time');
}

/** Undefined for a provider that may be asked several things at a time. */
function sharedTurns({
  provider: { name, rateLimits: pace },
  limits,
  records,
}: ResilientLaneDeps): ProviderLease | undefined {
  if (pace.concurrencyMax > 1) return undefined;
  // Where this process dies with a request under way, as long as that could have lasted.
  const holdMs = limits.laneTimeoutMs + LOST_REQUEST_MARGIN_MS + pace.gapMs;
  return {
    waitMs: () => records.turnWaitMs(name),
    acquire: () => records.takeTurn(name, holdMs),
    release: (gapMs) => records.endTurn(name, gapMs),
  };
}

/** What a lane without an answer reports. An error that was not isExpectedError is logged here, once. */
function outcomeOf(error: unknown, { provider, log }: ResilientLaneDeps): Outcome {
  if (error instanceof LaneSkip) return { outcome: 'skipped', reason: error.reason };
  if (error instanceof LaneLate) return { outcome: 'late', reason: '' };
  if (error instanceof LaneFailure) return { outcome: 'failed', reason: error.reason };
  log?.error('lane_failed', { provider: provider.name, reason: detailsOf(error) });
  return { outcome: 'failed', reason: 'internal' };
}
