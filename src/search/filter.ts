/** Filters of a search: the documents of the index that one allows. */
import { sourcesNamed } from '../identity/source-names.ts';
import { mergeCiting } from '../index/citations/citing-list.ts';
import type { AllowedDocuments, FacetFilter } from '../index/facets/allowed-documents.ts';
import type { IndexView } from '../index/ports/index-source.ts';
import type { DocumentNumber, SearchFilter } from '../types.ts';
import { citedOf, citingNamed } from './citation-graph.ts';
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
  { ids, cites, citedBy, sources, ...others }: SearchFilter,
  view: IndexView,
): Promise<FacetFilter> {
  const filter: FacetFilter = others;
  const sets: (readonly DocumentNumber[])[] = [];
  if (ids !== undefined) sets.push(await documentsWith(ids, view));
  if (cites !== undefined) sets.push(await documentsCiting(cites, view));
  if (citedBy !== undefined) sets.push(await documentsCitedBy(citedBy, view));
  const [first, ...rest] = sets;
  if (first !== undefined) {
    const others = rest.map((documents) => new Set(documents));
    filter.documents = first.filter((document) => others.every((set) => set.has(document)));
  }
  if (sources !== undefined) filter.sources = sourcesNamed(sources);
  return filter;
}

async function documentsWith(ids: readonly string[], view: IndexView): Promise<DocumentNumber[]> {
  return [...(await readExclusions(ids, view)).documents];
}

async function documentsCiting(ids: readonly string[], view: IndexView): Promise<DocumentNumber[]> {
  return [...mergeCiting(await citingNamed(ids, view))];
}

async function documentsCitedBy(
  ids: readonly string[],
  view: IndexView,
): Promise<DocumentNumber[]> {
  const cited = await citedOf(await documentsWith(ids, view), view);
  return [...new Set(cited.flatMap(({ documents }) => Array.from(documents)))];
}
