/** What the operator declares to be complete, so that a reference that is not found counts. Pure. */
import { VerbatimError } from '../../errors.ts';
import { type Scheme, schemes } from '../../identity/identifiers.ts';
import { PREPRINT_YEARS_MAX } from './compare-fields.ts';
import type { Reference } from './reference.ts';
import { isSameVenue } from './venues.ts';
import { arxivYear } from './work.ts';

/** A set of papers that the index has completely. */
export interface CompleteSet {
  /** As the operator wrote it. */
  text: string;
  /** The scheme whose identifiers are complete, or the venue. Neither: all papers are there. */
  scheme?: Scheme;
  venue?: string;
  /** The first and the last complete year. Absent: all years. */
  years?: readonly [first: number, last: number];
}

const SETS_MAX = 200;
const SET = /^(?:(\*)|([a-z0-9]+):\*|([^:*]+?))(?:\s+(\d{4})-(\d{4}))?$/;

/** Parses VERBATIM_INDEX_COMPLETE. Throws `usage` naming the part that is wrong. */
export function parseCompleteSets(setting: string): CompleteSet[] {
  const texts = setting.split(';').map((text) => text.trim());
  const sets = texts.filter((text) => text !== '').map(parseSet);
  if (sets.length <= SETS_MAX) return sets;
  throw invalid(`at most ${SETS_MAX} sets can be declared, not ${sets.length}`);
}

function parseSet(text: string): CompleteSet {
  const [, all, name, venue, first, last] = SET.exec(text) ?? [];
  const scheme = schemes.find((each) => each === name);
  if (all === undefined && scheme === undefined && venue === undefined) {
    throw invalid(`"${text}" is no set of papers; write *, arxiv:*, or a venue, then years`);
  }
  const years = first === undefined ? undefined : ([Number(first), Number(last)] as const);
  if (years !== undefined && years[0] > years[1]) throw invalid(`"${text}" ends before it begins`);
  return { text, ...(scheme && { scheme }), ...(venue && { venue }), ...(years && { years }) };
}

function invalid(problem: string): VerbatimError {
  return new VerbatimError('usage', `VERBATIM_INDEX_COMPLETE: ${problem}`);
}

/** The declared set that would hold the paper if it were real; undefined if there is none. */
export function completeSetOf(
  cited: Reference,
  sets: readonly CompleteSet[],
): CompleteSet | undefined {
  return sets.find((set) => isOf(cited, set));
}

function isOf(cited: Reference, { scheme, venue, years }: CompleteSet): boolean {
  if (scheme !== undefined && cited.identifiers[scheme] === undefined) return false;
  if (venue !== undefined && !isSameVenue(cited.venue, venue)) return false;
  if (years === undefined) return true;
  // The cited year may be that of a preprint, or a little wrong.
  const isWithin = (year: number): boolean =>
    year >= years[0] + PREPRINT_YEARS_MAX && year <= years[1] - PREPRINT_YEARS_MAX;
  const assigned = arxivYear(cited.identifiers.arxiv ?? '');
  return isWithin(cited.year) && (assigned === 0 || isWithin(assigned));
}
