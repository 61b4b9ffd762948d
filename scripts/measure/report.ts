/** What a measurement found, as JSON or as text. */
import { availableParallelism, cpus, loadavg, release, totalmem, type } from 'node:os';
import { type Cell, print, printJson, printTable } from '../../src/commands/cli/output.ts';
import { formatBytes } from '../../src/text/format-bytes.ts';

/** Describes the machine of the figures. */
export function describeMachine() {
  return {
    cpu: cpus()[0]?.model.trim() ?? 'unknown',
    cores: availableParallelism(),
    memoryBytes: totalmem(),
    node: process.version,
    system: `${type()} ${release()}`,
    /** The load of the last minute. Above 0, other processes used the machine too. */
    loadBefore: loadavg()[0] ?? 0,
  };
}

export interface Table {
  head: readonly string[];
  rows: readonly (readonly Cell[])[];
}

export interface Outcome {
  /** For programs, beside the machine and what is wrong. */
  report: object;
  /** The same for people: sentences and tables. */
  shown: readonly (string | Table)[];
  /** One sentence for each thing that is wrong, whatever the machine. */
  wrong?: readonly string[];
  /** Whether a bound is missed on which the exit code depends. */
  isMissed?: boolean;
}

/** A figure with what it must be. */
export interface Row {
  measure: string;
  value: string;
  /** Undefined for what is only told. */
  bound?: string;
  isMet?: boolean;
}

const WRONG_SHOWN_MAX = 20;

/** Returns a row that is met if the value is at most `most`. */
export function atMost(
  measure: string,
  value: number,
  most: number,
  format: (value: number) => string = (one) => one.toFixed(2),
): Row {
  return { measure, value: format(value), bound: `<= ${format(most)}`, isMet: value <= most };
}

/** Rows as a table with this heading. */
export function tableOf(heading: string, rows: readonly Row[]): Table {
  return {
    head: [heading, 'value', 'bound', 'met'],
    rows: rows.map(({ measure, value, bound = '', isMet }) => [
      ...[measure, value, bound],
      isMet === undefined ? '' : isMet ? 'yes' : 'no',
    ]),
  };
}

type Machine = ReturnType<typeof describeMachine>;

/** Prints to standard output. */
export function printOutcome(machine: Machine, outcome: Outcome, isJson: boolean): void {
  const { report, shown, wrong = [] } = outcome;
  if (isJson) {
    printJson({ machine, ...report, wrong });
    return;
  }
  print(`${machine.cpu}, ${machine.cores} cores, ${formatBytes(machine.memoryBytes)} memory`);
  print(`Node ${machine.node}, ${machine.system}, load before ${machine.loadBefore.toFixed(2)}`);
  for (const part of shown) {
    if (typeof part === 'string') print(part);
    else {
      print('');
      printTable(part.head, part.rows);
    }
  }
  for (const sentence of wrong.slice(0, WRONG_SHOWN_MAX)) print(`wrong: ${sentence}`);
  if (wrong.length > WRONG_SHOWN_MAX) print(`and ${wrong.length - WRONG_SHOWN_MAX} more`);
}

/** A time with three significant digits. */
export function ms(milliseconds: number): string {
  return `${milliseconds.toPrecision(3)} ms`;
}

/** Counts by name: `200 17, 503 2`. */
export function countsOf(counts: Readonly<Record<string, number>>): string {
  return Object.entries(counts)
    .map(([name, number]) => `${name} ${number}`)
    .join(', ');
}

/** Tells how far it came, on standard error. */
export function say(text: string): void {
  process.stderr.write(`${text}\n`);
}
