/** Prints the result of `index add --dry-run` for people. */

import type { FileForecast } from '../../ingest/dry-run-of-build.ts';
import { formatBytes } from '../../text/format-bytes.ts';
import { formatNumber } from '../../text/format-number.ts';
import { describeCounts, describeMostFrequent, print, printable } from '../cli/output.ts';
import { formatDuration } from '../cli/progress.ts';
import type { BuildEstimate } from './build-estimate.ts';

export function printForecast(forecast: FileForecast): void {
  const { file, format, read, taken, withAbstract, deletions, columns } = forecast;
  const counts = { read, taken, 'with abstract': withAbstract, deletions };
  print(printable(`${file}: ${format}, ${describeCounts(counts)}`));
  printIndented('to skip', describeCounts(forecast.skippedBy));
  printIndented('left out', describeCounts(forecast.leftOutBy));
  if (columns !== undefined) {
    const used = columns.used.map(({ column, field }) => `${column} (${field})`);
    printIndented('columns used', used.join(', '));
    printIndented('columns ignored', columns.ignored.join(', '));
  }
  printIndented('languages', describeValues(forecast.languages));
  printIndented('types', describeValues(forecast.types));
}

export function printEstimate(taken: number, estimate: BuildEstimate): void {
  const { texts, diskBytes, seconds, textsPerSecond, textsMeasured } = estimate;
  print(
    `${formatNumber(taken)} records would be taken, with ${formatNumber(texts)} titles and sentences`,
  );
  if (texts === 0) return;
  print(`at most about ${formatBytes(diskBytes)} of disk and ${formatDuration(seconds)}:`);
  printIndented(
    'time',
    `reading at the speed just measured, and embedding ${formatNumber(textsPerSecond)} texts/s, ` +
      `measured on this machine with ${formatNumber(textsMeasured)} texts`,
  );
  printIndented('disk', 'size per text of an index of 162,000 papers');
  print('Known records, and records that join others, take less. Nothing was written.');
}

function printIndented(what: string, text: string): void {
  if (text !== '') print(printable(`  ${what}: ${text}`));
}

/** Values as the source writes them. */
function describeValues(counts: Readonly<Record<string, number>>): string {
  return describeMostFrequent(Object.entries(counts).sort(([, a], [, b]) => b - a));
}
