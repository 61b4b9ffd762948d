/**
 * `npm run bench:accounts`: the same paid calls and searches with the accounts in the SQLite file and on a
 * PostgreSQL that the benchmark starts, in turns.
 *
 *   run.ts ─► measure-calls.ts    ─► bench/tasks/ call-accounts.ts (a process each)
 *          └► measure-searches.ts ─► `verbatim serve` from dist/
 *
 * Exits 1 if a ledger is wrong or a request failed, but not for a missed bound, because figures depend on
 * the machine.
 */
import { runMain } from '../bench/run-main.ts';
import { performTask } from '../bench/tasks.ts';
import { inTemporaryFolder } from '../bench/temporary-folder.ts';
import { parseOptions } from './options.ts';
import { printReport } from './report.ts';
import { runBench } from './run.ts';

const EXIT_FAILED = 1;

const [, , first, second] = process.argv;

await runMain('bench-accounts', () =>
  first === 'task' && second !== undefined ? performTask(second) : measure(process.argv.slice(2)),
);

async function measure(args: readonly string[]): Promise<void> {
  const options = parseOptions(args);
  const report = await inTemporaryFolder('bench-accounts', (folder) => runBench(options, folder));
  printReport(report, { asJson: options.json });
  if (report.wrong.length > 0) process.exitCode = EXIT_FAILED;
}
