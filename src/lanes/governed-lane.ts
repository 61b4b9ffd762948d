/**
 * One lane: its provider behind cache, single flight, standing and pace, in that order. All
 * customers share it.
 */
import { detailsOf } from '../errors.ts';
import type { Log } from '../log.ts';
import { cacheKey, type LaneCache, readDocuments, writeDocuments } from './cache.ts';
import { createExchange } from './exchange.ts';
import { LaneFailure, LaneSkip } from './failure.ts';
import { createFlights } from './flights.ts';
import type { HttpClient } from './http-client.ts';
import type { LaneDocument, LaneReport, LaneState } from './lane.ts';
import { createPace } from './pace.ts';
import type { Provider } from './provider.ts';
import { normalizeQuery } from './query-text.ts';
import { createStanding, type StandingLimits } from './standing.ts';

export interface LaneLimits extends StandingLimits {
  laneAnswerMsMin: number;
  laneQueueMax: number;
  laneRedirectsMax: number;
}

export interface GovernedLaneParts {
  provider: Provider;
  /** What of the settings changes the answers: part of the cache's key. */
  variant: string;
  client: HttpClient;
  limits: LaneLimits;
  cache?: LaneCache | undefined;
  log?: Log | undefined;
}

export interface LaneAnswer {
  documents: LaneDocument[];
  report: LaneReport;
}

export interface GovernedLane {
  /** Never throws; is over by the deadline (performance.now()). */
  ask(query: string, deadline: number): Promise<LaneAnswer>;
  state(): LaneState;
  close(): void;
}

type Outcome = Pick<LaneReport, 'outcome' | 'reason'>;

export function createGovernedLane(parts: GovernedLaneParts): GovernedLane {
  const { provider, variant, limits } = parts;
  const { name, lane } = provider;
  const cache = provider.isStorable ? parts.cache : undefined;
  const flights = createFlights<LaneDocument[]>();
  const pace = createPace({ ...provider.pace, queueMax: limits.laneQueueMax });
  const standing = createStanding(limits, (reason, forMs) => {
    if (reason === 'circuit_open') pace.dropAll(reason);
    else pace.delay(forMs, reason);
  });
  const exchangeFor = createExchange({ ...parts, pace, standing });
  let isClosed = false;

  /** Throws a LaneSkip where no answer can come in time, as far as can be known. */
  const assertInTime = (deadline: number): void => {
    const refusal = standing.refusal();
    const waitMs = Math.max(refusal?.forMs ?? 0, pace.waitMs(provider.requestsPerQuestion));
    const isInTime = performance.now() + waitMs + limits.laneAnswerMsMin <= deadline;
    // A short pause can be waited for; behind a break there is no telling what comes.
    if (isInTime && refusal?.reason !== 'circuit_open') return;
    throw new LaneSkip(refusal?.reason ?? 'no_time');
  };

  const find = async (query: string, deadline: number): Promise<[LaneDocument[], Outcome]> => {
    if (isClosed) throw new LaneSkip('closed');
    const asked = normalizeQuery(query);
    const key = cacheKey(name, variant, asked);
    const kept = cache && readDocuments(cache, key);
    if (kept !== undefined) return [kept, { outcome: 'cached', reason: '' }];
    if (!flights.has(key)) assertInTime(deadline);
    const documents = await flights.join(key, deadline, async (flight) => {
      const found = await provider.ask(asked, exchangeFor(flight));
      if (cache !== undefined) writeDocuments(cache, key, found);
      return found;
    });
    return [documents, { outcome: 'answered', reason: '' }];
  };

  return {
    async ask(query, deadline) {
      const started = performance.now();
      const [documents, outcome] = await find(query, deadline).catch(
        (error: unknown): [LaneDocument[], Outcome] => [[], outcomeOf(error, parts)],
      );
      const milliseconds = Math.round(performance.now() - started);
      const counts = { documents: documents.length, milliseconds };
      return { documents, report: { lane, provider: name, ...outcome, ...counts } };
    },
    state() {
      const { state, retryAt } = standing.state();
      const isWeaker = state === 'ok' && provider.isDegraded?.() === true;
      return { lane, provider: name, state: isWeaker ? 'degraded' : state, retryAt };
    },
    close() {
      isClosed = true;
      pace.dropAll('closed');
      flights.abort();
    },
  };
}

/** What a lane without an answer reports. An error that was not foreseen is logged here, once. */
function outcomeOf(error: unknown, { provider, log }: GovernedLaneParts): Outcome {
  if (error instanceof LaneSkip) return { outcome: 'skipped', reason: error.reason };
  if (error instanceof LaneFailure) return { outcome: 'failed', reason: error.reason };
  log?.error('lane_failed', { provider: provider.name, reason: detailsOf(error) });
  return { outcome: 'failed', reason: 'internal' };
}
