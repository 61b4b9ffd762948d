/**
 * Writes documents with their sentences, vectors and full text. One call is one transaction, so a
 * reader, or a restart after a crash, finds a document whole or not at all.
 */
import { createHash } from 'node:crypto';
import type { Embedding, SentenceSpan, SourceDocument } from '../types.ts';
import { createDerivedTables } from './derived-tables.ts';
import { readModel } from './index-facts.ts';
import type { Store } from './open.ts';
import { packSpans, unpackSpans } from './sentence-spans.ts';

/** A document that is ready to be written. */
export interface IndexedDocument {
  source: SourceDocument;
  hash: Buffer;
  spans: SentenceSpan[];
  /** The document's own, the title's and the sentences' vectors: see embeddings.ts. */
  vectors: Embedding[];
}

export interface WriteCounts {
  added: number;
  updated: number;
}

export interface IndexWriter {
  /** Whether the stored document with this id has exactly this content. */
  isUnchanged(id: string, hash: Buffer): boolean;
  /** Adds the documents, or replaces those of the same id, in one transaction. */
  write(documents: readonly IndexedDocument[]): WriteCounts;
  /** Adds those whose ids are not there yet, in one transaction; returns how many. */
  addNew(documents: readonly IndexedDocument[]): number;
  /** Removes documents in one transaction; returns the ids that were there. */
  remove(ids: readonly string[]): string[];
}

/** Tells one content of a record from another; covers every field that is stored. */
export function contentHash(document: SourceDocument): Buffer {
  const { id, title, abstract, year, authors, venue } = document;
  const text = JSON.stringify([id, title, abstract, year, authors, venue]);
  return createHash('sha256').update(text).digest().subarray(0, 16);
}

interface StoredRow {
  number: number;
  title: string;
  abstract: string;
  sentence_spans: Buffer;
}

/** The writer of an index that has a model. Its statements are prepared once. */
export function createIndexWriter(db: Store): IndexWriter {
  const dimensions = readModel(db)?.dimensions ?? 0;
  const readHash = db.prepare('SELECT content_hash FROM documents WHERE id = ?').pluck();
  let steps = prepareSteps(db, dimensions);
  const inTransaction = <Result>(work: () => Result): Result => {
    try {
      return db
        .transaction(() => {
          const result = work();
          steps.flush();
          return result;
        })
        .immediate();
    } catch (error) {
      // What they have counted so far has been rolled back.
      steps = prepareSteps(db, dimensions);
      throw error;
    }
  };
  return {
    isUnchanged: (id, hash) => (readHash.get(id) as Buffer | undefined)?.equals(hash) ?? false,
    write: (documents) =>
      inTransaction(() => {
        const counts = { added: 0, updated: 0 };
        for (const document of documents) {
          if (steps.erase(document.source.id)) counts.updated++;
          else counts.added++;
          steps.put(document);
        }
        return counts;
      }),
    addNew: (documents) =>
      inTransaction(() => {
        const added = documents.filter(({ source }) => readHash.get(source.id) === undefined);
        for (const document of added) steps.put(document);
        return added.length;
      }),
    remove: (ids) => inTransaction(() => ids.filter((id) => steps.erase(id))),
  };
}

/** The steps of a transaction; the last one is `flush`. */
interface Steps {
  put(document: IndexedDocument): void;
  /** Removes a document and tells whether it was there. */
  erase(id: string): boolean;
  flush(): void;
}

function prepareSteps(db: Store, dimensions: number): Steps {
  const derived = createDerivedTables(db, dimensions);
  const addDocument = db.prepare(
    `INSERT INTO documents
       (id, title, abstract, year, authors, venue, content_hash, sentence_spans)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?)`,
  );
  const addText = db.prepare(
    'INSERT INTO documents_text (rowid, title, abstract) VALUES (?, ?, ?)',
  );
  const find = db.prepare(
    'SELECT number, title, abstract, sentence_spans FROM documents WHERE id = ?',
  );
  // FTS5 finds what to take out of an index with external content by the text that went in.
  const removeText = db.prepare(
    `INSERT INTO documents_text (documents_text, rowid, title, abstract)
     VALUES ('delete', ?, ?, ?)`,
  );
  const removeDocument = db.prepare('DELETE FROM documents WHERE number = ?');
  return {
    put({ source, hash, spans, vectors }) {
      const { id, title, abstract, year, authors, venue } = source;
      const number = Number(
        addDocument.run(
          ...[id, title, abstract, year, JSON.stringify(authors), venue, hash, packSpans(spans)],
        ).lastInsertRowid,
      );
      addText.run(number, title, abstract);
      derived.put(number, { title, abstract, spans, vectors });
    },
    erase(id) {
      const row = find.get(id) as StoredRow | undefined;
      if (row === undefined) return false;
      removeText.run(row.number, row.title, row.abstract);
      derived.remove(row.number, unpackSpans(row.sentence_spans).length);
      removeDocument.run(row.number);
      return true;
    },
    flush: derived.flush,
  };
}
