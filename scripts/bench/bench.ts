/** The state that the sections of a run share: the index, queries, yardsticks and failures. */
import type { BenchOptions } from './options.ts';
import { runTask } from './processes.ts';
import type { Query, QuerySets } from './queries.ts';
import type { Drawn } from './tasks/draw.ts';

export interface Bench {
  options: BenchOptions;
  /** For temporary files. */
  folder: string;
  /** The original index, which does not change. */
  source: string;
  /** Its copy, which is served. */
  copy: string;
  /** Secret of a key of the copy. */
  secret: string;
  drawn: Drawn;
  /** Milliseconds to embed single queries, from all measurements of E. */
  embedMs: number[];
  /** All measurements of L. */
  workerRates: number[];
  /** Milliseconds of one client's searches on a quiet server. */
  quietMs: number[];
  /** The hashes of the answers, from each section that computes one. */
  hashes: string[];
  /** One sentence per failure. */
  failures: string[];
  ledgerDifferences: string[];
}

/** Returns the texts of one set of queries. */
export function textsOf(bench: Bench, part: keyof QuerySets): string[] {
  return bench.drawn.queries[part].map(({ text }: Query) => text);
}

/**
 * Measures E once more. Call it right before and after anything that is reported as a multiple of
 * E, because on a shared machine E changes within a minute.
 */
export async function measureEmbedding(bench: Bench): Promise<void> {
  const queries = textsOf(bench, 'measured');
  const warmUp = textsOf(bench, 'warmUp');
  bench.embedMs.push(...(await runTask('embedOneByOne', { queries, warmUp })));
}

/** Measures L once more. */
export async function measureWorkers(bench: Bench): Promise<void> {
  const queries = textsOf(bench, 'load');
  const warmUp = textsOf(bench, 'warmUp');
  const seconds = Math.max(1, bench.options.seconds / 2);
  bench.workerRates.push(await runTask('embedInWorkers', { queries, warmUp, seconds }));
}
