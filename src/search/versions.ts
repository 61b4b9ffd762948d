/** Decides whether two results are versions of one paper, and which version is shown. Pure. */
import { identifiersInId } from '../identity/identifiers.ts';
import { familyName, lettersOf, TITLE_LETTERS_MIN } from '../identity/record-keys.ts';
import { isPreprintDoi, isPublished } from '../identity/record-precedence.ts';
import { haveCommonSubsequence } from '../text/common-subsequence.ts';
import { wordsOf } from '../text/words.ts';
import type { CitableDocument } from './citable-document.ts';
import { shownScore } from './rank.ts';
import type { Ranked } from './ranked.ts';

/** The share of words, in order, that the abstracts of two versions have in common. */
const WORDS_SHARED_MIN = 0.9;

/** A shorter abstract may be a publisher's note that appears with many papers. */
const ABSTRACT_WORDS_MIN = 30;

/** Papers with the same short title, such as "Introduction", must be this close in time. */
const YEARS_APART_MAX = 1;

/** Initials. In "Berg A" the family name comes before them. */
const INITIALS = /^(?:\p{Lu}\.?-?){1,3}$/u;

/** Words of an abstract that are looked up in another one before the full comparison. */
const PROBES = 10;

/** Shorter words occur in any text. */
const PROBE = /\b[a-z]{5,}\b/g;

/** What tells whether two documents are versions of one paper. */
export interface Wording {
  document: CitableDocument;
  /** The letters and digits of the title. */
  title: string;
  abstract: string;
  /** Words from evenly spaced parts of the abstract. */
  probes: readonly string[];
}

export interface Version extends Wording {
  ranked: Ranked;
}

export function wordingOf(document: CitableDocument): Wording {
  const abstract = document.ownAbstract ?? document.abstract;
  return { document, title: lettersOf(document.title), abstract, probes: probesOf(abstract) };
}

/**
 * Whether a reader would take these for one paper, regardless of their identifiers. They have the
 * same title and an author in common, or abstracts that share 90 % of their words in order. A short
 * title counts only within a year, and a short abstract only under the same title.
 */
export function areVersions(one: Wording, other: Wording): boolean {
  const isSameTitle = one.title !== '' && one.title === other.title;
  const [first, second] = [one.document, other.document];
  if (isSameTitle && haveCommonAuthor(first, second) && isDistinctive(one.title, first, second)) {
    return true;
  }
  if (!isSameTitle && !mayShareWords(one, other)) return false;
  const [words, others] = [wordsOf(one.abstract), wordsOf(other.abstract)];
  const shorter = Math.min(words.length, others.length);
  if (shorter < (isSameTitle ? 1 : ABSTRACT_WORDS_MIN)) return false;
  return haveCommonSubsequence(words, others, WORDS_SHARED_MIN);
}

/**
 * Rules out nearly all pairs without splitting the abstracts into words, which would take a tenth of
 * a search. Abstracts that share 90 % of their words are expected to share at least half the probes.
 */
function mayShareWords({ probes }: Wording, { abstract }: Wording): boolean {
  let missing = 0;
  for (const probe of probes) {
    if (!abstract.includes(probe)) missing++;
    if (2 * missing > probes.length) return false;
  }
  return true;
}

/** The first long word in each of PROBES parts of a text. */
function probesOf(text: string): string[] {
  const length = Math.ceil(text.length / PROBES);
  return Array.from({ length: PROBES }, (_, part) => {
    PROBE.lastIndex = part * length;
    return PROBE.exec(text)?.[0] ?? '';
  });
}

/**
 * Whether a lower-ranked version is shown instead of a higher-ranked one. It must have the same
 * shown score. Then these decide, in order: an abstract, a place in the index, a publisher's DOI,
 * publication, the later year.
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

/** What tells of a paper that is known by its title which paper it is. */
type Titled = Pick<CitableDocument, 'title' | 'authors' | 'year'>;

/**
 * Whether these have the same title and an author in common, as far as both name authors. A short
 * title counts only within a year. Their identifiers may contradict.
 */
export function haveSameTitle(one: Titled, other: Titled): boolean {
  const title = lettersOf(one.title);
  if (title === '' || title !== lettersOf(other.title)) return false;
  const namesNobody = [one, other].some((each) => familiesOf(each).size === 0);
  return (namesNobody || haveCommonAuthor(one, other)) && isDistinctive(title, one, other);
}

function haveCommonAuthor(one: Titled, other: Titled): boolean {
  const [families, others] = [familiesOf(one), familiesOf(other)];
  return [...families].some((family) => others.has(family));
}

function familiesOf({ authors }: Titled): Set<string> {
  return new Set(authors.map(familyOf).filter((family) => family !== ''));
}

function isDistinctive(title: string, one: Titled, other: Titled): boolean {
  return title.length >= TITLE_LETTERS_MIN || Math.abs(one.year - other.year) <= YEARS_APART_MAX;
}

function familyOf(author: string): string {
  const words = author.trim().split(/\s+/);
  const isInitialsLast = words.length > 1 && INITIALS.test(words.at(-1) ?? '');
  return lettersOf(isInitialsLast ? (words[0] ?? '') : familyName(author));
}
