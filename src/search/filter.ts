/** Filters of a search: the documents of the index that one allows. */
import { sourcesNamed } from '../identity/source-names.ts';
import type { Connection } from '../store/database/connection.ts';
import {
  type AllowedDocuments,
  createFacetReader,
  type FacetFilter,
} from '../store/index/facets/allowed-documents.ts';
import { readRevision } from '../store/index/index-facts.ts';
import type { SearchFilter } from '../types.ts';
import { createExclusions, type IdReader } from './exclusions.ts';

/** Returns the documents that a filter allows; undefined without a filter. */
export type AllowedReader = (filter: SearchFilter | undefined) => AllowedDocuments | undefined;

/** Keeps what the last `filtersCachedMax` filters allow, until the index changes. */
export function createAllowedReader(
  db: Connection,
  documents: IdReader,
  { filtersCachedMax }: { filtersCachedMax: number },
): AllowedReader {
  const revisionNow = readRevision(db);
  const readAllowed = createFacetReader(db);
  const cached = new Map<string, AllowedDocuments>();
  let revision: number | undefined;
  return (filter) => {
    if (filter === undefined) return undefined;
    const current = revisionNow();
    if (current !== revision) cached.clear();
    revision = current;
    const key = JSON.stringify(filter);
    const allowed = cached.get(key) ?? readAllowed(facetFilterOf(filter, documents));
    // The latest come last, so the first is the one that was not asked for the longest.
    cached.delete(key);
    cached.set(key, allowed);
    for (const oldest of cached.keys()) {
      if (cached.size <= filtersCachedMax) break;
      cached.delete(oldest);
    }
    return allowed;
  };
}

function facetFilterOf({ ids, sources, ...others }: SearchFilter, reader: IdReader): FacetFilter {
  const filter: FacetFilter = others;
  if (ids !== undefined) filter.documents = [...createExclusions(ids, reader).documents];
  if (sources !== undefined) filter.sources = sourcesNamed(sources);
  return filter;
}
