/** The options of `index add` that select records. */
import { type Command, InvalidArgumentError } from 'commander';
import { VerbatimError } from '../../errors.ts';
import { languageCode } from '../../ingest/selection/language.ts';
import {
  type Selection,
  typeName,
  UNKNOWN,
  type YearRange,
} from '../../ingest/selection/selection.ts';
import { parseCount } from '../cli/options.ts';

export interface RecordFilterOptions {
  language?: string[];
  year?: YearRange;
  type?: string[];
  withAbstract?: boolean;
}

export interface SelectionOptions extends RecordFilterOptions {
  limit?: number;
  sample?: number;
  seed?: number;
}

/** Fixed, so that the same command selects the same records again. */
const SEED_DEFAULT = 1;

export function withSelectionOptions(command: Command): Command {
  const whole = command
    .option('--limit <n>', 'take the first n records, then stop', parseCount)
    .option('--sample <n>', 'take n random records of all files', parseCount)
    .option('--seed <n>', `seed of the sample (default: ${SEED_DEFAULT})`, parseCount);
  return withRecordFilterOptions(whole);
}

/** The options that say for each record whether it is taken. */
export function withRecordFilterOptions(command: Command): Command {
  return command
    .option('--language <list>', 'only these languages, such as en,de,unknown', parseLanguages)
    .option('--year <a..b>', 'only these years: 2015..2020, 2015.., or ..2020', parseYears)
    .option(
      '--type <list>',
      'only these types, in the words of the source: article,review',
      parseTypes,
    )
    .option('--with-abstract', 'only records with an abstract');
}

/** Throws `usage` if the options do not fit together. */
export function selectionOf(options: SelectionOptions): Selection {
  const { limit, sample, seed, language = [], year, type = [], withAbstract = false } = options;
  if (seed !== undefined && sample === undefined) {
    throw new VerbatimError('usage', '--seed needs --sample');
  }
  return {
    languages: language,
    types: type,
    years: year,
    withAbstract,
    limit,
    sample: sample === undefined ? undefined : { records: sample, seed: seed ?? SEED_DEFAULT },
  };
}

function parseLanguages(text: string): string[] {
  return parseList(text).map((item) => (item === UNKNOWN ? item : languageCode(item)));
}

function parseTypes(text: string): string[] {
  return parseList(text).map(typeName);
}

function parseList(text: string): string[] {
  const items = text.split(',').map((item) => item.trim().toLowerCase());
  if (items.includes('')) throw new InvalidArgumentError('It must be names separated by commas.');
  return items;
}

/** Parses `2015..2020`, `2015..`, `..2020` or `2015`. Returns undefined for anything else. */
export function parseYearRange(text: string): Pick<YearRange, 'from' | 'to'> | undefined {
  const [, only, from, to] = /^(?:(\d{1,4})|(\d{1,4})?\.\.(\d{1,4})?)$/.exec(text) ?? [];
  const years = { from: Number(only ?? from ?? 1), to: Number(only ?? to ?? Infinity) };
  return (only ?? from ?? to) !== undefined && years.from <= years.to ? years : undefined;
}

function parseYears(text: string): YearRange {
  const [range = '', ...others] = parseList(text);
  const withUnknown = others.includes(UNKNOWN);
  const years = parseYearRange(range);
  const areKnown = others.length === (withUnknown ? 1 : 0);
  if (years !== undefined && areKnown) return { ...years, withUnknown };
  throw new InvalidArgumentError('It must be 2015..2020, 2015.., ..2020 or 2015.');
}
