/**
 * How a request reaches a provider: behind the breaker, each hop in its turn, repeated where the
 * provider asked for a moment and there is the time.
 */
import { LaneFailure, LaneSkip } from './failure.ts';
import type { Flight } from './flights.ts';
import type { HttpAnswer, HttpClient, HttpRequest } from './http-client.ts';
import type { Pace } from './pace.ts';
import type { Exchange, Provider } from './provider.ts';
import { followRedirects } from './redirects.ts';
import type { Standing } from './standing.ts';

export interface ExchangeParts {
  provider: Provider;
  client: HttpClient;
  pace: Pace;
  standing: Standing;
  limits: { laneAnswerMsMin: number; laneRedirectsMax: number };
}

const HAND_OVER_MS = 50;

/** Returns what gives each flight its way to the provider. */
export function createExchange(parts: ExchangeParts): (flight: Flight) => Exchange {
  const { provider, pace, standing, limits } = parts;
  /** Whether a turn comes early enough, as far as can be known. */
  const isInTime = (flight: Flight): boolean =>
    performance.now() + pace.waitMs(1) + limits.laneAnswerMsMin <= flight.deadline;

  const sendHop = (request: HttpRequest, flight: Flight): Promise<HttpAnswer> => {
    if (isInTime(flight)) return sendInTurn(parts, request, flight);
    throw new LaneSkip(standing.refusal()?.reason ?? 'no_time');
  };

  return (flight) => async (request, read) => {
    for (let tries = 0; ; tries++) {
      try {
        return await standing.guard(async () => {
          const answer = await followRedirects(request, limits.laneRedirectsMax, async (hop) =>
            sendHop(hop, flight),
          );
          return read(answer);
        });
      } catch (error) {
        const isAgain = isRateLimited(error) && tries < provider.retriesMax && isInTime(flight);
        if (!isAgain) throw error;
      }
    }
  };
}

function sendInTurn(
  { provider, client, pace, standing, limits }: ExchangeParts,
  request: HttpRequest,
  flight: Flight,
): Promise<HttpAnswer> {
  const send = async (): Promise<HttpAnswer> => {
    flight.isSent = true;
    const answer = await beforeDeadline(flight, (signal) => client.exchange(request, signal));
    const { exhaustedForMs, ...paceLimits } = provider.budgetOf(answer.headers);
    pace.limit(paceLimits);
    if (exhaustedForMs !== undefined) standing.pause(exhaustedForMs);
    return answer;
  };
  return pace.run(send, {
    signal: flight.signal,
    startMax: () => flight.deadline - limits.laneAnswerMsMin,
  });
}

/**
 * Gives a request up shortly before nobody waits any more: who has a part of the answer by then
 * can still hand it over.
 */
async function beforeDeadline<Result>(
  flight: Flight,
  request: (signal: AbortSignal) => Promise<Result>,
): Promise<Result> {
  const late = new AbortController();
  let timer: NodeJS.Timeout | undefined;
  // The deadline moves when somebody with more time joins.
  const watch = (): void => {
    const leftMs = flight.deadline - HAND_OVER_MS - performance.now();
    if (leftMs <= 0) late.abort();
    else timer = setTimeout(watch, Math.ceil(leftMs));
  };
  watch();
  try {
    return await request(AbortSignal.any([flight.signal, late.signal]));
  } finally {
    clearTimeout(timer);
  }
}

function isRateLimited(error: unknown): boolean {
  return error instanceof LaneFailure && error.reason === 'rate_limited';
}
