/** The report of a trial, as JSON or as text. */
import { print, printJson, printTable } from '../../src/commands/cli/output.ts';
import { placeNames } from './compare.ts';
import { partNames } from './cost.ts';
import type { Report } from './run.ts';

/** Prints to standard output. */
export function printReport(report: Report, { asJson }: { asJson: boolean }): void {
  if (asJson) {
    printJson(report);
    return;
  }
  const { machine, figures, costs, comparison, audit, skipped, wrong, options } = report;
  print(`${machine.cpu}, ${machine.cores} cores, load before ${machine.loadBefore.toFixed(2)}`);
  print(`${options.nodes} nodes, ${options.clients} clients, ${options.customers} customers`);
  print('');
  printTable(
    ['around a kill of', 'kills', 'answers/s', 'p50', 'p99', 'refused', 'failed', 'longest pause'],
    figures.map(({ name, kills, figures: found }) => [
      ...[name, kills, found.answersPerSecond.toFixed(0)],
      ...[milliseconds(found.p50Ms), milliseconds(found.p99Ms)],
      ...[found.refused, found.failed, milliseconds(found.pauseMs)],
    ]),
  );
  if (comparison !== undefined) {
    print('');
    printTable(
      [`the same ${comparison.questions} questions to`, 'p50'],
      placeNames.map((name) => [name, milliseconds(comparison.p50Ms[name])]),
    );
  }
  print('');
  printTable(
    ['searches', 'number'],
    [
      ['answered', audit.answered],
      ['charged', audit.charged],
      ['released', audit.released],
      ['answered and released', audit.free],
    ],
  );
  print('');
  printTable(
    ['processor time of an answer', 'in all'],
    partNames.map((name) => [name, `${costs[name].toFixed(2)} ms`]),
  );
  for (const sentence of skipped) print(`skipped: ${sentence}`);
  for (const sentence of wrong) print(`wrong: ${sentence}`);
  if (wrong.length === 0) print('everything adds up');
}

function milliseconds(value: number): string {
  return `${value.toFixed(0)} ms`;
}
