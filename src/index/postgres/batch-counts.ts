/** The document frequencies and totals that a batch changes, and its new revision. */

import type { Queries } from '../../database/postgres/postgres-database.ts';
import type { TotalsChange } from '../index-facts.ts';
import { type TermVector, termsIn } from '../lexical/term-vectors.ts';
import type { PendingChanges } from './pending-changes.ts';
import { insertRows } from './rows.ts';

export interface BatchCounts extends TotalsChange {
  /** The change of the document frequency of each stored term. */
  frequencies: Map<number, number>;
}

/**
 * Returns the distinct terms of a document as they are stored. PostgreSQL has no unsigned numbers, so the
 * upper half of the 32 bits are negative ones.
 */
export function storedTermsOf(terms: TermVector): number[] {
  return termsIn(terms).map((term) => term | 0);
}

/** Adds a document with these terms, or takes it off. */
export function countDocument(
  counts: BatchCounts,
  { terms, sentences }: { terms: TermVector; sentences: number },
  by: 1 | -1,
): void {
  for (const term of storedTermsOf(terms)) {
    counts.frequencies.set(term, (counts.frequencies.get(term) ?? 0) + by);
  }
  counts.documents += by;
  counts.sentences += by * sentences;
  counts.terms += by * terms.length;
}

/** Writes them. It is the last step of a batch. */
export async function writeCounts(
  queries: Queries,
  { frequencies, documents, sentences, terms }: BatchCounts,
  { lastDocument, lastRecord }: PendingChanges,
): Promise<void> {
  const changed = [...frequencies].filter(([, by]) => by !== 0);
  await insertRows(
    queries,
    'term_counts',
    changed.map(([term, by]) => ({ term, documents: by })),
    '(term) DO UPDATE SET documents = term_counts.documents + excluded.documents',
  );
  const fewer = changed.flatMap(([term, by]) => (by < 0 ? [term] : []));
  if (fewer.length > 0) {
    await queries.query(
      'DELETE FROM term_counts WHERE term = ANY ($1::integer[]) AND documents = 0',
      [fewer],
    );
  }
  await queries.query(
    `UPDATE index_facts SET revision = revision + 1, documents = documents + $1,
       sentences = sentences + $2, terms = terms + $3, last_document = $4, last_record = $5`,
    [documents, sentences, terms, lastDocument, lastRecord],
  );
}
