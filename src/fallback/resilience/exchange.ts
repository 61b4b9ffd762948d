/**
 * How a request reaches a provider: behind the breaker, each hop in its turn, repeated where the
 * provider asked for a moment and there is the time. What has been sent goes on to its own limit,
 * whoever still waits for it.
 */

import type { LaneDocument } from '../lane/lane.ts';
import { LaneFailure, LaneSkip } from '../lane/lane-errors.ts';
import type { Exchange, Provider } from '../lane/provider.ts';
import type { HttpClient, HttpRequest, HttpResponse } from '../transport/http-client.ts';
import { followRedirects } from '../transport/redirects.ts';
import type { Availability } from './availability.ts';
import type { MetricsRecorder } from './lane-metrics.ts';
import type { LatencyTracker } from './latency-tracker.ts';
import type { RateLimiter } from './rate-limiter.ts';
import type { Flight } from './single-flight.ts';

export interface ExchangeLimits {
  laneAnswerMsMin: number;
  laneRedirectsMax: number;
  laneTimeoutMs: number;
}

export interface ExchangeDeps {
  provider: Provider;
  client: HttpClient;
  pace: RateLimiter;
  standing: Availability;
  activity: MetricsRecorder;
  limits: ExchangeLimits;
  slowness: LatencyTracker;
  /** Called for each request just before it leaves. */
  onRequest: () => void;
}

type DocumentsFlight = Flight<LaneDocument[]>;

/** Returns what gives each flight its way to the provider. */
export function createExchange(deps: ExchangeDeps): (flight: DocumentsFlight) => Exchange {
  const { provider, pace, standing, limits } = deps;
  /** Whether a turn comes early enough for those who wait, as far as can be known. */
  const isInTime = (flight: DocumentsFlight): boolean =>
    performance.now() + pace.waitMs() + limits.laneAnswerMsMin <= flight.awaitedUntil();

  const sendHop = (request: HttpRequest, flight: DocumentsFlight): Promise<HttpResponse> => {
    if (flight.isSent || isInTime(flight)) return sendRateLimited(deps, request, flight);
    throw new LaneSkip(standing.current()?.reason ?? 'no_time');
  };

  return (flight) => async (request, read) => {
    for (let tries = 0; ; tries++) {
      try {
        return await standing.run(async () => {
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

function sendRateLimited(
  { provider, client, pace, standing, activity, slowness, limits, onRequest }: ExchangeDeps,
  request: HttpRequest,
  flight: DocumentsFlight,
): Promise<HttpResponse> {
  const send = async (): Promise<HttpResponse> => {
    // Another process may have been asked to pause since, or this day's last request has left.
    const paused = standing.backoff();
    if (paused !== undefined) throw new LaneSkip(paused.reason);
    flight.isSent = true;
    onRequest();
    const started = performance.now();
    const answer = await slowness.track(client.exchange(request, flight.signal));
    activity.recordLatency(performance.now() - started);
    const { exhaustedForMs, ...paceLimits } = provider.quotaOf(answer.headers);
    pace.tighten(paceLimits);
    if (exhaustedForMs !== undefined) standing.startBackoff(exhaustedForMs);
    return answer;
  };
  const limitOfFlight = performance.now() + limits.laneTimeoutMs;
  return pace.run(send, {
    signal: flight.signal,
    startMax: () =>
      flight.isSent ? limitOfFlight : flight.awaitedUntil() - limits.laneAnswerMsMin,
  });
}

function isRateLimited(error: unknown): boolean {
  return error instanceof LaneFailure && error.reason === 'rate_limited';
}
