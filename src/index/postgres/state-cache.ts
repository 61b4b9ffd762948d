/** What a thread keeps of the newest state of an index. */
import type { Queries } from '../../database/postgres/postgres-database.ts';
import type { Term } from '../../text/terms.ts';
import type { WithheldDocuments } from '../documents/withheld-documents.ts';

/** Terms that a search thread keeps: some megabytes. */
const TERMS_CACHED_MAX = 2 ** 17;

export interface StateCache {
  frequencies: Map<Term, number>;
  withheld?: WithheldDocuments;
}

/**
 * Returns a function that returns the cache of a state. Views may see an older state while a newer one
 * is cached; they get a cache of their own.
 */
export function createStateCaches(): (revision: number) => StateCache {
  let newest: { revision: number; cache: StateCache } | undefined;
  return (revision) => {
    if (newest?.revision === revision) return newest.cache;
    const cache = { frequencies: new Map() };
    if (newest === undefined || newest.revision < revision) newest = { revision, cache };
    return cache;
  };
}

/** Returns the document frequencies of terms. Reads those that are not cached. */
export async function readFrequencies(
  { query }: Queries,
  terms: Iterable<Term>,
  { frequencies: cached }: StateCache,
): Promise<ReadonlyMap<Term, number>> {
  const wanted = [...new Set(terms)];
  const missing = wanted.filter((term) => !cached.has(term));
  const found = new Map(wanted.map((term) => [term, cached.get(term) ?? 0]));
  if (missing.length === 0) return found;
  const rows = await query<{ term: number; documents: number }>(
    'SELECT term, documents FROM term_counts WHERE term = ANY($1::integer[])',
    [missing.map((term) => term | 0)],
  );
  for (const { term, documents } of rows) found.set(term >>> 0, documents);
  if (cached.size + missing.length > TERMS_CACHED_MAX) cached.clear();
  for (const term of missing) cached.set(term, found.get(term) ?? 0);
  return found;
}
