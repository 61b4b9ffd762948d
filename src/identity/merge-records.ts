/**
 * Merges all records of a paper into one document. The result depends on the records alone, not on
 * the order in which they arrived.
 */
import type { Identifiers, PaperDetails, SourceDocument } from '../types.ts';
import { schemes } from './identifiers.ts';
import { type DocumentField, documentFields, type KeptRecord, type Source } from './kept-record.ts';
import { identifierKeysOf } from './record-keys.ts';
import { sortByPrecedence } from './record-precedence.ts';

export interface MergedDocument {
  document: SourceDocument;
  /** For each scheme, the identifier of the record with the highest precedence. */
  identifiers: Identifiers;
  withheld: KeptRecord['withheld'];
  details: PaperDetails;
  /** By falling precedence. */
  records: KeptRecord[];
  /** The record that gives each field. Undefined if all records leave the field empty. */
  winners: Record<DocumentField, KeptRecord | undefined>;
}

/** Merges the records of a paper. At least one must be more than an abstract. */
export function mergeRecords(unsorted: readonly KeptRecord[]): MergedDocument {
  const records = sortByPrecedence(unsorted);
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
    details: mergeDetails(records),
  };
}

/** The first record that has the field, with exceptions for the id and the abstract. */
function winnerOf(field: DocumentField, records: readonly KeptRecord[]): KeptRecord | undefined {
  const having = records.filter((record) => hasField(field, record));
  // A record with a DOI gives the id, even if another one precedes it.
  if (field === 'id') return having.find(({ identifiers }) => identifiers.doi) ?? having[0];
  if (field === 'abstract')
    return having.find(({ source }) => !isReconstructed(source)) ?? having[0];
  return having[0];
}

/**
 * Whether the reader reconstructs a source's abstracts: OpenAlex delivers an inverted index of words,
 * and most full texts in S2ORC are read by their first paragraph.
 */
function isReconstructed(source: Source): boolean {
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
 * Type, language, and field of the record with the highest precedence that has them. Open access if
 * any source knows where to read the paper, and the highest count of citations, because no source sees
 * all of them. The ORCIDs of all records.
 */
function mergeDetails(records: readonly KeptRecord[]): PaperDetails {
  const all = records.flatMap(({ details }) => details ?? []);
  const merged: PaperDetails = {};
  const type = all.find((one) => one.type !== undefined)?.type;
  if (type !== undefined) merged.type = type;
  const known = all.filter(({ openAccess }) => openAccess !== undefined);
  if (known.length > 0) merged.openAccess = known.some(({ openAccess }) => openAccess === true);
  const address = all.find(({ openAccessUrl }) => openAccessUrl !== undefined)?.openAccessUrl;
  if (address !== undefined) merged.openAccessUrl = address;
  const counts = all.flatMap(({ citationCount }) => citationCount ?? []);
  if (counts.length > 0) merged.citationCount = Math.max(...counts);
  const language = all.find((one) => one.language !== undefined)?.language;
  if (language !== undefined) merged.language = language;
  const field = all.find((one) => one.field !== undefined)?.field;
  if (field !== undefined) merged.field = field;
  const orcids = new Set(all.flatMap((one) => one.orcids ?? []));
  if (orcids.size > 0) merged.orcids = [...orcids];
  return merged;
}

/**
 * Retracted if any source says so. Withdrawn only if the version with the highest precedence is,
 * according to its record or a notice about it.
 */
function mergeWithheld(records: readonly KeptRecord[]): KeptRecord['withheld'] {
  if (records.some(({ withheld }) => withheld === 'retracted')) return 'retracted';
  const [first] = records as [KeptRecord];
  const keys = identifierKeysOf(first);
  const notice = records.find(
    (record) =>
      record.part !== 'record' &&
      record.withheld !== undefined &&
      identifierKeysOf(record).some((key) => keys.includes(key)),
  );
  return first.withheld ?? notice?.withheld;
}
