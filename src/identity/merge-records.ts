/**
 * Makes one document of all records of a paper. It depends on what the records say alone, not on
 * the order in which they came.
 */
import type { Identifiers, SourceDocument } from '../types.ts';
import { schemes } from './identifiers.ts';
import { type DocumentField, documentFields, type KeptRecord, type Source } from './kept-record.ts';
import { rankRecords } from './rank-records.ts';
import { identifierKeysOf } from './record-keys.ts';

export interface MergedDocument {
  document: SourceDocument;
  /** Of each scheme the one that is believed first. */
  identifiers: Identifiers;
  withheld: KeptRecord['withheld'];
  /** By falling rank. */
  records: KeptRecord[];
  /** The records that the fields are of; none where all are empty. */
  winners: Record<DocumentField, KeptRecord | undefined>;
}

/** Merges records of which one at least is more than an abstract. */
export function mergeRecords(unsorted: readonly KeptRecord[]): MergedDocument {
  const records = rankRecords(unsorted);
  const winners = Object.fromEntries(
    documentFields.map((field) => [field, winnerOf(field, records)]),
  ) as MergedDocument['winners'];
  const [first] = records as [KeptRecord];
  return {
    records,
    winners,
    document: {
      id: (winners.id ?? first).id,
      title: winners.title?.title ?? '',
      abstract: winners.abstract?.abstract ?? '',
      year: winners.year?.year ?? 0,
      authors: winners.authors?.authors ?? [],
      venue: winners.venue?.venue ?? '',
    },
    identifiers: mergeIdentifiers(records),
    withheld: mergeWithheld(records),
  };
}

/** The first record that has the field, but for what follows. */
function winnerOf(field: DocumentField, records: readonly KeptRecord[]): KeptRecord | undefined {
  const having = records.filter((record) => hasField(field, record));
  // A DOI is the id of the paper, whichever record has it.
  if (field === 'id') return having.find(({ identifiers }) => identifiers.doi) ?? having[0];
  if (field === 'abstract') return having.find(({ source }) => !isMadeUp(source)) ?? having[0];
  return having[0];
}

/**
 * Whether a source's abstracts are put together by the reader: OpenAlex gives words and their
 * places, and of most full texts in S2ORC the first paragraph is taken.
 */
function isMadeUp(source: Source): boolean {
  return source === 'openalex' || source === 's2orc';
}

function hasField(field: DocumentField, record: KeptRecord): boolean {
  const value = record[field];
  if (field === 'id') return record.part === 'record';
  if (typeof value === 'string') return value.trim() !== '';
  return Array.isArray(value) ? value.length > 0 : value !== 0;
}

function mergeIdentifiers(records: readonly KeptRecord[]): Identifiers {
  const merged: Identifiers = {};
  for (const scheme of schemes) {
    const value = records.find(({ identifiers }) => identifiers[scheme])?.identifiers[scheme];
    if (value !== undefined) merged[scheme] = value;
  }
  return merged;
}

/**
 * Retracted if any source says so; withdrawn if the version that is believed first is, as its record
 * or a notice about it says.
 */
function mergeWithheld(records: readonly KeptRecord[]): KeptRecord['withheld'] {
  if (records.some(({ withheld }) => withheld === 'retracted')) return 'retracted';
  const [first] = records as [KeptRecord];
  const keys = identifierKeysOf(first);
  const notice = records.find(
    (record) =>
      record.part === 'abstract' &&
      record.withheld !== undefined &&
      identifierKeysOf(record).some((key) => keys.includes(key)),
  );
  return first.withheld ?? notice?.withheld;
}
