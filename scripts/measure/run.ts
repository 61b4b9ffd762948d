/** How a measurement is described, and how it runs. */
import { Command } from 'commander';
import { detailsOf, VerbatimError } from '../../src/errors.ts';
import { type Options, parseOptions, type ValuesOf } from './options.ts';
import { performTask, TASK_ARGUMENT } from './processes.ts';
import { describeMachine, type Outcome, printOutcome } from './report.ts';

const EXIT_FAILED = 1;
const EXIT_USAGE = 2;

export interface Measurement<Table extends Options = Options> {
  options: Table;
  /** Shown after the options in --help. */
  notes?: string;
  run(values: ValuesOf<Table>): Promise<Outcome>;
}

/** Gives `run` the types of its options. */
export function defineMeasurement<Table extends Options>(
  measurement: Measurement<Table>,
): Measurement<Table> {
  return measurement;
}

/**
 * Runs a measurement with the arguments of this process, or one of its tasks. The process exits 1 if
 * something is wrong or a bound is missed, and 2 for wrong usage.
 */
export async function runMeasurement(
  name: string,
  about: string,
  { options, notes = '', run }: Measurement,
): Promise<void> {
  try {
    const [, , first, task = ''] = process.argv;
    if (first === TASK_ARGUMENT) return await performTask(task);
    const command = new Command(`npm run measure -- ${name}`).description(about);
    if (notes !== '') command.addHelpText('after', `\n${notes}`);
    const values = parseOptions(command, process.argv.slice(2), options);
    if (values === undefined) return;
    const machine = describeMachine();
    const outcome = await run(values);
    printOutcome(machine, outcome, values.json);
    if (outcome.isMissed || (outcome.wrong ?? []).length > 0) process.exitCode = EXIT_FAILED;
  } catch (error) {
    const isUsage = error instanceof VerbatimError && error.code === 'usage';
    process.stderr.write(`${name}: ${isUsage ? error.message : detailsOf(error)}\n`);
    process.exitCode = isUsage ? EXIT_USAGE : EXIT_FAILED;
  }
}
