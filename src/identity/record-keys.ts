/**
 * What records are found by: their identifiers, their id, and their title with the first author.
 * Two records that share a key may be about one paper; group-records.ts decides.
 */
import { hash } from 'node:crypto';
import type { Identifiers } from '../types.ts';
import { ARXIV_DOI, schemes } from './identifiers.ts';
import type { KeptRecord } from './kept-record.ts';

/** A scheme and a value, `doi:10.5555/tides`; `id:` for an id that no scheme knows. */
export type IdentifierKey = string;

/** The title's letters and digits in one case, and the first author's family name. */
export type TitleKey = string;

/** A shorter title is shared by papers that have nothing to do with each other. */
export const TITLE_LETTERS_MIN = 24;

const GENERATIONS = /^(?:jr|sr|ii|iii|iv)\.?$/i;

/** A key for each of the identifiers. */
export function schemeKeysOf(identifiers: Identifiers): IdentifierKey[] {
  return schemes
    .filter((scheme) => identifiers[scheme] !== undefined)
    .map((scheme) => `${scheme}:${identifiers[scheme]}`);
}

/** The keys that make two records one paper. */
export function identifierKeysOf({ part, id, identifiers }: KeptRecord): IdentifierKey[] {
  const keys = new Set(schemeKeysOf(identifiers));
  // A preprint's DOI is made from its arXiv id.
  const arxiv = ARXIV_DOI.exec(identifiers.doi ?? '')?.[1];
  if (arxiv !== undefined) keys.add(`arxiv:${arxiv}`);
  if (part === 'record') keys.add(idKeyOf(id));
  return [...keys];
}

/** The key that a source names the paper by. */
export function nameKeyOf({ source, part, id, identifiers }: KeptRecord): IdentifierKey {
  const scheme = source === 's2orc' ? 's2' : source;
  const own = schemes.find((each) => each === scheme && identifiers[each] !== undefined);
  const first = schemes.find((scheme) => identifiers[scheme] !== undefined);
  const naming = own ?? (part === 'abstract' ? first : undefined);
  return naming === undefined ? idKeyOf(id) : `${naming}:${identifiers[naming]}`;
}

/** What tells a record from all others: another one with the same name replaces it. */
export function nameOf(record: KeptRecord): string {
  return `${record.source} ${record.part} ${nameKeyOf(record)}`;
}

/** The key of a document's id; one that is a DOI is found as that. */
export function idKeyOf(id: string): IdentifierKey {
  return /^10\.\d{4,9}(?:\.\d+)*\/./.test(id) ? `doi:${id.toLowerCase()}` : `id:${id}`;
}

/** Undefined where title, author and year say too little. */
export function titleKeyOf({ part, title, authors, year }: KeptRecord): TitleKey | undefined {
  if (part !== 'record' || year === 0) return undefined;
  const letters = lettersOf(title);
  const author = lettersOf(familyName(authors[0] ?? ''));
  if (letters.length < TITLE_LETTERS_MIN || author === '') return undefined;
  return `title:${letters} ${author}`;
}

/** All keys by which a record is found. */
export function keysOf(record: KeptRecord): string[] {
  const title = titleKeyOf(record);
  return title === undefined ? identifierKeysOf(record) : [...identifierKeysOf(record), title];
}

/**
 * A key as the store keeps it, in 48 bits and the same for upper and lower case. Whatever is found
 * by it is compared with the key itself.
 */
export function hashKey(key: string): number {
  return hash('sha1', key.toLowerCase(), 'buffer').readIntBE(0, 6);
}

/** "Ana van Dam", "van Dam, Ana" and "Ana van Dam Jr." have one: the last word of the family. */
export function familyName(author: string): string {
  const [family = ''] = author.split(',');
  const words = family
    .trim()
    .split(/\s+/)
    .filter((word) => !GENERATIONS.test(word));
  return words.at(-1) ?? '';
}

/** Without marks, case, spaces and signs: sources differ in all of them. */
export function lettersOf(text: string): string {
  return text
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]/gu, '');
}
