/**
 * `npm run bench`: measures an index and the program in dist/, and compares with the bounds in
 * rows.ts. Times are multiples of the yardsticks E and L, which are measured in the same run.
 *
 *   run.ts ─► sections/ ─► processes.ts ─► tasks/ (a process each), or `verbatim` from dist/
 *
 * Exits 1 if an answer, the ledger or an added document is wrong, but not for a missed bound,
 * because figures depend on the machine.
 */
import { rmSync } from 'node:fs';
import { detailsOf, VerbatimError } from '../../src/errors.ts';
import { parseOptions } from './options.ts';
import { endProcesses } from './processes.ts';
import { printReport } from './report.ts';
import { runBench } from './run.ts';
import { performTask } from './tasks.ts';

const EXIT_FAILED = 1;
const EXIT_USAGE = 2;
const EXIT_INTERRUPTED = 130;

const [, , first, second] = process.argv;

try {
  if (first === 'task' && second !== undefined) await performTask(second);
  else await measure(process.argv.slice(2));
} catch (error) {
  const isUsage = error instanceof VerbatimError && error.code === 'usage';
  process.stderr.write(`bench: ${isUsage ? error.message : detailsOf(error)}\n`);
  process.exitCode = isUsage ? EXIT_USAGE : EXIT_FAILED;
}

async function measure(args: readonly string[]): Promise<void> {
  const options = parseOptions(args);
  const report = await runBench(options, removeWhenInterrupted);
  printReport(report, { asJson: options.json });
  if (report.wrong.length > 0) process.exitCode = EXIT_FAILED;
}

/** Copies are as large as the index, so Ctrl-C must remove them. */
function removeWhenInterrupted(folder: string): void {
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.once(signal, () => {
      endProcesses();
      rmSync(folder, { recursive: true, force: true });
      process.exit(EXIT_INTERRUPTED);
    });
  }
}
