/** The document frequencies and totals that a batch changes, and its new revision. */

import type { Queries } from '../../database/postgres/postgres-database.ts';
import type { TermVector } from '../lexical/term-vectors.ts';
import type { PendingChanges } from './pending-changes.ts';
import { insertRows } from './rows.ts';
import { storedTermsOf } from './stored-terms.ts';

export interface BatchCounts {
  /** Adds a document with this many sentences, or takes it off. */
  count(terms: TermVector, sentences: number, by: 1 | -1): void;
  /** The change of the document frequency of each stored term. */
  frequencies: ReadonlyMap<number, number>;
  totals: Readonly<{ documents: number; sentences: number; terms: number }>;
}

export function startCounts(): BatchCounts {
  const frequencies = new Map<number, number>();
  const totals = { documents: 0, sentences: 0, terms: 0 };
  return {
    frequencies,
    totals,
    count(terms, sentences, by) {
      for (const term of storedTermsOf(terms)) {
        frequencies.set(term, (frequencies.get(term) ?? 0) + by);
      }
      totals.documents += by;
      totals.sentences += by * sentences;
      totals.terms += by * terms.length;
    },
  };
}

/** Writes them. It is the last step of a batch. */
export async function writeCounts(
  queries: Queries,
  { frequencies, totals }: BatchCounts,
  { lastDocument, lastRecord }: Pick<PendingChanges, 'lastDocument' | 'lastRecord'>,
): Promise<void> {
  const changed = [...frequencies].filter(([, by]) => by !== 0);
  await insertRows(queries, {
    into: 'term_counts',
    columns: { term: 'integer', documents: 'integer' },
    rows: changed,
    conflict: '(term) DO UPDATE SET documents = term_counts.documents + excluded.documents',
  });
  const fewer = changed.flatMap(([term, by]) => (by < 0 ? [term] : []));
  if (fewer.length > 0) {
    await queries.query(
      'DELETE FROM term_counts WHERE term = ANY ($1::integer[]) AND documents = 0',
      [fewer],
    );
  }
  const { documents, sentences, terms } = totals;
  await queries.query(
    `UPDATE index_facts SET revision = revision + 1, documents = documents + $1,
       sentences = sentences + $2, terms = terms + $3, last_document = $4, last_record = $5`,
    [documents, sentences, terms, lastDocument, lastRecord],
  );
}
