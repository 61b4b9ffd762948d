/** Compares each field that a reference gives with the records of a work. Pure. */
import { ARXIV_DOI, type Scheme, schemes } from '../../identity/identifiers.ts';
import { isPreprintVenue } from '../../identity/record-precedence.ts';
import { plainName } from '../../search/papers/person-name.ts';
import { isSameName, withoutShared } from './names.ts';
import type { Reference } from './reference.ts';
import { relateTitles } from './titles.ts';
import { isSameVenue } from './venues.ts';
import { identifiersOfWork, valuesOf, type Work, yearsOf } from './work.ts';

/**
 * `same`: as in a record. `different`: no version has it. `unverified`: no record says anything about
 * it, so it may be right.
 */
export type FieldVerdict = 'same' | 'different' | 'unverified';

export type FieldName = 'title' | 'authors' | 'year' | 'venue' | Scheme;

export interface FieldComparison {
  field: FieldName;
  verdict: FieldVerdict;
  cited: string | number | readonly string[];
  /** What the records say; absent if nothing. */
  recorded?: string | number | readonly string[];
  /** What is wrong, in words; absent if nothing is. */
  problem?: string;
}

/** A preprint may precede its publication by this many years. */
export const PREPRINT_YEARS_MAX = 2;

/** The comparisons of the fields that the reference gives, in a fixed order. */
export function compareFields(cited: Reference, work: Work): FieldComparison[] {
  return [
    ...(cited.title === '' ? [] : [compareTitle(cited.title, work)]),
    ...(cited.authors.length === 0 ? [] : [compareAuthors(cited, work)]),
    ...(cited.year === 0 ? [] : [compareYear(cited, work)]),
    ...(cited.venue === '' ? [] : [compareVenue(cited.venue, work)]),
    ...schemes.flatMap((scheme) => compareIdentifier(cited, work, scheme)),
  ];
}

function compareTitle(title: string, { records, versions }: Work): FieldComparison {
  const recorded = versions.map(({ document }) => document.title)[0] ?? '';
  const isSame = records.some((record) => relateTitles(title, record.title) === 'same');
  const comparison = { field: 'title' as const, cited: title, recorded };
  if (isSame) return { ...comparison, verdict: 'same' };
  return { ...comparison, verdict: 'different', problem: 'other words' };
}

function compareAuthors(cited: Reference, { records }: Work): FieldComparison {
  const lists = records
    .map(({ authors }) => authors.map(plainName))
    .filter((own) => own.length > 0);
  const base = { field: 'authors' as const, cited: cited.authors };
  const [first] = lists;
  if (first === undefined) return { ...base, verdict: 'unverified' };
  const isSame = lists.some((list) => areSameAuthors(cited, list));
  const comparison = {
    ...base,
    recorded: lists.find((l) => l.length === Math.max(...lists.map((one) => one.length))) ?? first,
  };
  if (isSame) return { ...comparison, verdict: 'same' };
  return { ...comparison, verdict: 'different', problem: authorsProblem(cited.authors, first) };
}

function areSameAuthors({ authors, hasMoreAuthors }: Reference, list: readonly string[]): boolean {
  if (hasMoreAuthors ? authors.length > list.length : authors.length !== list.length) return false;
  return authors.every((author, at) => isSameName(author, list[at] as string));
}

function authorsProblem(cited: readonly string[], recorded: readonly string[]): string {
  const added = withoutShared(cited, recorded);
  if (added.length === cited.length) return 'none of them is an author';
  const missing = withoutShared(recorded, cited);
  if (added.length === 0 && missing.length === 0) return 'another order';
  const parts = [
    ...(added.length === 0 ? [] : [`no author: ${added.join(', ')}`]),
    ...(missing.length === 0 ? [] : [`missing: ${missing.join(', ')}`]),
  ];
  return parts.join('; ');
}

function compareYear(cited: Reference, work: Work): FieldComparison {
  const years = yearsOf(work);
  const base = { field: 'year' as const, cited: cited.year };
  if (years.length === 0) return { ...base, verdict: 'unverified' };
  const recorded = work.versions.map(({ document }) => document.year).find((year) => year > 0);
  const comparison = { ...base, recorded: recorded ?? (years[0] as number) };
  if (years.includes(cited.year)) return { ...comparison, verdict: 'same' };
  const isBefore = years.some(
    (year) => year > cited.year && year - cited.year <= PREPRINT_YEARS_MAX,
  );
  // A preprint that no record is about.
  if (isBefore && citesPreprint(cited)) return { ...comparison, verdict: 'unverified' };
  return { ...comparison, verdict: 'different', problem: 'another year' };
}

function citesPreprint({ venue, identifiers }: Reference): boolean {
  return isPreprintVenue(venue) || (venue === '' && identifiers.arxiv !== undefined);
}

function compareVenue(venue: string, work: Work): FieldComparison {
  const venues = [...new Set(work.records.map((record) => record.venue))].filter(
    (own) => own !== '',
  );
  const isOnArxiv = valuesOf(work, 'arxiv').length > 0;
  const recorded = work.versions.map(({ document }) => document.venue).find((own) => own !== '');
  const base = { field: 'venue' as const, cited: venue };
  const name = recorded ?? (isOnArxiv ? 'arXiv' : undefined);
  if (name === undefined) return { ...base, verdict: 'unverified' };
  const comparison = { ...base, recorded: name };
  if (venues.some((own) => isSameVenue(venue, own))) return { ...comparison, verdict: 'same' };
  if (isPreprintVenue(venue)) {
    // Almost any paper may have a preprint that the index does not know.
    return {
      ...comparison,
      verdict: isOnArxiv && /\barxiv\b|^corr\b/i.test(venue) ? 'same' : 'unverified',
    };
  }
  return { ...comparison, verdict: 'different', problem: 'no version appeared there' };
}

/** An identifier of another work is a conflict, which the verdict finds; here it is not known. */
function compareIdentifier(cited: Reference, work: Work, scheme: Scheme): FieldComparison[] {
  const value = cited.identifiers[scheme];
  if (value === undefined) return [];
  // The DOI of a preprint has its version in it, its arXiv id has not.
  if (scheme === 'doi' && ARXIV_DOI.test(value) && cited.identifiers.arxiv !== undefined) return [];
  const recorded = identifiersOfWork(work)[scheme];
  const isSame = valuesOf(work, scheme).includes(value);
  const verdict = isSame ? 'same' : 'unverified';
  return [
    { field: scheme, verdict, cited: value, ...(recorded === undefined ? {} : { recorded }) },
  ];
}
