/** Measures one client's searches while the served file is backed up. */
import { join } from 'node:path';
import { type Bench, textsOf } from '../bench.ts';
import { type Searched, searchOneByOne } from '../clients.ts';
import { runVerbatimJson } from '../processes.ts';
import type { Figures } from '../rows.ts';
import { startServer } from '../server.ts';
import { quantile } from '../statistics.ts';

/** Returns the ratio of the p99 during a backup to that of the same server before and after it. */
export async function measureKeeping(bench: Bench): Promise<Figures> {
  const { copy, folder, secret, options } = bench;
  const server = await startServer(copy);
  const target = { port: server.port, secret };
  const queries = textsOf(bench, 'load');
  let asked = 0;
  const search = async (count: number, goOn?: () => boolean): Promise<Searched> => {
    const searched = await searchOneByOne(target, queries.slice(asked, asked + count), goOn);
    asked += searched.milliseconds.length;
    bench.failures.push(...searched.failures);
    return searched;
  };
  await search(options.warmUp);
  const before = await search(options.queries);
  let isCopying = true;
  const copying = runVerbatimJson(['backup', join(folder, 'backup.db'), '--db', copy]).finally(
    () => {
      isCopying = false;
    },
  );
  const [during] = await Promise.all([search(queries.length, () => isCopying), copying]);
  const after = await search(options.queries);
  await server.stop();
  const quiet = [...before.milliseconds, ...after.milliseconds];
  bench.quietMs.push(...quiet);
  return { backup: quantile(during.milliseconds, 0.99) / quantile(quiet, 0.99) };
}
