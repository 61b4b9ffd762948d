/** Finds the documents that a filter allows, from the facets of all documents. */

import type { Connection } from '../../database/sqlite/connection.ts';
import { wantedAuthorKeys } from '../../identity/author-keys.ts';
import type { Source } from '../../identity/kept-record.ts';
import type { NamedSources } from '../../identity/source-names.ts';
import type { DocumentNumber, PaperType } from '../../types.ts';
import { prepareCountDocuments } from '../index-facts.ts';
import { FACET_WORDS, flags, typeNumber, venueKey, YEAR_MAX } from './facets.ts';
import { createFacetsOfAll } from './facets-of-all.ts';

/** A filter in the terms of the index. A document must match all that is present. */
export interface FacetFilter {
  years?: { from: number; to: number };
  venues?: readonly string[];
  authors?: readonly string[];
  doiPrefixes?: readonly string[];
  documents?: readonly DocumentNumber[];
  hasAbstract?: boolean;
  sources?: NamedSources;
  types?: readonly PaperType[];
  openAccess?: boolean;
  minCitations?: number;
}

/** Comes after every text that a text may begin. */
export const LAST_CHARACTER = '\u{10ffff}';

/** The documents to which a search is limited, for the source of the index that returned them. */
export interface AllowedDocuments {
  /** How many they are. */
  count: number;
  /** Their share of the index, above 0 and at most 1; 1 for an empty index. */
  share: number;
}

/** The same with the documents in memory. */
export interface FlaggedDocuments extends AllowedDocuments {
  /** 1 for each allowed document, by its number. */
  flags: Uint8Array;
}

/** Returns a function that returns them in the view that the connection sees. */
export function createFacetReader(
  db: Connection,
  facetsNow = createFacetsOfAll(db),
): (filter: FacetFilter) => FlaggedDocuments {
  const countDocuments = prepareCountDocuments(db);
  const readOfSource = db
    .prepare(
      `SELECT document FROM source_records
       WHERE source = ? AND source GLOB 'personal *' AND document IS NOT NULL`,
    )
    .pluck();
  const documentsOf = (sources: readonly Source[]): Set<DocumentNumber> =>
    new Set(sources.flatMap((source) => readOfSource.all(source) as DocumentNumber[]));
  const readOfAuthor = db.prepare('SELECT document FROM author_keys WHERE key = ?').pluck();
  const readOfPrefix = db.prepare('SELECT number FROM documents WHERE id >= ? AND id < ?').pluck();
  const documentsBy = (authors: readonly string[]): DocumentNumber[] =>
    wantedAuthorKeys(authors).flatMap((key) => readOfAuthor.all(key) as DocumentNumber[]);
  const documentsUnder = (prefixes: readonly string[]): DocumentNumber[] =>
    prefixes.flatMap(
      (prefix) => readOfPrefix.all(prefix, prefix + LAST_CHARACTER) as DocumentNumber[],
    );
  return (filter) => {
    const facets = facetsNow();
    const { venues, sources, documents, authors, doiPrefixes, minCitations } = filter;
    const allowed = new Uint8Array(facets.size);
    allowByFirstWord(allowed, facets.words, firstWordTest(filter));
    if (venues !== undefined) keepVenues(allowed, facets.words, venues);
    if (sources !== undefined) {
      keepSources(allowed, facets.words, { ...sources, documents: documentsOf(sources.personal) });
    }
    if (minCitations !== undefined) keepCited(allowed, facets.citations, minCitations);
    if (documents !== undefined) keepDocuments(allowed, documents);
    if (authors !== undefined) keepDocuments(allowed, documentsBy(authors));
    if (doiPrefixes !== undefined) keepDocuments(allowed, documentsUnder(doiPrefixes));
    const count = countOf(allowed);
    return { flags: allowed, count, share: Math.max(1, count) / Math.max(1, countDocuments()) };
  };
}

/** What the first word of a document's facets must be. */
export interface FirstWordTest {
  /** The flags that are compared, and what they must be. */
  mask: number;
  set: number;
  from: number;
  to: number;
  /** 1 for each type that matches, by its number. */
  types: Uint8Array;
}

export function firstWordTest({
  years,
  hasAbstract,
  openAccess,
  types,
}: FacetFilter): FirstWordTest {
  let mask: number = flags.exists;
  let set: number = flags.exists;
  if (hasAbstract !== undefined) mask |= flags.hasAbstract;
  if (hasAbstract === true) set |= flags.hasAbstract;
  const access = openAccess === true ? flags.isOpenAccess : flags.isNotOpenAccess;
  if (openAccess !== undefined) {
    mask |= access;
    set |= access;
  }
  const matching = new Uint8Array(256).fill(types === undefined ? 1 : 0);
  for (const type of types ?? []) matching[typeNumber(type)] = 1;
  // Year 0 stands for an unknown year.
  const { from, to } = years ?? { from: 0, to: YEAR_MAX };
  return { mask, set, from: years === undefined ? 0 : Math.max(1, from), to, types: matching };
}

// Each of the loops below goes through all documents and calls nothing it need not: with a call for
// each document they would take several times as long.

function allowByFirstWord(
  allowed: Uint8Array,
  words: Uint32Array,
  { mask, set, from, to, types }: FirstWordTest,
): void {
  for (let document = 0, at = 0; document < allowed.length; document++, at += FACET_WORDS) {
    const first = words[at] as number;
    const year = first & YEAR_MAX;
    if (((first >>> 24) & mask) !== set || year < from || year > to) continue;
    allowed[document] = types[(first >>> 16) & 0xff] as number;
  }
}

function keepVenues(allowed: Uint8Array, words: Uint32Array, venues: readonly string[]): void {
  // As signed numbers, which a set finds faster than larger ones.
  const keys = new Set(venues.map(venueKey).flatMap((key) => (key === 0 ? [] : key | 0)));
  for (let document = 0, at = 1; document < allowed.length; document++, at += FACET_WORDS) {
    if (allowed[document] === 1 && !keys.has((words[at] as number) | 0)) allowed[document] = 0;
  }
}

function keepSources(
  allowed: Uint8Array,
  words: Uint32Array,
  { bits, documents }: { bits: number; documents: ReadonlySet<DocumentNumber> },
): void {
  for (let document = 0, at = 2; document < allowed.length; document++, at += FACET_WORDS) {
    if (allowed[document] === 0 || ((words[at] as number) & bits) !== 0) continue;
    if (!documents.has(document)) allowed[document] = 0;
  }
}

function keepCited(allowed: Uint8Array, citations: Uint32Array, min: number): void {
  for (let document = 0; document < allowed.length; document++) {
    if ((citations[document] as number) < min) allowed[document] = 0;
  }
}

function keepDocuments(allowed: Uint8Array, documents: readonly DocumentNumber[]): void {
  const kept = documents.filter((document) => allowed[document] === 1);
  allowed.fill(0);
  for (const document of kept) allowed[document] = 1;
}

function countOf(allowed: Uint8Array): number {
  let count = 0;
  for (let document = 0; document < allowed.length; document++)
    count += allowed[document] as number;
  return count;
}
