/** Filters of a search where lanes are asked: whether they can match, and whether a paper does. Pure. */
import { lettersOf } from '../identity/record-keys.ts';
import type { SearchFilter } from '../types.ts';
import type { QuotableSource } from './external-documents.ts';

/**
 * Returns whether the lanes can add papers that match. They cannot search for ids or citations, and
 * do not tell the type of a paper, whether it is open access, or which of the index's sources has it.
 */
export function canLanesMatch(filter: SearchFilter | undefined): boolean {
  if (filter === undefined) return true;
  const { ids, cites, citedBy, minCitations, sources, types, openAccess } = filter;
  return [ids, cites, citedBy, minCitations, sources, types, openAccess].every(
    (field) => field === undefined,
  );
}

/** Returns whether a paper of a lane matches a filter that lanes can match. */
export function matchesFilter(
  { year, venue, ownAbstract }: Pick<QuotableSource, 'year' | 'venue' | 'ownAbstract'>,
  filter: SearchFilter | undefined,
): boolean {
  const { years, venues, hasAbstract } = filter ?? {};
  if (years !== undefined && (year === 0 || year < years.from || year > years.to)) return false;
  if (hasAbstract !== undefined && (ownAbstract.trim() !== '') !== hasAbstract) return false;
  const letters = lettersOf(venue);
  if (venues === undefined) return true;
  return letters !== '' && venues.some((wanted) => lettersOf(wanted) === letters);
}
