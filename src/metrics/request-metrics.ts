/** Requests by route and status, and searches by stage. The endpoints report each as it ends. */
import { Counter, type Registry } from 'prom-client';
import { type SearchStage, searchStages } from '../http/search-stages.ts';
import type { ServiceObserver } from '../http/service-observer.ts';
import { createDurations } from './durations.ts';

/** Registers the metrics and returns the observer that fills them. */
export function observeRequests(registry: Registry): ServiceObserver {
  const requests = new Counter({
    name: 'verbatim_http_requests_total',
    help: 'Responses to HTTP requests, by route and status.',
    labelNames: ['route', 'status'],
    registers: [registry],
  });
  const unsent = new Counter({
    name: 'verbatim_http_responses_unsent_total',
    help: 'Responses whose client was gone before they could be sent.',
    registers: [registry],
  });
  const responseTimes = createDurations(registry, {
    name: 'verbatim_http_request_duration_seconds',
    help: 'Time from the head of a request to its response, by route.',
    labelNames: ['route'],
  });
  const searchTimes = createDurations(registry, {
    name: 'verbatim_search_duration_seconds',
    help: 'Time from a valid search request to its results, of searches that have results.',
  });
  const outcomes = new Counter({
    name: 'verbatim_search_outcomes_total',
    help: 'Searches with results, by the first word of X-Lanes; no_lanes: lanes are off.',
    labelNames: ['outcome'],
    registers: [registry],
  });
  const stageTimes = createDurations(registry, {
    name: 'verbatim_search_stage_duration_seconds',
    help: 'Time that a search with results spent in each of its stages.',
    labelNames: ['stage'],
  });
  const notReranked = new Counter({
    name: 'verbatim_searches_not_reranked_total',
    help: 'Searches that the reranker was to order and did not: others waited (busy), or it took too long (late).',
    labelNames: ['reason'],
    registers: [registry],
  });
  for (const reason of ['busy', 'late']) notReranked.inc({ reason }, 0);
  const stages = searchStages.map((stage) => {
    // Rates of a series that begins with its first search would miss that search.
    stageTimes.zero({ stage });
    return [stage, stageTimes.labels(stage)] as const;
  });
  // The library looks labels up by a text that it builds of them, which takes longer than to count.
  const requestsOf = remember((route: string) =>
    remember((status: number) => requests.labels({ route, status })),
  );
  const responseTimesOf = remember((route: string) => responseTimes.labels({ route }));
  return {
    responded({ route, status, sent, milliseconds }) {
      requestsOf(route)(status).inc();
      if (!sent) unsent.inc();
      responseTimesOf(route).observe(milliseconds / 1000);
    },
    searched(milliseconds, times: Partial<Record<SearchStage, number>>) {
      searchTimes.observe(milliseconds / 1000);
      for (const [stage, histogram] of stages) {
        const time = times[stage];
        if (time !== undefined) histogram.observe(time / 1000);
      }
    },
    answered: (outcome) => outcomes.inc({ outcome }),
    notReranked: (reason) => notReranked.inc({ reason }),
  };
}

/** Returns a function that keeps each result of `make`. There are only so many routes and statuses. */
function remember<Key, Value>(make: (key: Key) => Value): (key: Key) => Value {
  const made = new Map<Key, Value>();
  return (key) => {
    const known = made.get(key);
    if (known !== undefined) return known;
    const value = make(key);
    made.set(key, value);
    return value;
  };
}
