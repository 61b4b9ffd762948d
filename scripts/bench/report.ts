/** The report of a run, as JSON or as text. */

import { formatNumber, print, printJson, printTable } from '../../src/commands/cli/output.ts';
import { formatBytes } from '../../src/text/format-bytes.ts';
import type { Machine } from './machine.ts';
import type { QueryKind } from './queries.ts';
import type { Row } from './rows.ts';

export interface Report {
  machine: Machine;
  index: { documents: number; sentences: number };
  queries: Record<QueryKind, number>;
  rows: Row[];
  /** The hash of all answers, undefined if no section asked queries. */
  hash: string | undefined;
  /** One sentence per error. If there is one, the figures mean nothing. */
  wrong: string[];
}

const WRONG_SHOWN_MAX = 20;
const DIGITS = 3;

/** Prints to standard output. */
export function printReport(report: Report, { asJson }: { asJson: boolean }): void {
  if (asJson) {
    printJson(report);
    return;
  }
  const { machine, index, queries, rows, hash, wrong } = report;
  print(`${machine.cpu}, ${machine.cores} cores, ${formatBytes(machine.memoryBytes)} memory`);
  print(`Node ${machine.node}, ${machine.system}, load before ${machine.loadBefore.toFixed(2)}`);
  print(`${formatNumber(index.documents)} documents, ${formatNumber(index.sentences)} sentences`);
  const kinds = Object.entries(queries).map(([kind, count]) => `${formatNumber(count)} ${kind}s`);
  print(`queries: ${kinds.join(', ')}\n`);
  printTable(
    ['measure', 'value', 'multiple', 'must', 'reach', 'met'],
    rows.map((row) => [
      ...[row.label, `${short(row.value)} ${row.unit}`.trim()],
      row.multiple === undefined ? '' : `${short(row.multiple)} ${row.yardstick}`,
      ...[row.must, row.reach].map((bound) =>
        bound === undefined ? '' : `${short(bound)} ${row.yardstick ?? row.unit}`.trim(),
      ),
      row.met ?? '',
    ]),
  );
  print(`\nanswers: ${hash ?? 'not hashed'}`);
  for (const sentence of wrong.slice(0, WRONG_SHOWN_MAX)) print(`wrong: ${sentence}`);
  if (wrong.length > WRONG_SHOWN_MAX) print(`and ${wrong.length - WRONG_SHOWN_MAX} more`);
}

/** Formats a number with three significant digits and all digits before the point. */
function short(value: number): string {
  const rounded = Number(value.toPrecision(DIGITS));
  return formatNumber(Math.abs(value) >= 10 ** DIGITS ? Math.round(value) : rounded);
}
