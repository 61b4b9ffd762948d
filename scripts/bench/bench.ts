/** The state that the sections of a run share: the index, queries, yardsticks and failures. */
import { count, some, text, type ValuesOf } from '../measure/options.ts';
import type { Drawn, QuerySets } from './queries.ts';
import { embedInWorkers, embedOneByOne } from './tasks/embed.ts';

const sections = [
  ...(['serving', 'verifying', 'retrieval', 'recall', 'adding', 'keeping', 'building'] as const),
] as const;

export const options = {
  db: text('the index; it is copied and stays as it is (default: the sample)'),
  queries: count(360, 'queries that are measured', 36),
  seed: count(1, 'draws other queries'),
  clients: count(32, 'clients of the closed loop', 8),
  seconds: count(10, 'how long the closed loop runs', 1),
  starts: count(5, 'starts of the server', 2),
  documents: count(2000, 'documents of which an index is built', 64),
  rounds: count(3, 'times that it is built, and embedded alone', 1),
  added: count(500, 'documents that are added while a client searches', 32),
  only: some(sections),
};

export type BenchOptions = ValuesOf<typeof options>;

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
export function textsOf({ drawn }: Bench, part: keyof QuerySets): string[] {
  return drawn.queries[part].map(({ text }) => text);
}

/**
 * Measures E once more. Call it right before and after anything that is reported as a multiple of
 * E, because on a shared machine E changes within a minute.
 */
export async function measureEmbedding(bench: Bench): Promise<void> {
  const queries = textsOf(bench, 'measured');
  const warmUp = textsOf(bench, 'warmUp');
  bench.embedMs.push(...(await embedOneByOne({ queries, warmUp })));
}

/** Measures L once more. */
export async function measureWorkers(bench: Bench): Promise<void> {
  const queries = textsOf(bench, 'load');
  const warmUp = textsOf(bench, 'warmUp');
  const seconds = Math.max(1, bench.options.seconds / 2);
  bench.workerRates.push(await embedInWorkers({ queries, warmUp, seconds }));
}
