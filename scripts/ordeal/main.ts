/**
 * `npm run ordeal`: puts the program in dist/ under overload, kills it, and takes its disk and its
 * clock away. Server and clients are processes of their own, pinned to a core each.
 *
 *   main.ts ─► sections/ ─► a server from dist/, and load/ in another process
 *
 * Exits 1 if a bound is missed, if a client is charged for nothing, or if the ledger does not add up.
 */
import { runMain } from '../bench/run-main.ts';
import { inTemporaryFolder } from '../bench/temporary-folder.ts';
import { LOAD_ARGUMENT, performLoad } from './load/processes.ts';
import { parseOptions } from './options.ts';
import { printReport } from './report.ts';
import { runOrdeal } from './run.ts';

const EXIT_FAILED = 1;

await runMain('ordeal', () =>
  process.argv[2] === LOAD_ARGUMENT ? performLoad() : undergo(process.argv.slice(2)),
);

async function undergo(args: readonly string[]): Promise<void> {
  const options = parseOptions(args);
  const report = await inTemporaryFolder('ordeal', (folder) => runOrdeal(options, folder));
  printReport(report, { asJson: options.json });
  const isMissed = report.sections.some(({ rows }) => rows.some(({ isMet }) => isMet === false));
  if (isMissed || report.wrong.length > 0) process.exitCode = EXIT_FAILED;
}
