/** Filters of OpenAlex's list of works (help.openalex.org/api/filtering). Pure. */
import type { Selection } from '../../ingest/selection/selection.ts';
import type { SourceQuery } from '../ports/source.ts';
import { publishedBetween, toldTypes } from './told-selection.ts';

/** Types of works (help.openalex.org/data/work-types). */
const TYPES = [
  'article book book-chapter book-review conference-abstract conference-paper data-paper dataset',
  'dissertation editorial erratum letter libguides other preprint reference-entry report retraction',
  'review software software-paper standard',
].flatMap((names) => names.split(' '));

/** What a work has to meet, as far as OpenAlex can filter: not by an unknown language. */
export function filterOf(
  query: SourceQuery,
  selection: Selection,
  publishedSince?: string,
): string {
  const { languages, withAbstract } = selection;
  const [first, last] = publishedBetween(query, selection, publishedSince);
  const types = toldTypes(TYPES, selection);
  const areCodes = languages.every((code) => /^[a-z]{2}$/.test(code));
  return [
    query.filter,
    first && `from_publication_date:${first}`,
    last && `to_publication_date:${last}`,
    languages.length > 0 && areCodes && `language:${languages.join('|')}`,
    types.length > 0 && `type:${types.join('|')}`,
    withAbstract && 'has_abstract:true',
  ]
    .filter(Boolean)
    .join(',');
}
