/** Filters of OpenAlex's list of works (help.openalex.org/api/filtering). Pure. */
import { type Selection, typeName } from '../../ingest/selection/selection.ts';
import type { SourceOptions } from '../ports/source.ts';

/** Types of works (help.openalex.org/data/work-types). */
const TYPES = [
  'article book book-chapter book-review conference-abstract conference-paper data-paper dataset',
  'dissertation editorial erratum letter libguides other preprint reference-entry report retraction',
  'review software software-paper standard',
].flatMap((names) => names.split(' '));

/**
 * What a work has to meet. What OpenAlex cannot filter by, such as an unknown language, is left out:
 * records are selected again when they are read.
 */
export function filterOf(
  { filter, from }: SourceOptions,
  { years, languages, types, withAbstract }: Selection,
  publishedSince?: string,
): string {
  const { from: first = 0, to: last = Infinity } = years?.withUnknown ? {} : (years ?? {});
  const days = [from?.length === 4 ? `${from}-01-01` : from, publishedSince];
  if (first >= 1_000) days.push(`${first}-01-01`);
  const since = days.filter((day) => day !== undefined).sort();
  const known = TYPES.filter((type) => types.includes(typeName(type)));
  return [
    filter ?? [],
    since.slice(-1).map((day) => `from_publication_date:${day}`),
    last <= 9_999 ? `to_publication_date:${last}-12-31` : [],
    languages.length > 0 && languages.every((code) => /^[a-z]{2}$/.test(code))
      ? `language:${languages.join('|')}`
      : [],
    known.length > 0 && known.length === new Set(types).size ? `type:${known.join('|')}` : [],
    withAbstract ? 'has_abstract:true' : [],
  ]
    .flat()
    .join(',');
}
