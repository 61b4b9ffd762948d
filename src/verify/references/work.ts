/** A work: all records of its versions, such as a preprint and the published paper. Pure. */
import { type Scheme, schemes } from '../../identity/identifiers.ts';
import type { KeptRecord } from '../../identity/kept-record.ts';
import type { MergedDocument } from '../../identity/merge-records.ts';
import { isPublished } from '../../identity/record-precedence.ts';
import { plainName } from '../../search/papers/person-name.ts';
import type { Identifiers } from '../../types.ts';
import { isSameName } from './names.ts';
import { isSameTitle } from './titles.ts';

export interface Work {
  /** The documents of its versions, the published one first. At least one. */
  versions: MergedDocument[];
  /** The records of all versions, without separate abstracts and notices. */
  records: KeptRecord[];
}

/** Groups documents into works: those with the same title and first author are versions of one. */
export function groupVersions(documents: readonly MergedDocument[]): Work[] {
  const groups: MergedDocument[][] = [];
  for (const one of documents) {
    const group = groups.find(([first]) => first !== undefined && areVersions(first, one));
    if (group === undefined) groups.push([one]);
    else group.push(one);
  }
  return groups.map((group) => {
    const versions = [...group].sort((a, b) => precedenceOf(a) - precedenceOf(b));
    const records = versions.flatMap((version) => version.records);
    return { versions, records: records.filter(({ part }) => part === 'record') };
  });
}

/** All values of an identifier that the versions have. */
export function valuesOf({ records }: Work, scheme: Scheme): string[] {
  return [...new Set(records.flatMap(({ identifiers }) => identifiers[scheme] ?? []))];
}

/** The identifiers of the work, for each scheme that of the first version that has it. */
export function identifiersOfWork({ versions }: Work): Identifiers {
  const found: Identifiers = {};
  for (const { identifiers } of versions) {
    for (const scheme of schemes) {
      const value = identifiers[scheme];
      if (value !== undefined) found[scheme] ??= value;
    }
  }
  return found;
}

/** Whether the work shares an identifier with a reference. */
export function hasIdentifier(work: Work, cited: Identifiers): boolean {
  return schemes.some((scheme) => {
    const value = cited[scheme];
    return value !== undefined && valuesOf(work, scheme).includes(value);
  });
}

/** The years of all versions, also that in which its arXiv id was assigned. */
export function yearsOf(work: Work): number[] {
  const years = work.records.map(({ year }) => year);
  const arxivYears = valuesOf(work, 'arxiv').map(arxivYear);
  return [...new Set([...years, ...arxivYears])].filter((year) => year > 0);
}

/** The year in an arXiv id such as 2401.00001 or math/0309136; 0 if it has none. */
export function arxivYear(id: string): number {
  const [, old, current] = /^(?:[a-z-]+\/(\d\d)\d{5}|(\d\d)\d\d\.\d+)$/.exec(id) ?? [];
  if (current !== undefined) return 2000 + Number(current);
  if (old === undefined) return 0;
  return Number(old) > 90 ? 1900 + Number(old) : 2000 + Number(old);
}

function areVersions({ document: one }: MergedDocument, { document: other }: MergedDocument) {
  if (!isSameTitle(one.title, other.title)) return false;
  const [first = '', second = ''] = [one.authors[0], other.authors[0]].map((name) =>
    plainName(name ?? ''),
  );
  return isSameName(first, second);
}

function precedenceOf({ identifiers, document }: MergedDocument): number {
  return isPublished({ identifiers, venue: document.venue }) ? 0 : 1;
}
