/**
 * `npm run pages`: times each page of customers and operators on a real server that has much to show.
 * The server is started anew for each page, which is the first thing that it is asked. Then one
 * server is asked for all pages several times.
 *
 * Exits with 1 if a page took longer than the bound.
 */
import { join } from 'node:path';
import { samplePath } from '../../src/bundle.ts';
import { print, printJson, printTable } from '../../src/commands/cli/output.ts';
import { runVerbatim } from '../bench/processes.ts';
import { runMain } from '../bench/run-main.ts';
import { inTemporaryFolder } from '../bench/temporary-folder.ts';
import { fillDatabase } from './fill-database.ts';
import { parseOptions } from './options.ts';
import { type PageTimes, timePages } from './time-pages.ts';

const EXIT_FAILED = 1;

await runMain('pages', async () => {
  const options = parseOptions(process.argv.slice(2));
  const pages = await inTemporaryFolder('pages', async (folder) => {
    const database = join(folder, 'verbatim.db');
    await runVerbatim(['index', 'add', samplePath(), '--db', database]);
    return await timePages(database, fillDatabase(database, options), options);
  });
  const slow = pages.filter(({ firstMs, maxMs }) => Math.max(firstMs, maxMs) > options.boundMs);
  if (options.json) printJson({ boundMs: options.boundMs, pages, slow: slow.length });
  else printTimes(pages, slow, options.boundMs);
  if (slow.length > 0) process.exitCode = EXIT_FAILED;
});

function printTimes(pages: readonly PageTimes[], slow: readonly PageTimes[], boundMs: number) {
  printTable(
    ['page', 'first ms', 'median ms', 'max ms', 'kB'],
    pages.map(({ path, firstMs, medianMs, maxMs, bytes }) => [
      ...[path, Math.round(firstMs), Math.round(medianMs), Math.round(maxMs)],
      Math.round(bytes / 1024),
    ]),
  );
  if (slow.length === 0) print(`All pages took at most ${boundMs} ms.`);
  for (const { path } of slow) print(`over ${boundMs} ms: ${path}`);
}
