/** Histograms of durations. Prometheus counts in seconds, and we measure in milliseconds. */
import { Histogram, type Registry } from 'prom-client';

/** Upper bounds of the buckets in seconds, from half a millisecond to ten seconds. */
export const BUCKETS_SECONDS = [
  ...[0.0005, 0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10],
];

export interface DurationDescription {
  name: string;
  help: string;
  labelNames?: readonly string[];
}

/** Registers a histogram of seconds. */
export function createDurations(
  registry: Registry,
  { name, help, labelNames = [] }: DurationDescription,
): Histogram {
  return new Histogram({
    name,
    help,
    labelNames: [...labelNames],
    buckets: BUCKETS_SECONDS,
    registers: [registry],
  });
}
