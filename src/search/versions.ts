/** Whether two results are versions of one paper, and which of them is shown. Pure. */
import { identifiersInId } from '../identity/identifiers.ts';
import { isPreprintDoi, isPublished } from '../identity/rank-records.ts';
import { familyName, lettersOf, TITLE_LETTERS_MIN } from '../identity/record-keys.ts';
import { wordsOf } from '../text/words.ts';
import { shareWordsInOrder } from '../text/words-in-order.ts';
import type { CitableDocument } from './cite.ts';
import { type Ranked, shownScore } from './rank.ts';

/** The part of their words that the abstracts of two versions share. */
const WORDS_SHARED_MIN = 0.9;

/** A shorter abstract may be a publisher's note that there is none, which many papers have. */
const ABSTRACT_WORDS_MIN = 30;

/** Papers with short titles, such as "Introduction", are one only where they are of one time. */
const YEARS_APART_MAX = 1;

/** Initials: behind them, as in "Berg A", there is no family name. */
const INITIALS = /^(?:\p{Lu}\.?-?){1,3}$/u;

export interface Version {
  ranked: Ranked;
  document: CitableDocument;
  /** The title's letters. */
  title: string;
  families: ReadonlySet<string>;
  /** The abstract's words. */
  words: readonly string[];
  distinctWords: ReadonlySet<string>;
}

export function versionOf(ranked: Ranked, document: CitableDocument): Version {
  const { authors, ownAbstract, abstract } = document;
  const words = wordsOf(ownAbstract ?? abstract);
  return {
    ...{ ranked, document, title: lettersOf(document.title) },
    families: new Set(authors.map(familyOf).filter((family) => family !== '')),
    ...{ words, distinctWords: new Set(words) },
  };
}

/**
 * Whether these are one paper for a reader, whatever their identifiers say: they have the same
 * title and an author in common, or abstracts that share nine tenths of their words in order. A
 * short title counts only within a year, and a short abstract only under the same title.
 */
export function areVersions(one: Version, other: Version): boolean {
  const isSameTitle = one.title !== '' && one.title === other.title;
  if (isSameTitle && haveCommonAuthor(one, other) && isTitleTelling(one, other)) return true;
  const shorter = Math.min(one.words.length, other.words.length);
  if (shorter < (isSameTitle ? 1 : ABSTRACT_WORDS_MIN)) return false;
  return mayShareWords(one, other) && shareWordsInOrder(one.words, other.words, WORDS_SHARED_MIN);
}

/** Rules out nearly all pairs after a few dozen words: too many that the other one does not have. */
function mayShareWords({ words }: Version, other: Version): boolean {
  const longer = Math.max(words.length, other.words.length);
  const missingMax = words.length - Math.ceil(WORDS_SHARED_MIN * longer);
  let missing = 0;
  for (const word of words) {
    if (!other.distinctWords.has(word)) missing++;
    if (missing > missingMax) return false;
  }
  return true;
}

/**
 * Whether a version that is ranked behind another one of its paper is shown instead: only where
 * both have the same score as shown. Then one with an abstract goes first, one of the index, one
 * with a publisher's DOI, a published one, a newer one.
 */
export function isBetterVersion(later: Version, earlier: Version): boolean {
  if (shownScore(later.ranked) !== shownScore(earlier.ranked)) return false;
  const [merits, others] = [meritsOf(later), meritsOf(earlier)];
  const at = merits.findIndex((merit, index) => merit !== others[index]);
  return at !== -1 && (merits[at] as number) > (others[at] as number);
}

function meritsOf({ ranked, document, words }: Version): number[] {
  const { id, venue, year } = document;
  const identifiers = identifiersInId(id);
  const hasDoi = identifiers.doi !== undefined && !isPreprintDoi(identifiers.doi);
  const isLocal = ranked.document > 0;
  const facts = [words.length > 0, isLocal, hasDoi, isPublished({ identifiers, venue })];
  return [...facts.map(Number), year];
}

function haveCommonAuthor(one: Version, other: Version): boolean {
  return [...one.families].some((family) => other.families.has(family));
}

function isTitleTelling(one: Version, other: Version): boolean {
  if (one.title.length >= TITLE_LETTERS_MIN) return true;
  return Math.abs(one.document.year - other.document.year) <= YEARS_APART_MAX;
}

function familyOf(author: string): string {
  const words = author.trim().split(/\s+/);
  const isInitialsLast = words.length > 1 && INITIALS.test(words.at(-1) ?? '');
  return lettersOf(isInitialsLast ? (words[0] ?? '') : familyName(author));
}
