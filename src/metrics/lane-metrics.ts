/** Fallback lanes by provider. The lanes count, and a scrape reads. */
import type { Registry } from 'prom-client';
import type { LaneState } from '../lanes/lane/lane.ts';
import { counterAtScrape, gaugeAtScrape, type Sample } from './read-at-scrape.ts';

const states: readonly LaneState['state'][] = ['ok', 'degraded', 'open', 'exhausted'];

/** `readStates` returns nothing if no lane is on. */
export function registerLaneMetrics(registry: Registry, readStates: () => LaneState[]): void {
  counterAtScrape(registry, {
    name: 'verbatim_lane_questions_total',
    help: 'Questions of searches to a provider, by outcome and, if skipped or failed, reason.',
    labelNames: ['lane', 'provider', 'outcome', 'reason'],
    read: () => readStates().flatMap(outcomesOf),
  });
  gaugeAtScrape(registry, {
    name: 'verbatim_lane_state',
    help: '1 for the state that the provider is in, 0 for the others.',
    labelNames: ['lane', 'provider', 'state'],
    read: () =>
      readStates().flatMap(({ lane, provider, state: current }) =>
        states.map((state) => ({
          labels: { lane, provider, state },
          value: state === current ? 1 : 0,
        })),
      ),
  });
  gaugeAtScrape(registry, {
    name: 'verbatim_lane_requests_today',
    help: 'Requests to the provider since midnight UTC, of all processes that share the database.',
    labelNames: ['lane', 'provider'],
    read: () =>
      readStates().map(({ lane, provider, requestsToday }) => ({
        labels: { lane, provider },
        value: requestsToday,
      })),
  });
}

function outcomesOf({ lane, provider, metrics }: LaneState): Sample[] {
  const { answered, cached, late, skipped, failed } = metrics;
  const sampleOf = (outcome: string, value: number, reason = ''): Sample => ({
    labels: { lane, provider, outcome, reason },
    value,
  });
  const plain = Object.entries({ answered, cached, late });
  // Rates of a series that begins with its first failure would miss it.
  const withReason = Object.entries({ skipped, failed }).flatMap(([outcome, byReason]) => [
    sampleOf(outcome, 0),
    ...Object.entries(byReason).map(([reason, value]) => sampleOf(outcome, value, reason)),
  ]);
  return [...plain.map(([outcome, value]) => sampleOf(outcome, value)), ...withReason];
}
