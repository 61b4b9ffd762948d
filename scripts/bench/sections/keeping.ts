/** Measures one client's searches while the served file is backed up, and while it is optimized. */
import { join } from 'node:path';
import type { Answered } from '../answers-hash.ts';
import { type Bench, textsOf } from '../bench.ts';
import { type Searched, searchOneByOne } from '../clients.ts';
import { runVerbatim, runVerbatimJson } from '../processes.ts';
import type { Figures } from '../rows.ts';
import { startServer } from '../server.ts';
import { quantile } from '../statistics.ts';

/** What is removed before optimizing, so that there are pages to give back. */
const REMOVED_MAX = 5_000;

/**
 * Returns the ratios of the p99 during each command to that of the same server before and after it.
 */
export async function measureKeeping(bench: Bench): Promise<Figures> {
  const { copy, folder, secret, options } = bench;
  const server = await startServer(copy);
  const target = { port: server.port, secret };
  const queries = textsOf(bench, 'load');
  let asked = 0;
  const search = async (count: number, goOn?: () => boolean): Promise<Searched> => {
    const searched = await searchOneByOne(target, queries.slice(asked, asked + count), goOn);
    asked = (asked + searched.milliseconds.length) % (queries.length - options.queries);
    bench.failures.push(...searched.failures);
    return searched;
  };
  const ratioDuring = async (command: string[]): Promise<number> => {
    const before = await search(options.queries);
    let isRunning = true;
    const running = runVerbatimJson([...command, '--db', copy]).finally(() => {
      isRunning = false;
    });
    const [during] = await Promise.all([search(queries.length, () => isRunning), running]);
    const after = await search(options.queries);
    const quiet = [...before.milliseconds, ...after.milliseconds];
    bench.quietMs.push(...quiet);
    return quantile(during.milliseconds, 0.99) / quantile(quiet, 0.99);
  };
  await search(options.warmUp);
  const backup = await ratioDuring(['backup', join(folder, 'backup.db')]);
  const found = await search(options.queries);
  await runVerbatim(['index', 'remove', ...idsIn(found.answered), '--db', copy]);
  const optimizing = await ratioDuring(['index', 'optimize']);
  await server.stop();
  return { backup, optimizing };
}

function idsIn(answered: readonly Answered[]): string[] {
  const ids = answered.flatMap(({ answer }) => answer.results.map(({ d }) => d));
  return [...new Set(ids)].slice(0, REMOVED_MAX);
}
