/**
 * What finds the record of a document, as step 7 writes it. A frozen copy: it never changes, also
 * where today's code in src/identity/ does, because the steps after it expect exactly these keys.
 */
import { hash } from 'node:crypto';

/** A shorter title is no key: papers that have nothing to do with each other share it. */
const TITLE_LETTERS_MIN = 24;
const GENERATIONS = /^(?:jr|sr|ii|iii|iv)\.?$/i;
const DOI = /^10\.\d{4,9}(?:\.\d+)*\/./;
/** A preprint's DOI is made from its arXiv id. */
const ARXIV_DOI = /^10\.48550\/arxiv\.(.+)$/i;

/** The DOI that an id is, undefined where it is none. */
export function doiOf(id: string): string | undefined {
  return DOI.test(id) ? id.toLowerCase() : undefined;
}

/** All keys of a document: its id, and its title with the first author. */
export function keysOf(document: {
  id: string;
  title: string;
  year: number;
  firstAuthor: string;
}): string[] {
  const { id, title, year, firstAuthor } = document;
  const doi = doiOf(id);
  const keys = [doi === undefined ? `id:${id}` : `doi:${doi}`];
  const arxiv = ARXIV_DOI.exec(doi ?? '')?.[1];
  if (arxiv !== undefined) keys.push(`arxiv:${arxiv}`);
  const letters = lettersOf(title);
  const author = lettersOf(familyName(firstAuthor));
  const isTelling = year !== 0 && letters.length >= TITLE_LETTERS_MIN && author !== '';
  return isTelling ? [...keys, `title:${letters} ${author}`] : keys;
}

/** 48 bits of a hash, the same for upper and lower case. */
export function hashKey(key: string): number {
  return hash('sha1', key.toLowerCase(), 'buffer').readIntBE(0, 6);
}

/** The last word of the family name, without "Jr." and the like. */
function familyName(author: string): string {
  const [family = ''] = author.split(',');
  const words = family.trim().split(/\s+/);
  return words.filter((word) => !GENERATIONS.test(word)).at(-1) ?? '';
}

/** Letters and digits, without marks and in lower case. */
function lettersOf(text: string): string {
  return text
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]/gu, '');
}
