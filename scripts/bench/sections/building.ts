/** Measures the overhead of a build: `index add` compared with embedding the same texts alone. */
import { join } from 'node:path';
import { runVerbatim } from '../../measure/processes.ts';
import { median } from '../../measure/statistics.ts';
import type { Bench } from '../bench.ts';
import type { Figures } from '../rows.ts';
import { embedBatches } from '../tasks/embed.ts';
import { writeSample } from '../tasks/write-sample.ts';

/**
 * Both sides are whole processes that start, load the model and end. They alternate, and each pair
 * is compared by itself, because the machine can be slower a minute later.
 */
export async function measureBuilding({ folder, source, options }: Bench): Promise<Figures> {
  const path = join(folder, 'sample.jsonl');
  const batchesPath = join(folder, 'sample-batches.json');
  const { documents, seed, rounds } = options;
  await writeSample({ database: source, path, batchesPath, count: documents, seed });
  const ratios: number[] = [];
  for (let round = 0; round < rounds; round++) {
    const aloneMs = await timeOf(() => embedBatches({ path: batchesPath }));
    const database = join(folder, `built-${round}.db`);
    const buildMs = await timeOf(() => runVerbatim(['index', 'add', path, '--db', database]));
    ratios.push(aloneMs / buildMs);
  }
  return { building: median(ratios) };
}

async function timeOf(work: () => Promise<unknown>): Promise<number> {
  const started = performance.now();
  await work();
  return performance.now() - started;
}
