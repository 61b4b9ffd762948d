/** What the sections of a run share: the index, the queries, the yardsticks and what went wrong. */
import type { BenchOptions } from './options.ts';
import { runTask } from './processes.ts';
import type { Query, QuerySets } from './queries.ts';
import type { Drawn } from './tasks/draw.ts';

export interface Bench {
  options: BenchOptions;
  /** For files that are removed in the end. */
  folder: string;
  /** The index as it was given, which stays as it is. */
  source: string;
  /** Its copy, which is served. */
  copy: string;
  /** Secret of a key of the copy. */
  secret: string;
  drawn: Drawn;
  /** Milliseconds that queries took to be embedded alone, of all the times that E was measured. */
  embedMs: number[];
  /** L, each time that it was measured. */
  workerRates: number[];
  /** Milliseconds of one client's searches on a quiet server. */
  quietMs: number[];
  /** Of the answers, from each section that makes one. */
  hashes: string[];
  /** One sentence each. */
  failures: string[];
  ledgerDifferences: string[];
}

/** The texts of one part of the queries. */
export function textsOf(bench: Bench, part: keyof QuerySets): string[] {
  return bench.drawn.queries[part].map(({ text }: Query) => text);
}

/**
 * Measures E once more. Right before and after whatever is told in multiples of it: on a machine
 * that others use too, E is not the same a minute later.
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
