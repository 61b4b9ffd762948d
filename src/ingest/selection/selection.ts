/** Which records of the files a build takes, as the user chooses them. */

export interface Selection {
  /** Codes, as `languageCode` makes them, or UNKNOWN; empty: all. */
  languages: readonly string[];
  /** As `typeName` makes them, or UNKNOWN; empty: all. */
  types: readonly string[];
  years: YearRange | undefined;
  /** Only records with an abstract. */
  withAbstract: boolean;
  /** So many records of all files, chosen by chance. */
  sample: SampleSize | undefined;
  /** So many records at most, the first ones. */
  limit: number | undefined;
}

export interface YearRange {
  /** Inclusive. */
  from: number;
  /** Inclusive; infinite where the end is open. */
  to: number;
  /** Also the records that name no year. */
  withUnknown: boolean;
}

export interface SampleSize {
  records: number;
  /** Another one chooses other records. */
  seed: number;
}

/** Stands in a list for the records that do not say. */
export const UNKNOWN = 'unknown';

/** Why a record is left out: by the filter, in the order in which they are asked. */
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
