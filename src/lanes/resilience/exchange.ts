/**
 * How a request reaches a provider: behind the circuit breaker, each redirect through the rate
 * limiter, and repeated after a short backoff if the provider allows it and there is time. A request
 * that has been sent runs to its own time limit, even if nobody waits for it anymore.
 */
import type { LaneDocument } from '../lane/lane.ts';
import { LaneFailure, LaneSkip } from '../lane/lane-errors.ts';
import type { Exchange, HttpRequest, HttpResponse, Provider } from '../lane/provider.ts';
import { followRedirects } from '../transport/follow-redirects.ts';
import type { HttpClient } from '../transport/http-client.ts';
import type { Availability } from './availability.ts';
import type { MetricsRecorder } from './lane-counters.ts';
import type { RateLimiter } from './lane-rate-limiter.ts';
import type { LatencyTracker } from './latency-tracker.ts';
import type { Flight } from './single-flight.ts';

export interface ExchangeLimits {
  laneAnswerMsMin: number;
  laneRedirectsMax: number;
  laneTimeoutMs: number;
}

export interface ExchangeDeps {
  provider: Provider;
  client: HttpClient;
  rateLimiter: RateLimiter;
  availability: Availability;
  metrics: MetricsRecorder;
  latency: LatencyTracker;
  limits: ExchangeLimits;
  /** Called just before each request is sent. */
  onRequest: () => void;
}

type DocumentsFlight = Flight<LaneDocument[]>;

/** Returns a function that makes the exchange of each flight. */
export function createExchange(deps: ExchangeDeps): (flight: DocumentsFlight) => Exchange {
  const { provider, rateLimiter, availability, limits } = deps;
  /** Whether the rate limiter lets a request through early enough, as far as it can know. */
  const isInTime = (flight: DocumentsFlight): boolean =>
    performance.now() + rateLimiter.waitMs() + limits.laneAnswerMsMin <= flight.awaitedUntil();

  const sendHop = (request: HttpRequest, flight: DocumentsFlight): Promise<HttpResponse> => {
    if (flight.isSent || isInTime(flight)) return sendRateLimited(deps, request, flight);
    throw new LaneSkip(availability.current()?.reason ?? 'throttled');
  };

  return (flight) => async (request, read) => {
    for (let retries = 0; ; retries++) {
      try {
        return await availability.run(async () => {
          const response = await followRedirects(request, limits.laneRedirectsMax, async (hop) =>
            sendHop(hop, flight),
          );
          return read(response);
        });
      } catch (error) {
        const mayRetry = isRateLimited(error) && retries < provider.retriesMax && isInTime(flight);
        if (!mayRetry) throw error;
      }
    }
  };
}

function sendRateLimited(
  deps: ExchangeDeps,
  request: HttpRequest,
  flight: DocumentsFlight,
): Promise<HttpResponse> {
  const { provider, client, rateLimiter, availability, metrics, latency, limits } = deps;
  const send = async (): Promise<HttpResponse> => {
    // While this request was queued, another process may have started a backoff or used up the cap.
    const backoff = availability.backoff();
    if (backoff !== undefined) throw new LaneSkip(backoff.reason);
    flight.isSent = true;
    deps.onRequest();
    const started = performance.now();
    const response = await latency.track(client.exchange(request, flight.signal));
    metrics.recordLatency(performance.now() - started);
    const { exhaustedForMs, ...rateLimits } = provider.quotaOf(response.headers);
    rateLimiter.tighten(rateLimits);
    if (exhaustedForMs !== undefined) availability.startBackoff(exhaustedForMs);
    return response;
  };
  const flightLimit = performance.now() + limits.laneTimeoutMs;
  return rateLimiter.run(send, {
    signal: flight.signal,
    startMax: () => (flight.isSent ? flightLimit : flight.awaitedUntil() - limits.laneAnswerMsMin),
  });
}

function isRateLimited(error: unknown): boolean {
  return error instanceof LaneFailure && error.reason === 'rate_limited';
}
