/**
 * `npm run bench`: measures an index and the program in dist/, and compares with the bounds in
 * rows.ts. Times are multiples of the yardsticks E and L, which are measured in the same run.
 *
 *   run.ts ─► sections/ ─► processes.ts ─► tasks/ (a process each), or `verbatim` from dist/
 *
 * Exits 1 if an answer, the ledger or an added document is wrong, but not for a missed bound,
 * because figures depend on the machine.
 */
import { parseOptions } from './options.ts';
import { printReport } from './report.ts';
import { runBench } from './run.ts';
import { runMain } from './run-main.ts';
import { performTask } from './tasks.ts';

const EXIT_FAILED = 1;

const [, , first, second] = process.argv;

await runMain('bench', () =>
  first === 'task' && second !== undefined ? performTask(second) : measure(process.argv.slice(2)),
);

async function measure(args: readonly string[]): Promise<void> {
  const options = parseOptions(args);
  const report = await runBench(options);
  printReport(report, { asJson: options.json });
  if (report.wrong.length > 0) process.exitCode = EXIT_FAILED;
}
