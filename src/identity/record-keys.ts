/**
 * The keys that link records (blocking keys): identifiers, the id, and the title with the first
 * author. Two records that share a key may be about one paper; group-records.ts decides.
 */
import { hash } from 'node:crypto';
import type { Identifiers } from '../types.ts';
import { ARXIV_DOI, schemes } from './identifiers.ts';
import type { KeptRecord } from './kept-record.ts';

/** A scheme and a value, such as `doi:10.5555/tides`. An id of no scheme has the prefix `id:`. */
export type IdentifierKey = string;

/** The title's letters and digits in lower case, and the first author's family name. */
export type TitleKey = string;

/** Unrelated papers share shorter titles. */
export const TITLE_LETTERS_MIN = 24;

const GENERATIONS = /^(?:jr|sr|ii|iii|iv)\.?$/i;

/** One key per identifier. */
export function schemeKeysOf(identifiers: Identifiers): IdentifierKey[] {
  return schemes
    .filter((scheme) => identifiers[scheme] !== undefined)
    .map((scheme) => `${scheme}:${identifiers[scheme]}`);
}

/** The keys that link two records without further evidence. */
export function identifierKeysOf({ part, id, identifiers }: KeptRecord): IdentifierKey[] {
  const keys = new Set(schemeKeysOf(identifiers));
  // A preprint's DOI is made from its arXiv id.
  const arxiv = ARXIV_DOI.exec(identifiers.doi ?? '')?.[1];
  if (arxiv !== undefined) keys.add(`arxiv:${arxiv}`);
  // The others have no id of their own.
  if (part !== 'abstract' && part !== 'merged') keys.add(idKeyOf(id));
  return [...keys];
}

/** A record as far as its source names it. */
export type NamedRecord = Pick<KeptRecord, 'source' | 'part' | 'id' | 'identifiers'>;

/** The key by which the source names the paper, or its notice or list of references. */
export function nameKeyOf({ source, part, id, identifiers }: NamedRecord): IdentifierKey {
  // A paper can have several of these, so its identifiers name none of them.
  if (part === 'notice' || part === 'references') return idKeyOf(id);
  const scheme = source === 's2orc' ? 's2' : source;
  const own = schemes.find((each) => each === scheme && identifiers[each] !== undefined);
  const first = schemes.find((scheme) => identifiers[scheme] !== undefined);
  const naming = own ?? (part === 'abstract' ? first : undefined);
  return naming === undefined ? idKeyOf(id) : `${naming}:${identifiers[naming]}`;
}

/** The unique name of a record. A new record with the same name replaces it. */
export function nameOf(record: KeptRecord): string {
  return `${record.source} ${record.part} ${nameKeyOf(record)}`;
}

/** The key of a document's id. An id that is a DOI gets a DOI key. */
export function idKeyOf(id: string): IdentifierKey {
  return /^10\.\d{4,9}(?:\.\d+)*\/./.test(id) ? `doi:${id.toLowerCase()}` : `id:${id}`;
}

/** The title key, or undefined if the title is short or the author or the year is missing. */
export function titleKeyOf({ part, title, authors, year }: KeptRecord): TitleKey | undefined {
  if ((part !== 'record' && part !== 'removed') || year === 0) return undefined;
  const letters = lettersOf(title);
  const author = lettersOf(familyName(authors[0] ?? ''));
  if (letters.length < TITLE_LETTERS_MIN || author === '') return undefined;
  return `title:${letters} ${author}`;
}

/** All keys of a record. */
export function keysOf(record: KeptRecord): string[] {
  const title = titleKeyOf(record);
  return title === undefined ? identifierKeysOf(record) : [...identifierKeysOf(record), title];
}

/**
 * A key as the store keeps it: a 48-bit hash, the same for upper and lower case. Hashes collide, so
 * the caller compares what it finds with the key itself.
 */
export function hashKey(key: string): number {
  return hash('sha1', key.toLowerCase(), 'buffer').readIntBE(0, 6);
}

/** The last word of the family name: "Dam" for "Ana van Dam", "van Dam, Ana" and "Ana van Dam Jr.". */
export function familyName(author: string): string {
  const [family = ''] = author.split(',');
  const words = family
    .trim()
    .split(/\s+/)
    .filter((word) => !GENERATIONS.test(word));
  return words.at(-1) ?? '';
}

/** Letters and digits in lower case, without diacritics. Sources differ in everything else. */
export function lettersOf(text: string): string {
  return text
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]/gu, '');
}
