/** Applies a selection to records. Pure. */
import type { KeptRecord } from '../../identity/kept-record.ts';
import type { About } from '../values/about.ts';
import { languageCode } from './language.ts';
import { isSampled } from './sample.ts';
import {
  type LeftOutReason,
  type Selection,
  typeName,
  UNKNOWN,
  wholeSelection,
} from './selection.ts';

export interface Selector {
  /** Why the filters leave a record out; undefined if they accept it. */
  leftOut(record: KeptRecord, about: About | undefined): LeftOutReason | undefined;
  /** Whether an accepted, valid record is in the sample. */
  isSampled(record: KeptRecord): boolean;
  /** Maximum number of records; undefined: all. */
  limit: number | undefined;
  /** Identifies the selection for checkpoints; undefined if it selects everything. */
  identity: object | undefined;
}

/**
 * `sampleThreshold`: the result of `findSampleThreshold`. Filters apply to papers. A supplement has no
 * language, year, or type, so only the sample applies to it.
 */
export function createSelector(selection: Selection, sampleThreshold = Infinity): Selector {
  const { languages, types, years, withAbstract, sample, limit } = selection;
  const isWhole = languages.length + types.length === 0 && years === undefined && !withAbstract;
  const filters = { languages, types, years, withAbstract };
  return {
    leftOut(record, about) {
      if (isWhole || record.part !== 'record') return undefined;
      if (!isAmong(languages, about?.languages, languageCode)) return 'language';
      if (!isInYears(years, record.year)) return 'year';
      if (!isAmong(types, about?.types, typeName)) return 'type';
      return withAbstract && record.abstract.trim() === '' ? 'without_abstract' : undefined;
    },
    isSampled: (record) => sample === undefined || isSampled(record, sample.seed, sampleThreshold),
    limit,
    identity:
      isWhole && sample === undefined
        ? undefined
        : // The key is part of stored checkpoints.
          { filters, sample, sampleMark: sampleThreshold },
  };
}

/** Selects all records. */
export const takesAll = createSelector(wholeSelection);

function isAmong(
  wanted: readonly string[],
  values: readonly string[] = [],
  normalize: (text: string) => string,
): boolean {
  if (wanted.length === 0) return true;
  const known = values.map(normalize).filter((value) => value !== '');
  if (known.length === 0) return wanted.includes(UNKNOWN);
  return known.some((value) => wanted.includes(value));
}

function isInYears(years: Selection['years'], year: number): boolean {
  if (years === undefined) return true;
  if (year === 0) return years.withUnknown;
  return years.from <= year && year <= years.to;
}
