/** The options of a measurement: typed values and their help, over `parseArgs` of node:util. */
import { parseArgs } from 'node:util';
import { formatSteps } from '../../src/commands/cli/output.ts';
import { VerbatimError } from '../../src/errors.ts';

export interface Option<Value> {
  help: string;
  /** What --help calls its value; undefined for a flag. */
  shown?: string;
  /** Without it, and without it in a smoke run. */
  standard: Value;
  smoke: Value;
  kind?: 'positional' | 'required';
  /** Gets each text that was given. Throws what is wrong with it. */
  read(texts: readonly string[]): Value;
}

export type Options = Readonly<Record<string, Option<unknown>>>;

/** The values of options, and whether everything shall be tiny. */
export type ValuesOf<Table extends Options> = {
  [Name in keyof Table]: Table[Name] extends Option<infer Value> ? Value : never;
} & { smoke: boolean };

/** A whole number. */
export function count(standard: number, help: string, smoke = standard): Option<number> {
  const read = ([text = '']: readonly string[]): number => {
    if (/^\d{1,12}$/.test(text)) return Number(text);
    throw new VerbatimError('usage', `expected a whole number, not "${text}"`);
  };
  return { help, shown: 'n', standard, smoke, read };
}

/** A file, a folder, or another text. */
export function text(help: string, shown = 'file'): Option<string | undefined> {
  return { help, shown, standard: undefined, smoke: undefined, read: (texts) => texts.at(-1) };
}

/** A text that must be given. */
export function required(help: string, shown = 'file'): Option<string> {
  const read = (texts: readonly string[]): string => texts.at(-1) ?? '';
  return { help, shown, standard: '', smoke: '', kind: 'required', read };
}

/** A text that may be given several times. */
export function several(help: string, shown: string): Option<readonly string[]> {
  return { help, shown, standard: [], smoke: [], read: (texts) => texts };
}

/** What is given without a name. */
export function positionals(help: string, shown: string): Option<readonly string[]> {
  return { ...several(help, shown), kind: 'positional' };
}

function flag(help: string): Option<boolean> {
  return { help, standard: false, smoke: false, read: () => true };
}

/** Some of the names, separated by commas; all of them without it. */
export function some<Name extends string>(names: readonly Name[]): Option<readonly Name[]> {
  const read = ([list = '']: readonly string[]): readonly Name[] => {
    const chosen = list.split(',').map((name) => name.trim());
    const unknown = chosen.find((name) => name !== 'all' && !names.some((one) => one === name));
    if (unknown !== undefined) {
      const expected = `expected all or some of ${names.join(',')}`;
      throw new VerbatimError('usage', `there is no "${unknown}", ${expected}`);
    }
    return chosen.includes('all') ? names : names.filter((name) => chosen.includes(name));
  };
  const help = `some of ${names.join(',')}`;
  return { help, shown: 'names', standard: names, smoke: names, read };
}

const common: Options = {
  smoke: flag('everything at a tiny scale, to see that it works'),
  json: flag('print JSON for programs'),
  help: flag('print this'),
};

export interface Parsed<Table extends Options> {
  values: ValuesOf<Table>;
  isJson: boolean;
  isHelp: boolean;
}

/** Throws `usage` if the arguments do not fit. What is given counts more than a smoke run. */
export function parseOptions<Table extends Options>(
  args: readonly string[],
  table: Table,
): Parsed<Table> {
  const { values: given, positionals: rest } = readArguments(args, { ...table, ...common });
  const values: Record<string, unknown> = { smoke: given['smoke'] === true };
  for (const [name, option] of Object.entries(table)) {
    const own = given[optionName(name)];
    const texts = option.kind === 'positional' ? rest : Array.isArray(own) ? own : own ? [''] : [];
    const standard = values['smoke'] ? option.smoke : option.standard;
    values[name] = texts.length === 0 ? standard : readOption(name, option, texts.map(String));
    if (option.kind !== 'required' || values[name] !== '' || given['help'] === true) continue;
    throw new VerbatimError('usage', `--${optionName(name)} ${option.shown} is missing`);
  }
  const isHelp = given['help'] === true;
  return { values: values as ValuesOf<Table>, isJson: given['json'] === true, isHelp };
}

function readArguments(
  args: readonly string[],
  table: Options,
): { values: Record<string, unknown>; positionals: string[] } {
  const named = Object.entries(table).filter(([, { kind }]) => kind !== 'positional');
  const options = named.map(([name, { shown }]) => {
    const type = shown === undefined ? ('boolean' as const) : ('string' as const);
    return [optionName(name), { type, multiple: shown !== undefined }];
  });
  try {
    return parseArgs({
      args: [...args],
      options: Object.fromEntries(options),
      allowPositionals: named.length < Object.keys(table).length,
    });
  } catch (error) {
    throw new VerbatimError('usage', (error as Error).message);
  }
}

function readOption(name: string, option: Option<unknown>, texts: readonly string[]): unknown {
  try {
    return option.read(texts);
  } catch (error) {
    throw new VerbatimError('usage', `--${optionName(name)}: ${(error as Error).message}`);
  }
}

/** `requestTimeoutMs` as `request-timeout-ms`. */
function optionName(name: string): string {
  return name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
}

/** Returns a line for each option. */
export function helpOf(table: Options): string {
  return formatSteps(
    Object.entries({ ...table, ...common }).map(([name, { help, shown, standard, kind }]) => {
      const isNumber = typeof standard === 'number';
      const label = kind === 'positional' ? `${shown}` : `--${optionName(name)}`;
      const value = shown === undefined || kind === 'positional' ? '' : ` <${shown}>`;
      return [`${label}${value}`, isNumber ? `${help} (${standard})` : help] as const;
    }),
  );
}
