/**
 * The keys by which papers are found by an author: one for each name as a record prints it, and one for
 * each ORCID. The index keeps hashes, of which two names share one with negligible probability. Pure.
 */
import type { KeptRecord } from './kept-record.ts';
import { orcidOf } from './orcid.ts';
import { hashKey, lettersOf } from './record-keys.ts';

/** What stands between the parts of a name. Apostrophes do not: O'Neil is one part. */
const BETWEEN_PARTS = /[\s,.;‐-―-]+/u;

/** The keys of the authors of records, each once. Supplements and what is left of a removed record have none. */
export function authorKeysOf(
  records: readonly Pick<KeptRecord, 'part' | 'authors' | 'details'>[],
): number[] {
  const papers = records.filter(({ part }) => part === 'record');
  const orcids = papers.flatMap(({ details }) => details?.orcids ?? []);
  return [
    ...new Set([...papers.flatMap(({ authors }) => nameKeysOf(authors)), ...orcids.map(orcidKey)]),
  ];
}

/** The keys of names, each once. */
export function nameKeysOf(names: readonly string[]): number[] {
  return [...new Set(names.flatMap((name) => nameKey(name) ?? []))];
}

/** The keys of authors that a filter names, by ORCID or by name. */
export function wantedAuthorKeys(authors: readonly string[]): number[] {
  return authors.flatMap((author) => {
    const orcid = orcidOf(author);
    return (orcid === undefined ? nameKey(author) : orcidKey(orcid)) ?? [];
  });
}

function orcidKey(orcid: string): number {
  return hashKey(`orcid:${orcid}`);
}

/**
 * The key of a name: its letters without case and diacritics, in any order of its parts. Initials are
 * one part: "J. P. Berg" is "Berg, J.P." and "Berg JP". Returns undefined for a name without letters.
 */
function nameKey(name: string): number | undefined {
  const parts = name
    .split(BETWEEN_PARTS)
    .map(lettersOf)
    .filter((part) => part !== '');
  const initials = parts.filter(({ length }) => length === 1).join('');
  const all = [...parts.filter(({ length }) => length > 1), initials].filter((part) => part !== '');
  return all.length === 0 ? undefined : hashKey(`author:${all.sort().join(' ')}`);
}
