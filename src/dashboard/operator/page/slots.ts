/** The samples of the last 24 hours in slots of 15 minutes, which the charts show. Pure. */
import { latencyOf, type ServerSample } from '../../../metrics/server-sample.ts';

export interface Slot {
  /** When it begins, in milliseconds since 1970. */
  startsAt: number;
  /** Undefined if the server did not run. */
  numbers: SlotNumbers | undefined;
}

export interface SlotNumbers {
  searches: number;
  p50Ms: number | undefined;
  p95Ms: number | undefined;
  refused: number;
  failed: number;
  /** The most of all samples. */
  waiting: number;
  searchesInFlight: number;
  memoryBytes: number;
  /** At the end. */
  databaseBytes: number;
  walBytes: number;
}

const SLOT_MS = 900_000;
const SLOTS = 96;

/** Returns the slots up to the one under way, oldest first. */
export function slotsOf(samples: readonly ServerSample[], now: number): Slot[] {
  const latest = Math.floor(now / SLOT_MS);
  const bySlot = new Map<number, ServerSample[]>();
  for (const sample of samples) {
    const slot = Math.floor(sample.endedAt / SLOT_MS);
    bySlot.set(slot, [...(bySlot.get(slot) ?? []), sample]);
  }
  return Array.from({ length: SLOTS }, (_, index) => {
    const slot = latest - SLOTS + 1 + index;
    const inSlot = bySlot.get(slot);
    return { startsAt: slot * SLOT_MS, numbers: inSlot && numbersOf(inSlot) };
  });
}

function numbersOf(samples: readonly ServerSample[]): SlotNumbers {
  const sum = (pick: (sample: ServerSample) => number): number =>
    samples.reduce((total, sample) => total + pick(sample), 0);
  const most = (pick: (sample: ServerSample) => number): number => Math.max(...samples.map(pick));
  return {
    searches: sum(({ searches }) => searches),
    p50Ms: latencyOf(0.5, samples),
    p95Ms: latencyOf(0.95, samples),
    refused: sum(({ refused }) => refused),
    failed: sum(({ failed }) => failed),
    waiting: most(({ waiting }) => waiting),
    searchesInFlight: most(({ searchesInFlight }) => searchesInFlight),
    memoryBytes: most(({ memoryBytes }) => memoryBytes),
    databaseBytes: samples.at(-1)?.databaseBytes ?? 0,
    walBytes: most(({ walBytes }) => walBytes),
  };
}
