/** Measures retrieval and citation with several times the documents. */
import { createReadStream, statSync } from 'node:fs';
import { join } from 'node:path';
import { type Bench, textsOf } from '../bench.ts';
import { runTask } from '../processes.ts';
import type { Figures } from '../rows.ts';
import { quantile } from '../statistics.ts';

/** The two indexes alternate, so that both meet the same load of the machine. */
const ROUNDS = 2;

export async function measureGrowth(bench: Bench): Promise<Figures> {
  const { source, folder, options } = bench;
  const beside = options.smoke ? join(folder, 'grown.db') : `${source}.grown`;
  const grown = options.growth || beside;
  await runTask('grow', {
    from: source,
    to: grown,
    factor: options.growthFactor,
    seed: options.seed,
  });
  const input = { queries: textsOf(bench, 'measured'), warmUp: textsOf(bench, 'warmUp') };
  const baseMs: number[] = [];
  const grownMs: number[] = [];
  let grownMemory = 0;
  for (let round = 0; round < ROUNDS; round++) {
    for (const [database, milliseconds] of [
      [source, baseMs],
      [grown, grownMs],
    ] as const) {
      await readThrough(database);
      const retrieved = await runTask('retrieve', { database, ...input });
      milliseconds.push(...retrieved.milliseconds);
      if (database === grown) grownMemory = retrieved.memoryBytes / 1e6;
    }
  }
  const grownP50 = quantile(grownMs, 0.5);
  const { ofTen } = await runTask('recall', { database: grown, queries: input.queries });
  return {
    growth: grownP50 / quantile(baseMs, 0.5),
    grownP50,
    grownRecall: ofTen,
    grownMemory,
    grownFile: statSync(grown).size / 1e6,
  };
}

/** Reads a file into the system's cache as far as it fits, so that the disk is not compared. */
async function readThrough(path: string): Promise<void> {
  for await (const _chunk of createReadStream(path, { highWaterMark: 1 << 20 }));
}
