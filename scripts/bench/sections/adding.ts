/** Measures one client's searches while `index add` writes to the served file. */
import { join } from 'node:path';
import { type Bench, textsOf } from '../bench.ts';
import { searchOneByOne } from '../clients.ts';
import { runTask, runVerbatimJson } from '../processes.ts';
import type { Figures } from '../rows.ts';
import { startServer } from '../server.ts';
import { quantile } from '../statistics.ts';

/**
 * Returns the ratio of the p99 during the build to that of a quiet server. The quiet searches are
 * those measured earlier, and as many right before the build.
 */
export async function measureAdding(bench: Bench): Promise<Figures> {
  const { copy, secret, options } = bench;
  const path = join(bench.folder, 'added.jsonl');
  await runTask('writeSynthetic', {
    database: copy,
    path,
    count: options.added,
    seed: options.seed,
  });
  const server = await startServer(copy);
  const target = { port: server.port, secret };
  const queries = textsOf(bench, 'adding');
  const warm = await searchOneByOne(target, textsOf(bench, 'warmUp'));
  const quiet = await searchOneByOne(target, queries.slice(0, options.queries));

  let isAdding = true;
  const adding = runVerbatimJson<{ added: number }>(['index', 'add', path, '--db', copy]).finally(
    () => {
      isAdding = false;
    },
  );
  const [{ added }, busy] = await Promise.all([
    adding,
    searchOneByOne(target, queries.slice(options.queries), () => isAdding),
  ]);
  await server.stop();

  bench.quietMs.push(...quiet.milliseconds);
  bench.failures.push(...warm.failures, ...quiet.failures, ...busy.failures);
  if (added !== options.added) {
    bench.failures.push(`${added} of ${options.added} documents were added`);
  }
  return { adding: quantile(busy.milliseconds, 0.99) / quantile(bench.quietMs, 0.99) };
}
