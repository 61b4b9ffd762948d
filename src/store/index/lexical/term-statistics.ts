/** In how many documents each term occurs, and how long documents are: what bm25 weighs with. */
import type { Term } from '../../../text/terms.ts';
import type { Connection } from '../../database/connection.ts';
import { readRevision } from '../index-facts.ts';

/**
 * Frequencies that are remembered, each at the place that its term says: of two terms with the same
 * place the later one stays. A search looks up some hundred, and a map waits for memory more often.
 */
const FREQUENCIES_CACHED = 2 ** 17;
const UNKNOWN = 0xffffffff;

export interface TermStatistics {
  documents: number;
  /** Mean number of terms of a document, 1 for an empty index. */
  lengthMean: number;
  /** In how many documents the term occurs. */
  frequencyOf(term: Term): number;
}

/** Returns a function that adds to the terms' counts; a step of the index writer's transaction. */
export function prepareCountTerms(db: Connection): (changes: ReadonlyMap<Term, number>) => void {
  const add = db.prepare(
    `INSERT INTO term_counts (term, documents) VALUES (?, ?)
     ON CONFLICT DO UPDATE SET documents = documents + excluded.documents`,
  );
  const removeUnused = db.prepare('DELETE FROM term_counts WHERE term = ? AND documents = 0');
  return (changes) => {
    for (const [term, by] of changes) {
      // Added and removed in one transaction.
      if (by === 0) continue;
      add.run(term, by);
      if (by < 0) removeUnused.run(term);
    }
  };
}

/** Returns a function that reads the statistics of the view that the connection sees. */
export function createStatisticsReader(db: Connection): () => TermStatistics {
  const facts = db.prepare(
    `SELECT (SELECT value FROM index_facts WHERE name = 'documents') AS documents,
            (SELECT value FROM index_facts WHERE name = 'terms') AS terms`,
  );
  const readFrequency = db.prepare('SELECT documents FROM term_counts WHERE term = ?').pluck();
  const revisionNow = readRevision(db);
  const terms = new Uint32Array(FREQUENCIES_CACHED);
  const frequencies = new Uint32Array(FREQUENCIES_CACHED).fill(UNKNOWN);
  let revision: number | undefined;
  let totals = { documents: 0, terms: 0 };
  return () => {
    const current = revisionNow();
    if (current !== revision) {
      frequencies.fill(UNKNOWN);
      totals = facts.get() as typeof totals;
      revision = current;
    }
    return {
      documents: totals.documents,
      lengthMean: totals.documents > 0 ? totals.terms / totals.documents : 1,
      frequencyOf(term) {
        const place = term % FREQUENCIES_CACHED;
        const known = frequencies[place] as number;
        if (terms[place] === term && known !== UNKNOWN) return known;
        const frequency = Number(readFrequency.get(term) ?? 0);
        terms[place] = term;
        frequencies[place] = frequency;
        return frequency;
      },
    };
  };
}
