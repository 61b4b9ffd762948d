/** One word about each reference of a request: is there such a work? Pure. */
import { type CompleteSet, completeSetOf } from './coverage.ts';
import type { Judgment } from './judge-reference.ts';
import { withoutShared } from './names.ts';
import type { Reference } from './reference.ts';
import { isOneWordReplaced, relateTitles, wordsOf } from './titles.ts';
import type { Work } from './work.ts';

export const assessments = ['likely_real', 'likely_fabricated', 'cannot_tell'] as const;
export type Assessment = (typeof assessments)[number];

/** A reference in the reading that fits best, with the verdict about it. */
export interface JudgedReference {
  cited: Reference;
  judgment: Judgment;
}

/**
 * Among so many references, 1, 2, or 3 that are not found are likely fabricated. If the index lacks each
 * true work with the same chance, whatever it is, that calls at most 0.01 of them so: the expected number
 * of misses, where more than 3 count as none, is at most 0.01 of the references.
 */
export const REFERENCES_MIN: readonly number[] = [38, 85, 138];

/** A single name may be misspelled. */
const AUTHORS_MIN = 2;

/** The assessments of the references of a request, in their order. Undefined: it was not read. */
export function assessReferences(
  references: readonly (JudgedReference | undefined)[],
  complete: readonly CompleteSet[],
): Assessment[] {
  const mayMiss = missesExplained(references.filter((one) => one !== undefined));
  return references.map((one) => {
    if (one === undefined) return 'cannot_tell';
    if (!isMissing(one)) return assessFound(one);
    const isExpected = !mayMiss(one) || completeSetOf(one.cited, complete) !== undefined;
    return isExpected ? 'likely_fabricated' : 'cannot_tell';
  });
}

/** Returns whether a gap of the index may explain that a reference is not found. */
function missesExplained(
  references: readonly JudgedReference[],
): (missing: JudgedReference) => boolean {
  const found = references.filter(({ judgment }) => FOUND.includes(judgment.verdict));
  const works = new Set(found.map(({ judgment }) => judgment.work?.versions[0]?.document.id));
  const misses = references.filter(isMissing).length;
  const least = REFERENCES_MIN[misses - 1];
  if (least === undefined || works.size + misses < least) return () => true;
  // An older or a newer work may be of a kind that the index does not have.
  const years = found.map(({ cited }) => cited.year).filter((year) => year > 0);
  const [first, last] = [Math.min(...years), Math.max(...years)];
  return ({ cited: { year } }) => year < first || year > last;
}

const FOUND: readonly Judgment['verdict'][] = ['match', 'match_unverified', 'match_with_errors'];

/** Whether no work fits: a similar title by other people is another work. */
function isMissing({ cited, judgment: { verdict, work, fields } }: JudgedReference): boolean {
  if (verdict === 'not_found') return true;
  if (verdict !== 'possible_match' || work === undefined) return false;
  const isTitled = fields.some((one) => one.field === 'title' && one.verdict === 'same');
  return !isTitled && haveNothingInCommon(cited.authors, work);
}

function assessFound({ cited, judgment }: JudgedReference): Assessment {
  const { verdict, work, otherWork } = judgment;
  if (verdict === 'match' || verdict === 'match_unverified') return 'likely_real';
  if (work === undefined || verdict === 'possible_match') return 'cannot_tell';
  if (verdict === 'conflict') {
    // A real work with the identifier of another one, or a chapter with that of its book.
    const title = work.versions[0]?.document.title ?? '';
    const isMixedUp = otherWork !== undefined || relateTitles(cited.venue, title) !== 'other';
    return isMixedUp ? 'cannot_tell' : 'likely_fabricated';
  }
  if (areOthers(cited.authors, work)) {
    // Names may be misspelled, and there may be another work with the same title.
    const isCertain = haveNothingInCommon(cited.authors, work) && isSameRecord(judgment);
    return isCertain ? 'likely_fabricated' : 'cannot_tell';
  }
  return isRetitled(judgment) ? 'likely_fabricated' : 'likely_real';
}

/** Whether none of the authors is one of the work's. */
function areOthers(cited: readonly string[], { records }: Work): boolean {
  const names = records.flatMap(({ authors }) => authors);
  if (cited.length === 0 || names.length === 0) return false;
  return withoutShared(cited, names).length === cited.length;
}

/** Whether a list of authors has no word of any of the work's, not even in another order. */
function haveNothingInCommon(cited: readonly string[], { records }: Work): boolean {
  const names = records.flatMap(({ authors }) => authors);
  if (cited.length < AUTHORS_MIN || names.length === 0) return false;
  // Other scripts spell names otherwise.
  if (![cited, names].every((list) => /\p{Script=Latin}/u.test(list.join(' ')))) return false;
  const recorded = wordsOf(names.join(' '));
  return ![...wordsOf(cited.join(' '))].some((word) => word.length > 1 && recorded.has(word));
}

/** Whether an identifier, or both year and venue, say which record is meant. */
function isSameRecord({ fields }: Judgment): boolean {
  const same = fields.filter(({ verdict }) => verdict === 'same').map(({ field }) => field);
  const { year, venue } = { year: same.includes('year'), venue: same.includes('venue') };
  return (year && venue) || same.some((field) => !DESCRIPTIVE.includes(field));
}

const DESCRIPTIVE: readonly string[] = ['title', 'authors', 'year', 'venue'];

/** Whether one word of the title is another one, and all else is right. */
function isRetitled(judgment: Judgment): boolean {
  const { fields } = judgment;
  const title = fields.find(({ field }) => field === 'title');
  if (title?.verdict !== 'different' || !isSameRecord(judgment)) return false;
  if (!fields.some(({ field }) => field === 'authors')) return false;
  if (fields.some((one) => one !== title && one.verdict !== 'same')) return false;
  return isOneWordReplaced(String(title.cited), String(title.recorded));
}
