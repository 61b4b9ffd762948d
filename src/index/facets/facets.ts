/**
 * Facets: what filters compare and totals count, a few bytes per document. They are stored in blocks of
 * documents, so that a search thread reads those of all documents in a few milliseconds:
 *
 *   uint16 year | uint8 type | uint8 flags | uint32 key of the venue | uint32 bits of the sources |
 *   uint16 language | uint8 field | uint8 0
 *
 * A number without a document has no flags. The counts of citations are a blob of their own, as uint32,
 * which a block does without if all are 0.
 */
import { hash } from 'node:crypto';
import type { KeptRecord } from '../../identity/kept-record.ts';
import { lettersOf } from '../../identity/record-keys.ts';
import { sourceBit } from '../../identity/source-names.ts';
import {
  type FieldOfStudy,
  fieldsOfStudy,
  type PaperDetails,
  type PaperType,
  paperTypes,
  type SourceDocument,
} from '../../types.ts';

/** Documents in a block. A build rewrites the blocks of a batch. */
export const BLOCK_DOCUMENTS = 1024;
/** 32-bit words of a document's facets but for its citations, and their bytes. */
export const FACET_WORDS = 4;
export const FACET_BYTES = 4 * FACET_WORDS;

/** The largest year that fits. */
export const YEAR_MAX = 0xffff;

/** The largest count of citations that is told apart, which PostgreSQL keeps as a signed number. */
export const CITATIONS_MAX = 2 ** 31 - 1;

export const flags = {
  exists: 1,
  hasAbstract: 2,
  isOpenAccess: 4,
  isNotOpenAccess: 8,
} as const;

/** The facets of a document, as 32-bit words. */
export type Facets = readonly [
  yearTypeAndFlags: number,
  venue: number,
  sources: number,
  languageAndField: number,
  citations: number,
];

/** What a document's facets are made of. */
export interface FacetsFrom {
  document: Pick<SourceDocument, 'year' | 'venue' | 'abstract'>;
  details: PaperDetails;
  records: readonly Pick<KeptRecord, 'source' | 'part'>[];
}

export function facetsOf({ document, details, records }: FacetsFrom): Facets {
  const { year, venue, abstract } = document;
  const { type, openAccess, language, field } = details;
  let set: number = flags.exists;
  if (abstract !== '') set |= flags.hasAbstract;
  if (openAccess !== undefined) set |= openAccess ? flags.isOpenAccess : flags.isNotOpenAccess;
  const sources = records
    .filter(({ part }) => part !== 'notice')
    .reduce((bits, { source }) => bits | sourceBit(source), 0);
  const first =
    Math.min(year, YEAR_MAX) | ((type === undefined ? 0 : typeNumber(type)) << 16) | (set << 24);
  const languageAndField = languageNumber(language) | (fieldNumber(field) << 16);
  const citations = Math.min(details.citationCount ?? 0, CITATIONS_MAX);
  return [first >>> 0, venueKey(venue), sources >>> 0, languageAndField, citations];
}

/** What a word of facets says of language and field, as numbers. */
export function readLanguageAndField(word: number): { language: number; field: number } {
  return { language: word & 0xffff, field: (word >>> 16) & 0xff };
}

/** The number of a field, from 1; 0 stands for an unknown field. */
function fieldNumber(field: FieldOfStudy | undefined): number {
  return field === undefined ? 0 : fieldsOfStudy.indexOf(field) + 1;
}

/** The field with this number; null if it is unknown. */
export function fieldOfNumber(number: number): FieldOfStudy | null {
  return fieldsOfStudy[number - 1] ?? null;
}

/** The number of a language: 5 bits for each letter of its code; 0 stands for an unknown language. */
function languageNumber(code = ''): number {
  return [...code].reduce(
    (number, letter, at) => number | ((parseInt(letter, 36) - 9) << (5 * at)),
    0,
  );
}

/** The code of the language with this number; null if it is unknown. */
export function languageOfNumber(number: number): string | null {
  const letters = [0, 5, 10].map((shift) => (number >>> shift) & 31).filter((one) => one > 0);
  return letters.length === 0 ? null : letters.map((one) => (one + 9).toString(36)).join('');
}

/** The number of a type, from 1; 0 stands for an unknown type. */
export function typeNumber(type: PaperType): number {
  return paperTypes.indexOf(type) + 1;
}

/**
 * The key of a venue: 32 bits of a hash of its letters and digits; 0 if it has none. Among a million
 * venues, a name shares its key with another one in 1 of 4,000 cases.
 */
export function venueKey(venue: string): number {
  const letters = lettersOf(venue);
  return letters === '' ? 0 : hash('sha1', letters, 'buffer').readUInt32LE(0) || 1;
}
