/** Filters of a search where lanes are asked: whether they can match, and whether a paper does. Pure. */
import { nameKeysOf, wantedAuthorKeys } from '../identity/author-keys.ts';
import { orcidOf } from '../identity/orcid.ts';
import { lettersOf } from '../identity/record-keys.ts';
import type { SearchFilter } from '../types.ts';
import type { QuotableSource } from './external-documents.ts';

/**
 * Returns whether the lanes can add papers that match. They cannot search for ids, ORCIDs, or citations,
 * and do not tell the type of a paper, whether it is open access, or which of the index's sources has it.
 */
export function canLanesMatch(filter: SearchFilter | undefined): boolean {
  if (filter === undefined) return true;
  const { ids, cites, citedBy, minCitations, sources, types, openAccess, authors } = filter;
  if (authors?.every((author) => orcidOf(author) !== undefined)) return false;
  return [ids, cites, citedBy, minCitations, sources, types, openAccess].every(
    (field) => field === undefined,
  );
}

/** Returns whether a paper of a lane matches a filter that lanes can match. */
export function matchesFilter(
  {
    id,
    year,
    authors: names,
    venue,
    ownAbstract,
  }: Pick<QuotableSource, 'id' | 'year' | 'authors' | 'venue' | 'ownAbstract'>,
  filter: SearchFilter | undefined,
): boolean {
  const { years, venues, hasAbstract, authors, doiPrefixes } = filter ?? {};
  if (years !== undefined && (year === 0 || year < years.from || year > years.to)) return false;
  if (hasAbstract !== undefined && (ownAbstract.trim() !== '') !== hasAbstract) return false;
  if (doiPrefixes !== undefined && !doiPrefixes.some((prefix) => id.startsWith(prefix)))
    return false;
  if (authors !== undefined) {
    const keys = nameKeysOf(names);
    if (!wantedAuthorKeys(authors).some((key) => keys.includes(key))) return false;
  }
  const letters = lettersOf(venue);
  if (venues === undefined) return true;
  return letters !== '' && venues.some((wanted) => lettersOf(wanted) === letters);
}
