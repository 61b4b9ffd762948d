/** The document frequencies of terms in one state of an index, cached. */
import type { Queries } from '../../database/postgres/postgres-database.ts';
import type { Term } from '../../text/terms.ts';
import { readFrequencies } from './lexical.ts';

/** Terms that a search thread keeps: some megabytes. */
const TERMS_CACHED_MAX = 2 ** 17;

export interface TermFrequencies {
  /** Reads those of the terms that are not cached. */
  read(queries: Queries, terms: Iterable<Term>): Promise<ReadonlyMap<Term, number>>;
}

export function createTermFrequencies(): TermFrequencies {
  const cached = new Map<Term, number>();
  return {
    async read(queries, terms) {
      const found = new Map<Term, number>();
      const missing: Term[] = [];
      for (const term of new Set(terms)) {
        const known = cached.get(term);
        if (known === undefined) missing.push(term);
        else found.set(term, known);
      }
      if (missing.length === 0) return found;
      const read = await readFrequencies(queries, missing);
      if (cached.size + missing.length > TERMS_CACHED_MAX) cached.clear();
      for (const term of missing) {
        const frequency = read.get(term) ?? 0;
        cached.set(term, frequency);
        found.set(term, frequency);
      }
      return found;
    },
  };
}
