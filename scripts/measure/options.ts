/** The options of a measurement: typed values and their help, by commander. */
import { type Command, CommanderError } from 'commander';
import { VerbatimError } from '../../src/errors.ts';

export interface Option<Value> {
  help: string;
  /** What --help calls its value. */
  shown: string;
  /** Without it, and without it in a smoke run. */
  standard: Value;
  smoke: Value;
  kind?: 'positional' | 'required';
  /** Reads a text that was given. Throws what is wrong with it. */
  read?(text: string): unknown;
}

export type Options = Readonly<Record<string, Option<unknown>>>;

/** The values of options, and whether everything shall be tiny. */
export type ValuesOf<Table extends Options> = {
  [Name in keyof Table]: Table[Name] extends Option<infer Value> ? Value : never;
} & { smoke: boolean };

/** A whole number. */
export function count(standard: number, help: string, smoke = standard): Option<number> {
  const read = (text: string): number => {
    if (/^\d{1,12}$/.test(text)) return Number(text);
    throw new Error(`expected a whole number, not "${text}"`);
  };
  return { help: `${help} (${standard})`, shown: 'n', standard, smoke, read };
}

/** A file, a folder, or another text. */
export function text(help: string, shown = 'file'): Option<string | undefined> {
  return { help, shown, standard: undefined, smoke: undefined };
}

/** A text that must be given. */
export function required(help: string, shown = 'file'): Option<string> {
  return { help, shown, standard: '', smoke: '', kind: 'required' };
}

/** A text that may be given several times. */
export function several(help: string, shown: string): Option<readonly string[]> {
  return { help, shown: `${shown}...`, standard: [], smoke: [] };
}

/** What is given without a name. */
export function positionals(help: string, shown: string): Option<readonly string[]> {
  return { help, shown, standard: [], smoke: [], kind: 'positional' };
}

/** Some of the names, separated by commas; all of them without it. */
export function some<Name extends string>(names: readonly Name[]): Option<readonly Name[]> {
  const read = (list: string): readonly Name[] => {
    const chosen = list.split(',').map((name) => name.trim());
    const unknown = chosen.find((name) => name !== 'all' && !names.some((one) => one === name));
    if (unknown !== undefined) {
      throw new Error(`there is no "${unknown}", expected all or some of ${names.join(',')}`);
    }
    return chosen.includes('all') ? names : names.filter((name) => chosen.includes(name));
  };
  const help = `some of ${names.join(',')}`;
  return { help, shown: 'names', standard: names, smoke: names, read };
}

/**
 * Reads arguments into the command that describes them, and returns the values of the table, undefined
 * after --help. What is given counts more than a smoke run. Throws `usage` if the arguments do not fit.
 */
export function parseOptions<Table extends Options>(
  command: Command,
  args: readonly string[],
  table: Table,
): (ValuesOf<Table> & { json: boolean }) | undefined {
  command.exitOverride().configureOutput({ writeErr: () => {} });
  for (const [name, option] of Object.entries(table)) addOption(command, name, option);
  command.option('--smoke', 'everything at a tiny scale, to see that it works');
  command.option('--json', 'print JSON for programs');
  try {
    command.parse(args, { from: 'user' });
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    if (error.code === 'commander.helpDisplayed') return undefined;
    throw new VerbatimError('usage', error.message);
  }
  const values: Record<string, unknown> = { smoke: false, json: false, ...command.opts() };
  for (const [name, { kind, standard, smoke }] of Object.entries(table)) {
    if (kind === 'positional') values[name] = command.args;
    else values[name] ??= values['smoke'] ? smoke : standard;
  }
  return values as ValuesOf<Table> & { json: boolean };
}

function addOption(command: Command, name: string, option: Option<unknown>): void {
  const { help, shown, kind, read } = option;
  // `requestTimeoutMs` is `--request-timeout-ms`.
  const flag = `--${name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
  const parse = (text: string): unknown => {
    try {
      return read?.(text);
    } catch (error) {
      throw new VerbatimError('usage', `${flag}: ${(error as Error).message}`);
    }
  };
  if (kind === 'positional') command.argument(`[${shown}...]`, help);
  else if (kind === 'required') command.requiredOption(`${flag} <${shown}>`, help);
  else if (read === undefined) command.option(`${flag} <${shown}>`, help);
  else command.option(`${flag} <${shown}>`, help, parse);
}
