/**
 * `npm run ordeal`: puts the program in dist/ under overload, kills it, and takes its disk and its
 * clock away. Server and clients are processes of their own, pinned to a core each.
 *
 *   main.ts ─► sections/ ─► a server from dist/, and load/ in another process
 *
 * Exits 1 if a bound is missed, if a client is charged for nothing, or if the ledger does not add up.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { detailsOf, VerbatimError } from '../../src/errors.ts';
import { endProcesses } from '../bench/processes.ts';
import { LOAD_ARGUMENT, performLoad } from './load/processes.ts';
import { parseOptions } from './options.ts';
import { printReport } from './report.ts';
import { runOrdeal } from './run.ts';

const EXIT_FAILED = 1;
const EXIT_USAGE = 2;
const EXIT_INTERRUPTED = 130;

try {
  if (process.argv[2] === LOAD_ARGUMENT) await performLoad();
  else await undergo(process.argv.slice(2));
} catch (error) {
  const isUsage = error instanceof VerbatimError && error.code === 'usage';
  process.stderr.write(`ordeal: ${isUsage ? error.message : detailsOf(error)}\n`);
  process.exitCode = isUsage ? EXIT_USAGE : EXIT_FAILED;
}

async function undergo(args: readonly string[]): Promise<void> {
  const options = parseOptions(args);
  const folder = mkdtempSync(join(tmpdir(), 'verbatim-ordeal-'));
  const tidyUp = (): void => {
    endProcesses();
    rmSync(folder, { recursive: true, force: true });
  };
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.once(signal, () => {
      tidyUp();
      process.exit(EXIT_INTERRUPTED);
    });
  }
  try {
    const report = await runOrdeal(options, folder);
    printReport(report, { asJson: options.json });
    const isMissed = report.sections.some(({ rows }) => rows.some(({ isMet }) => isMet === false));
    if (isMissed || report.wrong.length > 0) process.exitCode = EXIT_FAILED;
  } finally {
    tidyUp();
  }
}
