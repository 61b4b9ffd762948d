/** Threads, queues, and searches in flight. */
import type { Registry } from 'prom-client';
import type { PoolCounts } from '../workers/pool.ts';
import { counterAtScrape, gaugeAtScrape, type Sample } from './read-at-scrape.ts';

export interface ThreadSources {
  /** The pools by the role of their threads. */
  pools: () => Readonly<Record<string, PoolCounts>>;
  /** The lengths of the queues by their names. */
  queues: () => Readonly<Record<string, number>>;
  searchesInFlight: () => number;
  /** The most searches that may be in flight. */
  inFlightMax: number;
}

export function registerThreadMetrics(registry: Registry, sources: ThreadSources): void {
  const { pools, queues, searchesInFlight, inFlightMax } = sources;
  const ofPools = (count: keyof PoolCounts) => (): Sample[] =>
    Object.entries(pools()).map(([role, counts]) => ({ labels: { role }, value: counts[count] }));
  gaugeAtScrape(registry, {
    name: 'verbatim_threads',
    help: 'Worker threads, by role.',
    labelNames: ['role'],
    read: ofPools('threads'),
  });
  gaugeAtScrape(registry, {
    name: 'verbatim_thread_tasks',
    help: 'Tasks that worker threads run or have next, by role.',
    labelNames: ['role'],
    read: ofPools('tasks'),
  });
  counterAtScrape(registry, {
    name: 'verbatim_threads_died_total',
    help: 'Worker threads that died and were replaced, by role.',
    labelNames: ['role'],
    read: ofPools('threadsDied'),
  });
  gaugeAtScrape(registry, {
    name: 'verbatim_queue_length',
    help: 'What waits, by queue: searches for a thread, ledger operations for a transaction, outcomes of searches for a ledger that can be written, documents to be learned.',
    labelNames: ['queue'],
    read: () => Object.entries(queues()).map(([queue, value]) => ({ labels: { queue }, value })),
  });
  gaugeAtScrape(registry, {
    name: 'verbatim_searches_in_flight',
    help: 'Searches that have a permit.',
    read: searchesInFlight,
  });
  gaugeAtScrape(registry, {
    name: 'verbatim_searches_in_flight_max',
    help: 'The most searches that may have a permit.',
    read: () => inFlightMax,
  });
}
