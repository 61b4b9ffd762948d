/**
 * `npm run soak`: runs the program in dist/ with misbehaving lanes and many customers. Lanes respond
 * slowly, with 429, with garbage, or not at all, in random order. Customers ask out-of-domain
 * questions.
 *
 * Exits with 1 if a customer got an error other than 504, if the ledger does not match the responses,
 * if arXiv got requests too often, if no lane served a search, or if memory grew.
 */

import { print, printJson, printTable } from '../../src/commands/cli/output.ts';
import { formatBytes } from '../../src/text/format-bytes.ts';
import { runMain } from '../bench/run-main.ts';
import { inTemporaryFolder } from '../bench/temporary-folder.ts';
import { parseOptions } from './options.ts';
import { type Report, soak } from './soak.ts';

const EXIT_FAILED = 1;

const options = parseOptions(process.argv.slice(2));
await runMain('soak', async () => {
  const report = await inTemporaryFolder('soak', (folder) => soak(options, folder));
  if (options.json) printJson(report);
  else printReport(report);
  if (report.wrong.length > 0) process.exitCode = EXIT_FAILED;
});

function printReport(report: Report): void {
  const { answers, outcomes, faults, arxivGapMsMin, arxivRequests, residentBytes, local } = report;
  const counts = (of: Record<string, number>): string =>
    Object.entries(of)
      .map(([name, count]) => `${name} ${count}`)
      .join(', ');
  const gap = arxivGapMsMin === undefined ? 'none' : `${arxivGapMsMin.toFixed(0)} ms`;
  const { start, most, last } = residentBytes;
  printTable(
    ['measure', 'value'],
    [
      ['responses by status', counts(answers)],
      ['searches by outcome of the lanes', counts(outcomes)],
      ['requests to the stubs by behavior', counts(faults)],
      ['median and p99 of a search', `${ms(report.medianMs)}, ${ms(report.p99Ms)}`],
      ['requests to arXiv, shortest gap', `${arxivRequests}, ${gap}`],
      ['memory at the start, maximum, at the end', [start, most, last].map(formatBytes).join(', ')],
      ['local answer, idle and with hanging lanes', `${ms(local.quietMs)}, ${ms(local.hangingMs)}`],
      ['ratio of medians, of p95', `${local.ratio.toFixed(2)}, ${local.p95Ratio.toFixed(2)}`],
    ],
  );
  for (const sentence of report.wrong) print(`wrong: ${sentence}`);
}

function ms(milliseconds: number): string {
  return `${milliseconds.toPrecision(3)} ms`;
}
