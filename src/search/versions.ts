/** Whether two results are versions of one paper, and which of them is shown. Pure. */
import { identifiersInId } from '../identity/identifiers.ts';
import { isPreprintDoi, isPublished } from '../identity/rank-records.ts';
import { familyName, lettersOf, TITLE_LETTERS_MIN } from '../identity/record-keys.ts';
import { wordsOf } from '../text/words.ts';
import { shareWordsInOrder } from '../text/words-in-order.ts';
import type { CitableDocument } from './cite.ts';
import { shownScore } from './rank.ts';
import type { Ranked } from './ranked.ts';

/** The part of their words that the abstracts of two versions share. */
const WORDS_SHARED_MIN = 0.9;

/** A shorter abstract may be a publisher's note that there is none, which many papers have. */
const ABSTRACT_WORDS_MIN = 30;

/** Papers with short titles, such as "Introduction", are one only where they are of one time. */
const YEARS_APART_MAX = 1;

/** Initials: behind them, as in "Berg A", there is no family name. */
const INITIALS = /^(?:\p{Lu}\.?-?){1,3}$/u;

/** Words of an abstract that are looked up in another one before all are compared. */
const PROBES = 10;

/** Shorter words are in any text. */
const PROBE = /\b[a-z]{5,}\b/g;

export interface Version {
  ranked: Ranked;
  document: CitableDocument;
  /** The title's letters. */
  title: string;
  abstract: string;
  /** Words from all parts of the abstract. */
  probes: readonly string[];
}

export function versionOf(ranked: Ranked, document: CitableDocument): Version {
  const abstract = document.ownAbstract ?? document.abstract;
  return {
    ranked,
    document,
    title: lettersOf(document.title),
    abstract,
    probes: probesOf(abstract),
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
  if (!isSameTitle && !mayShareWords(one, other)) return false;
  const [words, others] = [wordsOf(one.abstract), wordsOf(other.abstract)];
  const shorter = Math.min(words.length, others.length);
  if (shorter < (isSameTitle ? 1 : ABSTRACT_WORDS_MIN)) return false;
  return shareWordsInOrder(words, others, WORDS_SHARED_MIN);
}

/**
 * Rules out nearly all pairs, without taking the abstracts apart, which would take a tenth of a
 * search: of abstracts that share nine tenths of their words, at least half of the probes do.
 */
function mayShareWords({ probes }: Version, { abstract }: Version): boolean {
  let missing = 0;
  for (const probe of probes) {
    if (!abstract.includes(probe)) missing++;
    if (2 * missing > probes.length) return false;
  }
  return true;
}

/** The first word that is long enough in each part of a text. */
function probesOf(text: string): string[] {
  const length = Math.ceil(text.length / PROBES);
  return Array.from({ length: PROBES }, (_, part) => {
    PROBE.lastIndex = part * length;
    return PROBE.exec(text)?.[0] ?? '';
  });
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

function meritsOf({ ranked, document, abstract }: Version): number[] {
  const { id, venue, year } = document;
  const identifiers = identifiersInId(id);
  const hasDoi = identifiers.doi !== undefined && !isPreprintDoi(identifiers.doi);
  const isLocal = ranked.document > 0;
  const facts = [abstract.trim() !== '', isLocal, hasDoi, isPublished({ identifiers, venue })];
  return [...facts.map(Number), year];
}

function haveCommonAuthor(one: Version, other: Version): boolean {
  const [families, others] = [familiesOf(one), familiesOf(other)];
  return [...families].some((family) => others.has(family));
}

function familiesOf({ document }: Version): Set<string> {
  return new Set(document.authors.map(familyOf).filter((family) => family !== ''));
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
