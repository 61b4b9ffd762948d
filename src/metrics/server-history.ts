/**
 * The numbers of the server now, and its samples of the last day: in memory, and in its own file for
 * the next start. A restart loses at most the interval under way.
 */
import type { SampleStore } from '../accounts/sql/server-samples.ts';
import { every } from '../workers/every.ts';
import { parseExposition } from './exposition.ts';
import { readSample, type ServerSample, sampleOf, writeSample } from './server-sample.ts';
import { type ServiceNumbers, serviceNumbers, type TimedReading } from './service-numbers.ts';

export interface ServerHistory {
  /** Resolves to the numbers since the last sample, or since the one before if that is too recent. */
  numbers(): Promise<ServiceNumbers>;
  /** The samples, oldest first. */
  samples(): readonly ServerSample[];
  /** Takes a sample, and stores it. Never rejects. */
  sample(): Promise<void>;
  close(): void;
}

export interface ServerHistoryOptions {
  /** Reads the metrics in Prometheus' text format. */
  read: () => Promise<{ text: string }>;
  store: SampleStore;
  historyStepMs: number;
  historySamplesMax: number;
  now: () => number;
  /** Receives why a sample was not taken or not stored. */
  onFailure: (error: unknown) => void;
}

/** Rates of a shorter interval jump. */
const INTERVAL_MS_MIN = 10_000;

export function createServerHistory(options: ServerHistoryOptions): ServerHistory {
  const { store, historyStepMs, historySamplesMax, now, onFailure } = options;
  const oldest = (): number => now() - historyStepMs * historySamplesMax;
  const samples = restore(options, oldest());
  // The last two, the latest first.
  let readings: TimedReading[] = [];
  const read = async (): Promise<TimedReading> => {
    const { text } = await options.read();
    return { reading: parseExposition(text), at: now() };
  };
  const sample = async (): Promise<void> => {
    try {
      const reading = await read();
      const taken = sampleOf(reading, readings[0]);
      readings = [reading, ...readings.slice(0, 1)];
      samples.push(taken);
      samples.splice(0, samples.length - historySamplesMax);
      const { endedAt } = taken;
      await store.add({ endedAt, numbers: writeSample(taken), before: oldest() });
    } catch (error) {
      onFailure(error);
    }
  };
  return {
    async numbers() {
      const latest = await read();
      return serviceNumbers(
        latest,
        readings.find(({ at }) => latest.at - at >= INTERVAL_MS_MIN),
      );
    },
    samples: () => samples,
    sample,
    close: every(historyStepMs, sample),
  };
}

/** Reads the samples of the process before this one. */
function restore(
  { store, historySamplesMax, onFailure }: ServerHistoryOptions,
  since: number,
): ServerSample[] {
  try {
    return store
      .list(since)
      .slice(-historySamplesMax)
      .map(({ endedAt, numbers }) => readSample(endedAt, numbers));
  } catch (error) {
    // Charts that begin anew are better than no server.
    onFailure(error);
    return [];
  }
}
