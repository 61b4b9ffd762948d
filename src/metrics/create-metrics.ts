/** Puts the metrics of one service together. Each service has a registry of its own. */
import { Registry } from 'prom-client';
import type { ServiceObserver } from '../http/service-observer.ts';
import type { LaneState } from '../lanes/lane/lane.ts';
import { type DatabaseSources, registerDatabaseMetrics } from './database-metrics.ts';
import { measureEventLoop } from './event-loop.ts';
import { registerLaneMetrics } from './lane-metrics.ts';
import { type LedgerSources, registerLedgerMetrics } from './ledger-metrics.ts';
import { type ProcessSources, registerProcessMetrics } from './process-metrics.ts';
import { observeRequests } from './request-metrics.ts';
import { registerThreadMetrics, type ThreadSources } from './thread-metrics.ts';

/** What the metrics read. */
export interface MetricsSources
  extends DatabaseSources,
    LedgerSources,
    ProcessSources,
    ThreadSources {
  /** The state of each provider; none if no lane is on. */
  laneStates: () => LaneState[];
}

export interface Metrics {
  /** Receives what the endpoints report. */
  observer: ServiceObserver;
  /** Adds the metrics that are read from the parts of the service. Call it once. */
  register(sources: MetricsSources): void;
  /** Returns all metrics in Prometheus' text format. */
  read(): Promise<{ contentType: string; text: string }>;
  close(): void;
}

export function createMetrics(registry = new Registry()): Metrics {
  const observer = observeRequests(registry);
  const stopMeasuring = measureEventLoop(registry);
  return {
    observer,
    register(sources) {
      registerProcessMetrics(registry, sources);
      registerThreadMetrics(registry, sources);
      registerLedgerMetrics(registry, sources);
      registerLaneMetrics(registry, sources.laneStates);
      registerDatabaseMetrics(registry, sources);
    },
    read: async () => ({ contentType: registry.contentType, text: await registry.metrics() }),
    close: stopMeasuring,
  };
}
