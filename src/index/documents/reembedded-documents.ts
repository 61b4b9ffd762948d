/** The documents of an index that is moved to another model, and their new vectors. */

import type { Connection } from '../../database/sqlite/connection.ts';
import type { DocumentNumber, Embedding, SentenceSpan, SourceDocument } from '../../types.ts';
import { encodeEmbeddings, type QuantizedUnit } from '../dense/embeddings.ts';
import type { InvertedListWriter } from '../dense/inverted-lists.ts';
import {
  encodeForwardEntry,
  type ForwardEntry,
  prepareReadForwardEntry,
} from '../forward-index.ts';
import { createDocumentReader } from './documents.ts';

/** A stored document that needs new vectors. */
export interface StoredTexts {
  document: DocumentNumber;
  source: SourceDocument;
  spans: SentenceSpan[];
}

/** The new vectors of a document. */
export interface NewVectors extends Pick<StoredTexts, 'document' | 'source'> {
  /** The document's own vector. */
  own: Embedding;
  /** The vectors of the title and the sentences. */
  units: readonly QuantizedUnit[];
}

/** A document with its new vectors as they are stored, its own first. */
export interface CheckedDocument extends StoredTexts {
  stored: Embedding[];
}

export interface Reembedding {
  /** The number of documents, and how many of them have their new vectors. */
  totals(): { documents: number; done: number };
  /** Returns the next documents after this one, in the order of their numbers. */
  documentsAfter(document: DocumentNumber, count: number): StoredTexts[];
  /** Returns the last document that has its new vectors, 0 at the start. */
  last(): DocumentNumber;
  /** Writes the next documents' vectors in one transaction. */
  write(documents: readonly NewVectors[]): void;
  /**
   * Prepares the end, when all documents have their new vectors. Returns a function that ends the move,
   * and returns false if the index has changed since: the changed documents then need vectors first.
   */
  prepareEnd(): () => boolean;
  /** Returns documents from all over the index with their new vectors; none if they need no check. */
  sample(count: number): CheckedDocument[];
  /** Gives the new vectors up: they were not those of the model. */
  drop(): void;
}

/** Returns a function that writes the vectors of a document. `write` takes its new entry, and its number. */
export function preparePut(
  db: Connection,
  write: string,
  lists: Pick<InvertedListWriter, 'add'>,
): (vectors: NewVectors) => void {
  const readEntry = prepareReadForwardEntry(db);
  const writeEntry = db.prepare(write);
  return ({ document, own, units }) => {
    const { terms } = readEntry(document) as ForwardEntry;
    const vectors = encodeEmbeddings(own, units);
    writeEntry.run(encodeForwardEntry({ vectors, terms }), document);
    lists.add(document, vectors);
  };
}

/** Returns a function that reads the documents of a condition, in one state of the index. */
export function prepareDocumentsAfter(
  db: Connection,
  condition: string,
): (document: DocumentNumber, most: number) => StoredTexts[] {
  const documents = createDocumentReader(db);
  const list = db
    .prepare(`SELECT number FROM documents WHERE ${condition} ORDER BY number LIMIT ?`)
    .pluck();
  // Others may remove documents.
  return db.transaction((document: DocumentNumber, most: number) => {
    const numbers = list.all(document, most) as DocumentNumber[];
    return numbers.map((number) => {
      const { spans, ...source } = documents.readUnchecked(number);
      return { document: number, source, spans };
    });
  });
}

/**
 * Returns a function that tells whether a document still has its texts: somebody may have removed it since
 * it was read, and another one may have its number.
 */
export function prepareIsThere(
  db: Connection,
): (document: Pick<StoredTexts, 'document' | 'source'>) => boolean {
  const find = db.prepare(
    'SELECT 1 FROM documents WHERE number = ? AND title = ? AND abstract = ?',
  );
  return ({ document, source: { title, abstract } }) =>
    find.get(document, title, abstract) !== undefined;
}
