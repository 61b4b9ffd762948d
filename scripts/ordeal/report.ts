/** The report of an ordeal, as JSON or as text. */

import { print, printJson, printTable } from '../../src/commands/cli/output.ts';
import { formatBytes } from '../../src/text/format-bytes.ts';
import type { Report } from './run.ts';

/** Prints to standard output. */
export function printReport(report: Report, { asJson }: { asJson: boolean }): void {
  if (asJson) {
    printJson(report);
    return;
  }
  const { machine, cores, sections, wrong } = report;
  print(`${machine.cpu}, ${machine.cores} cores, ${formatBytes(machine.memoryBytes)} memory`);
  print(`Node ${machine.node}, ${machine.system}, load before ${machine.loadBefore.toFixed(2)}`);
  print(`pinned: ${cores}`);
  for (const { name, rows } of sections) {
    print('');
    printTable(
      [name, 'value', 'bound', 'met'],
      rows.map(({ measure, value, bound = '', isMet }) => [
        ...[measure, value, bound],
        isMet === undefined ? '' : isMet ? 'yes' : 'no',
      ]),
    );
  }
  for (const sentence of wrong) print(`wrong: ${sentence}`);
}
