/** What the user selects: which records a build indexes. */

export interface Selection {
  /** Codes, as `languageCode` makes them, or UNKNOWN; empty: all. */
  languages: readonly string[];
  /** As `typeName` makes them, or UNKNOWN; empty: all. */
  types: readonly string[];
  years: YearRange | undefined;
  /** Only records with an abstract. */
  withAbstract: boolean;
  /** A random sample of the records of all files. */
  sample: SampleSize | undefined;
  /** The first records, at most this many. */
  limit: number | undefined;
}

export interface YearRange {
  /** Inclusive. */
  from: number;
  /** Inclusive; Infinity for an open end. */
  to: number;
  /** Whether to include records without a year. */
  withUnknown: boolean;
}

export interface SampleSize {
  records: number;
  /** A different seed samples different records. */
  seed: number;
}

/** Stands for records without a value. */
export const UNKNOWN = 'unknown';

/** The filter that left a record out, in the order in which filters are applied. */
export type LeftOutReason = 'language' | 'year' | 'type' | 'without_abstract' | 'not_in_sample';

export const wholeSelection: Selection = {
  languages: [],
  types: [],
  years: undefined,
  withAbstract: false,
  sample: undefined,
  limit: undefined,
};

/** `Journal Article`, `journal-article` and `journal_article` are one type. */
export function typeName(text: string): string {
  return text.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '');
}
