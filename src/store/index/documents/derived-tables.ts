/**
 * Writes what is derived from a document: its terms and their counts, its vectors, its place in a
 * cell, and the totals.
 */
import type { DocumentNumber, Embedding, SentenceSpan } from '../../../types.ts';
import type { Connection } from '../../database/connection.ts';
import { ownVectorOf, type PackedUnit, packEmbeddings, unpackOwn } from '../dense/embeddings.ts';
import { createCellWriter } from '../dense/inverted-lists.ts';
import { packSignals, prepareReadSignals, type Signals } from '../forward-index.ts';
import { prepareReviseIndex } from '../index-facts.ts';
import type { PostingsWriter } from '../lexical/postings.ts';
import { prepareCountTerms } from '../lexical/term-statistics.ts';
import { packTerms, readTermVector, termAt } from '../lexical/term-vectors.ts';

/** What the derived tables need of a document. */
export interface DerivedFrom {
  title: string;
  abstract: string;
  spans: readonly SentenceSpan[];
  /** The document's own vector. */
  own: Embedding;
  /** The title's and the sentences' vectors. */
  units: readonly PackedUnit[];
}

/** Every call is a step of a transaction that ends with `flush`. */
export interface DerivedTables {
  put(document: DocumentNumber, from: DerivedFrom): void;
  /** Takes a document out that has so many sentences; its rows go with that of the document. */
  remove(document: DocumentNumber, sentences: number): void;
  /** Writes the counts and totals that have changed. */
  flush(): void;
}

export interface DerivedTablesOptions {
  /** Of the index's model. */
  dimensions: number;
  postings: PostingsWriter;
}

export function createDerivedTables(
  db: Connection,
  { dimensions, postings }: DerivedTablesOptions,
): DerivedTables {
  const cells = createCellWriter(db, dimensions);
  const addSignals = db.prepare('INSERT INTO signals (document, packed) VALUES (?, ?)');
  const readSignals = prepareReadSignals(db);
  const reviseIndex = prepareReviseIndex(db);
  const countTerms = prepareCountTerms(db);
  // Many documents of a transaction share a term: each is written once.
  const termChanges = new Map<number, number>();
  const totals = { documents: 0, sentences: 0, terms: 0 };

  const count = (terms: Buffer, sentences: number, by: 1 | -1): void => {
    const vector = readTermVector(terms);
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
      const terms = packTerms(title, abstract, spans);
      const packed = packEmbeddings(own, units);
      addSignals.run(document, packSignals({ vectors: packed, terms }));
      // As it is read back: what stands in a cell must not depend on when it was last arranged.
      cells.add(document, unpackOwn(ownVectorOf(packed, dimensions)));
      postings.added(document);
      count(terms, spans.length, 1);
    },
    remove(document, sentences) {
      const { terms } = readSignals(document) as Signals;
      postings.remove(document, readTermVector(terms));
      count(terms, sentences, -1);
      cells.remove(document);
    },
    flush() {
      cells.flush();
      countTerms(termChanges);
      reviseIndex(totals);
      termChanges.clear();
      Object.assign(totals, { documents: 0, sentences: 0, terms: 0 });
    },
  };
}
