/** The statistics of BM25: the document frequencies of terms and the mean document length. */

import type { Connection } from '../../database/sqlite/connection.ts';
import type { Term } from '../../text/terms.ts';
import { readRevision } from '../index-facts.ts';

/**
 * Slots of the cache of frequencies. A term determines its slot, and the later of two terms with
 * the same slot stays. A search looks up about a hundred, and a map waits for memory more often.
 */
const FREQUENCIES_CACHED = 2 ** 17;
const UNKNOWN = 0xffffffff;

export interface TermStatistics {
  documents: number;
  /** The mean number of terms of a document, 1 for an empty index. */
  lengthMean: number;
  /** Returns the number of documents that contain the term. */
  frequencyOf(term: Term): number;
}

/** Returns a function that adds to the term counts. It is a step of the writer's transaction. */
export function prepareCountTerms(db: Connection): (changes: ReadonlyMap<Term, number>) => void {
  const add = db.prepare(
    `INSERT INTO term_counts (term, documents) VALUES (?, ?)
     ON CONFLICT DO UPDATE SET documents = documents + excluded.documents`,
  );
  const removeUnused = db.prepare('DELETE FROM term_counts WHERE term = ? AND documents = 0');
  return (changes) => {
    for (const [term, by] of changes) {
      // Added and removed in the same transaction.
      if (by === 0) continue;
      add.run(term, by);
      if (by < 0) removeUnused.run(term);
    }
  };
}

/** Returns a function that reads the statistics in the view that the connection sees. */
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
        const slot = term % FREQUENCIES_CACHED;
        const known = frequencies[slot] as number;
        if (terms[slot] === term && known !== UNKNOWN) return known;
        const frequency = Number(readFrequency.get(term) ?? 0);
        terms[slot] = term;
        frequencies[slot] = frequency;
        return frequency;
      },
    };
  };
}
