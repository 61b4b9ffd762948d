/** Measures retrieval and citation with several times the documents. */
import { createReadStream, statSync } from 'node:fs';
import { join } from 'node:path';
import { quantile } from '../../measure/statistics.ts';
import { type Bench, textsOf } from '../bench.ts';
import type { Figures } from '../rows.ts';
import { grow } from '../tasks/grow.ts';
import { recall, retrieve } from '../tasks/retrieve.ts';

/** The two indexes alternate, so that both meet the same load of the machine. */
const ROUNDS = 2;

export async function measureGrowth(bench: Bench): Promise<Figures> {
  const { source, folder, options } = bench;
  const beside = options.smoke ? join(folder, 'grown.db') : `${source}.grown`;
  const grown = options.growth ?? beside;
  const { seed, growthFactor: factor } = options;
  await grow({ from: source, to: grown, factor, seed });
  const input = { queries: textsOf(bench, 'measured'), warmUp: textsOf(bench, 'warmUp') };
  const times: Record<string, number[]> = { [source]: [], [grown]: [] };
  let grownMemory = 0;
  for (let round = 0; round < ROUNDS; round++) {
    for (const database of [source, grown]) {
      await readThrough(database);
      const { milliseconds, memoryBytes } = await retrieve({ database, ...input });
      times[database]?.push(...milliseconds);
      if (database === grown) grownMemory = memoryBytes / 1e6;
    }
  }
  const grownP50 = quantile(times[grown] ?? [], 0.5);
  const { ofTen } = await recall({ database: grown, queries: input.queries });
  const growth = grownP50 / quantile(times[source] ?? [], 0.5);
  const grownFile = statSync(grown).size / 1e6;
  return { growth, grownP50, grownRecall: ofTen, grownMemory, grownFile };
}

/** Reads a file into the system's cache as far as it fits, so that the disk is not compared. */
async function readThrough(path: string): Promise<void> {
  for await (const _chunk of createReadStream(path, { highWaterMark: 1 << 20 }));
}
