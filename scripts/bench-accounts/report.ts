/** The report of a run, as JSON or as text. */
import { print, printJson, printTable } from '../../src/commands/cli/output.ts';
import { formatBytes } from '../../src/text/format-bytes.ts';
import type { Machine } from '../bench/machine.ts';

/** A row of the table. */
export interface Figures {
  label: string;
  unit: string;
  /** Missing where SQLite has nothing like it. */
  sqlite?: number;
  postgres: number;
}

export interface Report {
  machine: Machine;
  /** The version of PostgreSQL. */
  postgres: string;
  rows: Figures[];
  /** One sentence per error. If there is one, the figures mean nothing. */
  wrong: string[];
}

const WRONG_SHOWN_MAX = 20;

/** Prints to standard output. */
export function printReport(report: Report, { asJson }: { asJson: boolean }): void {
  if (asJson) {
    printJson(report);
    return;
  }
  const { machine, postgres, rows, wrong } = report;
  print(`${machine.cpu}, ${machine.cores} cores, ${formatBytes(machine.memoryBytes)} memory`);
  print(`Node ${machine.node}, ${machine.system}, load before ${machine.loadBefore.toFixed(2)}`);
  print(`PostgreSQL ${postgres}\n`);
  printTable(
    ['measure', 'SQLite', 'PostgreSQL', 'ratio'],
    rows.map(({ label, unit, sqlite, postgres: other }) => [
      label,
      sqlite === undefined ? '' : `${short(sqlite)} ${unit}`,
      `${short(other)} ${unit}`,
      sqlite === undefined ? '' : (other / sqlite).toFixed(2),
    ]),
  );
  for (const sentence of wrong.slice(0, WRONG_SHOWN_MAX)) print(`wrong: ${sentence}`);
  if (wrong.length > WRONG_SHOWN_MAX) print(`and ${wrong.length - WRONG_SHOWN_MAX} more`);
}

function short(value: number): string {
  return value >= 100 ? String(Math.round(value)) : value.toPrecision(3);
}
