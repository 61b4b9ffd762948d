/** Measures retrieval and citation with several times the documents. */
import { createReadStream } from 'node:fs';
import { join } from 'node:path';
import { type Bench, textsOf } from '../bench.ts';
import { runTask } from '../processes.ts';
import type { Figures } from '../rows.ts';
import { quantile } from '../statistics.ts';

const FACTOR = 8;
/** The two indexes alternate, so that both meet the same load of the machine. */
const ROUNDS = 2;

export async function measureGrowth(bench: Bench): Promise<Figures> {
  const { source, folder, options } = bench;
  const beside = options.smoke ? join(folder, 'grown.db') : `${source}.grown`;
  const grown = options.growth || beside;
  await runTask('grow', { from: source, to: grown, factor: FACTOR, seed: options.seed });
  const input = { queries: textsOf(bench, 'measured'), warmUp: textsOf(bench, 'warmUp') };
  const baseMs: number[] = [];
  const grownMs: number[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    for (const [database, milliseconds] of [
      [source, baseMs],
      [grown, grownMs],
    ] as const) {
      await readThrough(database);
      milliseconds.push(...(await runTask('retrieve', { database, ...input })).milliseconds);
    }
  }
  return { growth: quantile(grownMs, 0.5) / quantile(baseMs, 0.5) };
}

/** Reads a file into the system's cache as far as it fits, so that the disk is not compared. */
async function readThrough(path: string): Promise<void> {
  for await (const _chunk of createReadStream(path, { highWaterMark: 1 << 20 }));
}
