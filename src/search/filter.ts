/** Filters of a search: the documents of the index that one allows. */
import { sourcesNamed } from '../identity/source-names.ts';
import type { AllowedDocuments, FacetFilter } from '../index/facets/allowed-documents.ts';
import type { IndexView } from '../index/ports/index-source.ts';
import type { SearchFilter } from '../types.ts';
import { readExclusions } from './exclusions.ts';

/** Returns the documents that a filter allows in a view; undefined without a filter. */
export type AllowedReader = (
  filter: SearchFilter | undefined,
  view: IndexView,
) => Promise<AllowedDocuments | undefined>;

/** Keeps what the last `filtersCachedMax` filters allow, until the index changes. */
export function createAllowedReader({
  filtersCachedMax,
}: {
  filtersCachedMax: number;
}): AllowedReader {
  const cached = new Map<string, { revision: string; allowed: AllowedDocuments }>();
  return async (filter, view) => {
    if (filter === undefined) return undefined;
    const revision = await view.revision();
    const key = JSON.stringify(filter);
    const known = cached.get(key);
    const allowed =
      known?.revision === revision
        ? known.allowed
        : await view.allowed(await facetFilterOf(filter, view));
    // The latest come last, so the first is the one that was not asked for the longest.
    cached.delete(key);
    cached.set(key, { revision, allowed });
    for (const [other, { revision: its }] of cached) {
      if (its !== revision || cached.size > filtersCachedMax) cached.delete(other);
    }
    return allowed;
  };
}

async function facetFilterOf(
  { ids, sources, ...others }: SearchFilter,
  view: IndexView,
): Promise<FacetFilter> {
  const filter: FacetFilter = others;
  if (ids !== undefined) filter.documents = [...(await readExclusions(ids, view)).documents];
  if (sources !== undefined) filter.sources = sourcesNamed(sources);
  return filter;
}
