/** Measures one client's searches while a command works on the served file: it is added to, backed up, or optimized. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { lines } from '../../large/records.ts';
import { type Searched, searchOneByOne } from '../../measure/clients.ts';
import { runVerbatim, runVerbatimJson } from '../../measure/processes.ts';
import { startServer } from '../../measure/server.ts';
import { quantile } from '../../measure/statistics.ts';
import { type Bench, textsOf } from '../bench.ts';
import type { Figures } from '../rows.ts';

/** What is removed before optimizing, so that there are pages to give back. */
const REMOVED_MAX = 5_000;

interface Meanwhile {
  search(count: number): Promise<Searched>;
  /**
   * Runs a command with `--json`. Returns what it printed, and the ratio of the p99 while it runs to that
   * of the same server before and after it.
   */
  ratioDuring<Result>(command: readonly string[]): Promise<{ ratio: number; result: Result }>;
}

export function measureAdding(bench: Bench): Promise<Figures> {
  return withClient(bench, async ({ ratioDuring }) => {
    const { added } = bench.options;
    const papers = lines(added);
    const path = join(bench.folder, 'added.jsonl');
    writeFileSync(path, Array.from({ length: added }, () => papers.next().value).join(''));
    const adding = await ratioDuring<{ added: number }>(['index', 'add', path]);
    if (adding.result.added !== added) {
      bench.failures.push(`${adding.result.added} of ${added} documents were added`);
    }
    return { adding: adding.ratio };
  });
}

export function measureKeeping(bench: Bench): Promise<Figures> {
  return withClient(bench, async ({ search, ratioDuring }) => {
    const backup = await ratioDuring(['backup', join(bench.folder, 'backup.db')]);
    const { answered } = await search(bench.options.queries);
    const found = new Set(answered.flatMap(({ answer }) => answer.results.map(({ d }) => d)));
    const removed = [...found].slice(0, REMOVED_MAX);
    await runVerbatim(['index', 'remove', ...removed, '--db', bench.copy]);
    const optimizing = await ratioDuring(['index', 'optimize']);
    return { backup: backup.ratio, optimizing: optimizing.ratio };
  });
}

async function withClient(
  bench: Bench,
  work: (meanwhile: Meanwhile) => Promise<Figures>,
): Promise<Figures> {
  const { copy, secret, options } = bench;
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
  const warm = await searchOneByOne(target, textsOf(bench, 'warmUp'));
  bench.failures.push(...warm.failures);
  const figures = await work({
    search,
    async ratioDuring<Result>(command: readonly string[]) {
      const before = await search(options.queries);
      let isRunning = true;
      const running = runVerbatimJson<Result>([...command, '--db', copy]).finally(() => {
        isRunning = false;
      });
      const goOn = (): boolean => isRunning;
      const [during, result] = await Promise.all([search(queries.length, goOn), running]);
      const after = await search(options.queries);
      const quiet = [...before.milliseconds, ...after.milliseconds];
      bench.quietMs.push(...quiet);
      return { ratio: quantile(during.milliseconds, 0.99) / quantile(quiet, 0.99), result };
    },
  });
  await server.stop();
  return figures;
}
