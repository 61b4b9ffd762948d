/**
 * One provider behind cache, single flight, standing and pace, in that order. All customers share
 * it.
 */
import { detailsOf } from '../../errors.ts';
import type { LaneName } from '../../lane-choice.ts';
import type { Log } from '../../log.ts';
import { LaneFailure, LaneLate, LaneSkip } from '../lanes/failure.ts';
import type { HttpClient } from '../lanes/http-client.ts';
import type { LaneDocument, LaneReport, LaneState } from '../lanes/lane.ts';
import type { Provider } from '../lanes/provider.ts';
import { normalizeQuery } from '../lanes/query-text.ts';
import { createActivity } from './activity.ts';
import { cacheKey, type LaneCache, readDocuments, writeDocuments } from './cache.ts';
import { createExchange, type ExchangeLimits } from './exchange.ts';
import { createFlights } from './flights.ts';
import { createPace, LOST_REQUEST_MARGIN_MS, type Pace, type SharedTurns } from './pace.ts';
import type { Patience } from './patience.ts';
import type { ProviderRecords } from './provider-records.ts';
import { createSlowness, type SlownessLimits } from './slowness.ts';
import { createStanding, type Standing, type StandingLimits } from './standing.ts';

export interface LaneLimits extends StandingLimits, ExchangeLimits, SlownessLimits {
  laneQueueMax: number;
}

export interface GovernedLaneDeps {
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
  waitsForPauses: boolean;
  cache?: LaneCache | undefined;
  log?: Log | undefined;
  /** Gets what was answered when nobody waited for it any more. */
  onLate: (documents: readonly LaneDocument[]) => void;
}

export interface LaneResponse {
  documents: LaneDocument[];
  report: LaneReport;
}

export interface GovernedLane {
  name: LaneName;
  /** Never throws; is over with the patience. */
  ask(query: string, patience: Patience): Promise<LaneResponse>;
  /** To be called when somebody's patience has become shorter. */
  dropLate(): void;
  states(): LaneState[];
  close(): Promise<void>;
}

type Outcome = Pick<LaneReport, 'outcome' | 'reason'>;

export function createGovernedLane(deps: GovernedLaneDeps): GovernedLane {
  const { provider, limits, records } = deps;
  const { name, lane } = provider;
  const cache = provider.isStorable ? deps.cache : undefined;
  const activity = createActivity();
  const flights = createFlights<LaneDocument[]>(deps.onLate);
  const { pace, standing } = createPaceAndStanding(deps);
  const slowness = createSlowness(limits);
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

  const find = async (query: string, patience: Patience): Promise<[LaneDocument[], Outcome]> => {
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
        flight.soFar = documents;
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
    dropLate: () => pace.dropLate(),
    states: () => [
      {
        ...stateOf(deps, standing),
        activity: activity.read(),
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
function stateOf({ provider }: GovernedLaneDeps, standing: Standing) {
  const { state, retryAt } = standing.state();
  const isWeaker = state === 'ok' && provider.isDegraded?.() === true;
  const shown: LaneState['state'] = isWeaker ? 'degraded' : state;
  return { lane: provider.lane, provider: provider.name, state: shown, retryAt };
}

/** When the provider may be asked; those who wait in the queue learn of its pauses and breaks. */
function createPaceAndStanding(deps: GovernedLaneDeps): { pace: Pace; standing: Standing } {
  const { provider, limits } = deps;
  const pace = createPace({
    ...provider.pace,
    queueMax: limits.laneQueueMax,
    turns: sharedTurns(deps),
  });
  const standing = createStanding({
    ...deps,
    name: provider.name,
    onPause({ reason, forMs }) {
      if (reason === 'circuit_open') pace.dropAll(reason);
      else pace.delay(forMs, reason);
    },
  });
  return { pace, standing };
}

/** Throws a LaneSkip where no answer can come in time, as far as can be known. */
function assertInTime(
  { limits, waitsForPauses }: GovernedLaneDeps,
  { standing, pace, patience }: { standing: Standing; pace: Pace; patience: Patience },
): void {
  const isInTime = (waitMs: number): boolean =>
    performance.now() + waitMs + limits.laneAnswerMsMin <= patience.until();
  const refusal = standing.refusal();
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
  provider: { name, pace },
  limits,
  records,
}: GovernedLaneDeps): SharedTurns | undefined {
  if (pace.concurrencyMax > 1) return undefined;
  // Where this process dies with a request under way, as long as that could have lasted.
  const holdMs = limits.laneTimeoutMs + LOST_REQUEST_MARGIN_MS + pace.gapMs;
  return {
    waitMs: () => records.turnWaitMs(name),
    take: () => records.takeTurn(name, holdMs),
    end: (gapMs) => records.endTurn(name, gapMs),
  };
}

/** What a lane without an answer reports. An error that was not isExpectedError is logged here, once. */
function outcomeOf(error: unknown, { provider, log }: GovernedLaneDeps): Outcome {
  if (error instanceof LaneSkip) return { outcome: 'skipped', reason: error.reason };
  if (error instanceof LaneLate) return { outcome: 'late', reason: '' };
  if (error instanceof LaneFailure) return { outcome: 'failed', reason: error.reason };
  log?.error('lane_failed', { provider: provider.name, reason: detailsOf(error) });
  return { outcome: 'failed', reason: 'internal' };
}
