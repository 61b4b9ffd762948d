/** What an index contains, in a few figures, counted from the facets of all documents. */

import type { Connection } from '../../database/sqlite/connection.ts';
import { sourceNamesOf } from '../../identity/source-names.ts';
import type { FieldOfStudy } from '../../types.ts';
import { type IndexTotals, readTotals } from '../index-facts.ts';
import { createLastBuildReader } from '../records/builds.ts';
import {
  FACET_WORDS,
  fieldOfNumber,
  flags,
  languageOfNumber,
  readLanguageAndField,
  YEAR_MAX,
} from './facets.ts';

export interface IndexSummary extends IndexTotals {
  /** Undefined if no document has a year. */
  years: { from: number; to: number } | undefined;
  /** The documents of each year, latest first; 0: not known. */
  yearCounts: { year: number; documents: number }[];
  /** The documents that each public source describes, most first. A document may have several. */
  sources: { name: string; documents: number }[];
  /** The documents in each language, by its code, most first; null, which comes last: not known. */
  languages: { language: string | null; documents: number }[];
  /** The same of each field of study. */
  fields: { field: FieldOfStudy | null; documents: number }[];
  /** When the last build ended, in milliseconds since 1970. Undefined if there was none. */
  updatedAt: number | undefined;
}

/**
 * Documents that may be outside of the range of years, at each end, as a share of the index. A few
 * wrong years would otherwise make the range meaningless.
 */
const OUTLIERS_SHARE = 0.001;

/**
 * Returns a function that counts. It reads the facets of all documents, one block at a time, so it
 * belongs in a search thread.
 */
export function createIndexSummarizer(db: Connection): () => IndexSummary {
  const readBlocks = db.prepare('SELECT packed FROM document_facets').pluck();
  const lastBuild = createLastBuildReader(db);
  return db.transaction(() => {
    const ofYear = new Map<number, number>();
    const ofBits = new Map<number, number>();
    const ofLanguage = new Map<number, number>();
    const ofField = new Map<number, number>();
    for (const packed of readBlocks.iterate() as IterableIterator<Buffer>) {
      const words = new Uint32Array(new Uint8Array(packed).buffer);
      for (let at = 0; at < words.length; at += FACET_WORDS) {
        const first = words[at] as number;
        if (((first >>> 24) & flags.exists) === 0) continue;
        increment(ofYear, first & YEAR_MAX);
        increment(ofBits, words[at + 2] as number);
        const { language, field } = readLanguageAndField(words[at + 3] as number);
        increment(ofLanguage, language);
        increment(ofField, field);
      }
    }
    const counts = { ofYear, ofBits, ofLanguage, ofField };
    return summarize(readTotals(db), { ...counts, updatedAt: lastBuild() });
  });
}

/**
 * The documents of each year, combination of sources, language, and field, and when the last build
 * ended. Languages and fields are the numbers that facets have.
 */
export interface FacetCounts extends Pick<IndexSummary, 'updatedAt'> {
  ofYear: ReadonlyMap<number, number>;
  ofBits: ReadonlyMap<number, number>;
  ofLanguage: ReadonlyMap<number, number>;
  ofField: ReadonlyMap<number, number>;
}

export function summarize(
  totals: IndexTotals,
  { ofYear, ofBits, ofLanguage, ofField, updatedAt }: FacetCounts,
): IndexSummary {
  const yearCounts = [...ofYear]
    .map(([year, documents]) => ({ year, documents }))
    .sort((a, b) => b.year - a.year);
  return {
    ...totals,
    years: rangeOf(ofYear),
    yearCounts,
    sources: sourcesOf(ofBits),
    languages: mostFirst(ofLanguage, languageOfNumber).map(([language, documents]) => {
      return { language, documents };
    }),
    fields: mostFirst(ofField, fieldOfNumber).map(([field, documents]) => ({ field, documents })),
    updatedAt,
  };
}

/** Values with their counts: most first, then by name, and last what is not known. */
function mostFirst<Value extends string>(
  counts: ReadonlyMap<number, number>,
  decode: (number: number) => Value | null,
): [value: Value | null, documents: number][] {
  return [...counts]
    .map(([number, documents]): [Value | null, number] => [decode(number), documents])
    .sort(([a, most], [b, others]) => {
      if (a === null || b === null) return Number(a === null) - Number(b === null);
      return others - most || (a < b ? -1 : 1);
    });
}

function increment(counts: Map<number, number>, key: number): void {
  counts.set(key, (counts.get(key) ?? 0) + 1);
}

function rangeOf(ofYear: ReadonlyMap<number, number>): IndexSummary['years'] {
  // Year 0 stands for an unknown year.
  const known = [...ofYear].filter(([year]) => year > 0).sort(([a], [b]) => a - b);
  const documents = known.reduce((sum, [, count]) => sum + count, 0);
  const outliersMax = Math.floor(documents * OUTLIERS_SHARE);
  const from = firstAfter(known, outliersMax);
  const to = firstAfter(known.reverse(), outliersMax);
  return from === undefined || to === undefined ? undefined : { from, to };
}

/** Returns the first year with which more than `skippedMax` documents were passed. */
function firstAfter(
  years: readonly (readonly [year: number, count: number])[],
  skippedMax: number,
): number | undefined {
  let passed = 0;
  return years.find(([, count]) => {
    passed += count;
    return passed > skippedMax;
  })?.[0];
}

function sourcesOf(ofBits: ReadonlyMap<number, number>): IndexSummary['sources'] {
  const documentsOf = new Map<string, number>();
  for (const [bits, documents] of ofBits) {
    for (const name of sourceNamesOf(bits)) {
      documentsOf.set(name, (documentsOf.get(name) ?? 0) + documents);
    }
  }
  return [...documentsOf]
    .map(([name, documents]) => ({ name, documents }))
    .sort((a, b) => b.documents - a.documents || a.name.localeCompare(b.name));
}
