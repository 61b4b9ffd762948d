/**
 * Whether a record without an identifier is an earlier one of its source whose title was edited. Tables and
 * bibliographies name such records by their titles, so an edited title is another name. Pure.
 */

import { schemes } from './identifiers.ts';
import type { KeptRecord } from './kept-record.ts';
import { hashKey, lettersOf } from './record-keys.ts';

/** The share of the longer abstract's words that both have. An edit leaves more. */
const SHARED_MIN = 0.8;
/** Shorter abstracts may be alike by chance. */
const WORDS_MIN = 20;

/** Words that make another paper of the same title: parts of a series, and what is about a paper. */
const ANOTHER =
  /^(?:\d+|[ivx]+|part|parts|erratum|errata|corrigendum|corrigenda|correction|addendum|supplement|supplementary|reply|response|comment|commentary|retraction|retracted|editorial|review|protocol|first|second|third|fourth)$/;

/** The key of the authors and the year, by which candidates are found; undefined if a record has no candidate. */
export function workKeyOf(record: KeptRecord): number | undefined {
  const { part, authors, year, identifiers, abstract } = record;
  const isKnown = schemes.some((scheme) => identifiers[scheme] !== undefined);
  if (part !== 'record' || isKnown || year === 0 || authors.length === 0) return undefined;
  if (wordsIn(abstract).length < WORDS_MIN) return undefined;
  return hashKey(`${year} ${authors.map(lettersOf).join(' ')}`);
}

/**
 * Whether two records with the same work key are one paper: of most words of the abstract, of the same
 * numbers in it, and with nothing in their titles that tells papers apart.
 */
export function isEdited(before: KeptRecord, after: KeptRecord): boolean {
  const [own, other] = [before, after].map(({ title }) => wordsIn(title).filter(isAnother));
  if (!isSameBag(own as string[], other as string[])) return false;
  const [first, second] = [before, after].map(({ abstract }) => wordsIn(abstract)) as [
    string[],
    string[],
  ];
  if (!isSameBag(first.filter(hasDigit), second.filter(hasDigit))) return false;
  return sharedBy(first, second) >= SHARED_MIN * Math.max(first.length, second.length);
}

function wordsIn(text: string): string[] {
  return text
    .normalize('NFKC')
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== '');
}

function isAnother(word: string): boolean {
  return ANOTHER.test(word) || hasDigit(word);
}

function hasDigit(word: string): boolean {
  return /\p{N}/u.test(word);
}

function isSameBag(one: readonly string[], other: readonly string[]): boolean {
  return one.length === other.length && sharedBy(one, other) === one.length;
}

/** The number of words that both have, each as often as in the one that has it less often. */
function sharedBy(one: readonly string[], other: readonly string[]): number {
  const left = new Map<string, number>();
  for (const word of one) left.set(word, (left.get(word) ?? 0) + 1);
  return other.filter((word) => {
    const count = left.get(word) ?? 0;
    left.set(word, count - 1);
    return count > 0;
  }).length;
}
