/**
 * Writes everything derived from a document: its forward index entry, term counts, postings, its
 * entry in an inverted list, and the totals.
 */

import type { Connection } from '../../database/sqlite/connection.ts';
import type { DocumentNumber, Embedding, SentenceSpan } from '../../types.ts';
import { encodeEmbeddings, type QuantizedUnit } from '../dense/embeddings.ts';
import { createInvertedListWriter } from '../dense/inverted-lists.ts';
import {
  encodeForwardEntry,
  type ForwardEntry,
  prepareReadForwardEntry,
} from '../forward-index.ts';
import { prepareReviseIndex } from '../index-facts.ts';
import type { PostingsWriter } from '../lexical/postings.ts';
import { prepareCountTerms } from '../lexical/term-statistics.ts';
import { decodeTermVector, encodeTermVector, termAt } from '../lexical/term-vectors.ts';

/** The parts of a document that the derived tables need. */
export interface DerivedFrom {
  title: string;
  abstract: string;
  spans: readonly SentenceSpan[];
  /** The document's own vector. */
  own: Embedding;
  /** The vectors of the title and the sentences. */
  units: readonly QuantizedUnit[];
}

/** Every call is a step of a transaction that ends with `flush`. */
export interface DerivedTables {
  put(document: DocumentNumber, from: DerivedFrom): void;
  /** Removes a document with this many sentences. Deleting its row deletes its entry. */
  remove(document: DocumentNumber, sentences: number): void;
  /** Writes the changed counts and totals. */
  flush(): void;
}

export interface DerivedTablesOptions {
  /** Those of the index's model. */
  dimensions: number;
  postings: PostingsWriter;
}

export function createDerivedTables(
  db: Connection,
  { dimensions, postings }: DerivedTablesOptions,
): DerivedTables {
  const lists = createInvertedListWriter(db, dimensions);
  const addForwardEntry = db.prepare('INSERT INTO signals (document, packed) VALUES (?, ?)');
  const readForwardEntry = prepareReadForwardEntry(db);
  const reviseIndex = prepareReviseIndex(db);
  const countTerms = prepareCountTerms(db);
  // Documents of a transaction share many terms, so each count is written once.
  const termChanges = new Map<number, number>();
  const totals = { documents: 0, sentences: 0, terms: 0 };

  const count = (terms: Buffer, sentences: number, by: 1 | -1): void => {
    const vector = decodeTermVector(terms);
    for (let at = 0; at < vector.size; at++) {
      const term = termAt(vector, at);
      termChanges.set(term, (termChanges.get(term) ?? 0) + by);
    }
    totals.documents += by;
    totals.sentences += by * sentences;
    totals.terms += by * vector.length;
  };
  return {
    put(document, { title, abstract, spans, own, units }) {
      const terms = encodeTermVector(title, abstract, spans);
      const vectors = encodeEmbeddings(own, units);
      addForwardEntry.run(document, encodeForwardEntry({ vectors, terms }));
      lists.add(document, vectors);
      postings.added(document);
      count(terms, spans.length, 1);
    },
    remove(document, sentences) {
      const { terms } = readForwardEntry(document) as ForwardEntry;
      postings.remove(document, decodeTermVector(terms));
      count(terms, sentences, -1);
      lists.remove(document);
    },
    flush() {
      lists.flush();
      countTerms(termChanges);
      reviseIndex(totals);
      termChanges.clear();
      Object.assign(totals, { documents: 0, sentences: 0, terms: 0 });
    },
  };
}
