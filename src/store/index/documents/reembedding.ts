/**
 * Moves an index to another model in place, in short transactions. The fact `reembedding` exists
 * from the first transaction to the last. Its value is the number of the last document that has its
 * new vectors, so an interrupted move goes on there. Meanwhile `assertModel` refuses the index to
 * everybody else, because the vectors of two models cannot be compared.
 */
import type {
  DocumentNumber,
  Embedding,
  ModelIdentity,
  SentenceSpan,
  SourceDocument,
} from '../../../types.ts';
import type { Connection } from '../../database/connection.ts';
import { encodeEmbeddings, type QuantizedUnit } from '../dense/embeddings.ts';
import { createInvertedListWriter } from '../dense/inverted-lists.ts';
import {
  encodeForwardEntry,
  type ForwardEntry,
  prepareReadForwardEntry,
} from '../forward-index.ts';
import { prepareReviseIndex, readModel, replaceModel } from '../index-facts.ts';
import { createDocumentReader } from './documents.ts';

/** A stored document that needs new vectors. */
export interface StoredTexts {
  document: DocumentNumber;
  source: SourceDocument;
  spans: SentenceSpan[];
}

/** The new vectors of a document. */
export interface NewVectors {
  document: DocumentNumber;
  /** The document's own vector. */
  own: Embedding;
  /** The vectors of the title and the sentences. */
  units: readonly QuantizedUnit[];
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
  /** Opens the index to everybody again. */
  finish(): void;
}

/**
 * Starts to move the index to a model, or goes on with it. A move to a third model starts again.
 * Returns undefined if the index has the model already.
 */
export function openReembedding(db: Connection, model: ModelIdentity): Reembedding | undefined {
  const isRecorded = readModel(db)?.sha256 === model.sha256;
  if (isRecorded && readLast(db) === undefined) return undefined;
  if (!isRecorded) start(db, model);
  return createReembedding(db, model.dimensions);
}

function start(db: Connection, model: ModelIdentity): void {
  db.transaction(() => {
    replaceModel(db, model);
    // The lists cannot hold vectors of both models. The documents enter new ones one by one.
    db.exec(`
      DELETE FROM cells;
      DELETE FROM centroid_groups;
      DELETE FROM cell_members;
      DELETE FROM document_cells;
      UPDATE index_facts SET value = value + 1 WHERE name IN ('centres', 'revision');
      UPDATE index_facts SET value = 0 WHERE name = 'arranged';
      REPLACE INTO index_facts (name, value) VALUES ('reembedding', 0);`);
  }).immediate();
}

function createReembedding(db: Connection, dimensions: number): Reembedding {
  const lists = createInvertedListWriter(db, dimensions);
  const documents = createDocumentReader(db);
  const readForwardEntry = prepareReadForwardEntry(db);
  const revise = prepareReviseIndex(db);
  const listAfter = db
    .prepare('SELECT number FROM documents WHERE number > ? ORDER BY number LIMIT ?')
    .pluck();
  const count = db.prepare(
    'SELECT count(*) AS documents, count(*) FILTER (WHERE number <= ?) AS done FROM documents',
  );
  const setEntry = db.prepare('UPDATE signals SET packed = ? WHERE document = ?');
  const setLast = db.prepare("UPDATE index_facts SET value = ? WHERE name = 'reembedding'");
  const last = (): DocumentNumber => readLast(db) ?? 0;
  const put = ({ document, own, units }: NewVectors): void => {
    const { terms } = readForwardEntry(document) as ForwardEntry;
    const vectors = encodeEmbeddings(own, units);
    setEntry.run(encodeForwardEntry({ vectors, terms }), document);
    lists.add(document, vectors);
  };
  return {
    last,
    totals: () => count.get(last()) as { documents: number; done: number },
    documentsAfter(document, most) {
      const numbers = listAfter.all(document, most) as DocumentNumber[];
      return numbers.map((number) => {
        const { spans, ...source } = documents.readUnchecked(number);
        return { document: number, source, spans };
      });
    },
    write(written) {
      db.transaction(() => {
        for (const one of written) put(one);
        lists.flush();
        setLast.run(written.at(-1)?.document ?? last());
        revise({ documents: 0, sentences: 0, terms: 0 });
      }).immediate();
    },
    finish: () => {
      db.prepare("DELETE FROM index_facts WHERE name = 'reembedding'").run();
    },
  };
}

/** Undefined if the index is not between two models. */
function readLast(db: Connection): DocumentNumber | undefined {
  return db.prepare("SELECT value FROM index_facts WHERE name = 'reembedding'").pluck().get() as
    | DocumentNumber
    | undefined;
}
