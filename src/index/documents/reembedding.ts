/**
 * Moves an index to another model in place, in short transactions, so that an interrupted move goes on
 * where it was. If the new model fits the index, the index may hold vectors of both: others search and
 * change it meanwhile, and the fact `refreshing` says how far the move has come. Otherwise the fact
 * `reembedding` does, and from the first transaction to the last `assertModel` refuses the index to
 * everybody else.
 */

import type { Connection } from '../../database/sqlite/connection.ts';
import type {
  DocumentNumber,
  Embedding,
  ModelIdentity,
  SentenceSpan,
  SourceDocument,
} from '../../types.ts';
import { encodeEmbeddings, type QuantizedUnit } from '../dense/embeddings.ts';
import { createInvertedListWriter } from '../dense/inverted-lists.ts';
import {
  encodeForwardEntry,
  type ForwardEntry,
  prepareReadForwardEntry,
} from '../forward-index.ts';
import { fits, prepareReviseIndex, readFact, readModel, replaceModel } from '../index-facts.ts';
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

export interface Reembedding {
  /** The number of documents, and how many of them have their new vectors. */
  totals(): { documents: number; done: number };
  /** Returns the next documents after this one, in the order of their numbers. */
  documentsAfter(document: DocumentNumber, count: number): StoredTexts[];
  /** Returns the last document that has its new vectors, 0 at the start. */
  last(): DocumentNumber;
  /** Writes the next documents' vectors in one transaction. */
  write(documents: readonly NewVectors[]): void;
  /** Ends the move, when all documents have their new vectors. */
  finish(): void;
}

/**
 * Starts to move the index to a model, or goes on with it. A move to a third model starts again.
 * Returns undefined if the index has the model already.
 */
export function openReembedding(db: Connection, model: ModelIdentity): Reembedding | undefined {
  const isBetween = readFact(db, 'reembedding') !== undefined;
  const isRecorded = readModel(db)?.sha256 === model.sha256;
  if (isRecorded && !isBetween) return undefined;
  if (canStayOpen(db, model)) return refreshing(db, model);
  if (!isRecorded) start(db, model);
  return createReembedding(db, model.dimensions, {
    last: () => (readFact(db, 'reembedding') ?? 0) as DocumentNumber,
    setLast: prepareSet(db, 'reembedding'),
    finish: () => deleteFact(db, 'reembedding'),
  });
}

/** Whether others may use the index while it is moved to this model. */
export function canStayOpen(db: Connection, model: ModelIdentity): boolean {
  const recorded = readModel(db);
  return (
    recorded !== undefined && fits(recorded, model) && readFact(db, 'reembedding') === undefined
  );
}

/** The value of the fact has the model, because a move to a third model starts again. */
function refreshing(db: Connection, model: ModelIdentity): Reembedding {
  const of = `${model.sha256} `;
  const set = prepareSet(db, 'refreshing');
  return createReembedding(db, model.dimensions, {
    last() {
      const text = String(readFact(db, 'refreshing') ?? '');
      return text.startsWith(of) ? Number(text.slice(of.length)) : 0;
    },
    setLast: (document) => set(`${of}${document}`),
    finish() {
      replaceModel(db, model);
      deleteFact(db, 'refreshing');
    },
  });
}

function prepareSet(db: Connection, name: string): (value: number | string) => void {
  const set = db.prepare('REPLACE INTO index_facts (name, value) VALUES (?, ?)');
  return (value) => {
    set.run(name, value);
  };
}

function deleteFact(db: Connection, name: string): void {
  db.prepare('DELETE FROM index_facts WHERE name = ?').run(name);
}

/** How far a move has come, and how it ends. Each is a step of a transaction. */
interface Progress {
  last(): DocumentNumber;
  setLast(document: DocumentNumber): void;
  finish(): void;
}

function start(db: Connection, model: ModelIdentity): void {
  db.transaction(() => {
    replaceModel(db, model);
    // The lists cannot hold vectors of both models. The documents enter new ones one by one.
    db.exec(`
      DELETE FROM inverted_lists;
      DELETE FROM centroid_groups;
      DELETE FROM list_entries;
      DELETE FROM document_lists;
      UPDATE index_facts SET value = value + 1 WHERE name IN ('centroids', 'revision');
      UPDATE index_facts SET value = 0 WHERE name = 'arranged';
      REPLACE INTO index_facts (name, value) VALUES ('reembedding', 0);`);
  }).immediate();
}

function createReembedding(
  db: Connection,
  dimensions: number,
  { last, setLast, finish }: Progress,
): Reembedding {
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
  const find = db.prepare(
    'SELECT 1 FROM documents WHERE number = ? AND title = ? AND abstract = ?',
  );
  // Somebody may have removed a document since it was read, and another one may have its number.
  const isThere = ({ document, source: { title, abstract } }: NewVectors): boolean =>
    find.get(document, title, abstract) !== undefined;
  const put = ({ document, own, units }: NewVectors): void => {
    const { terms } = readForwardEntry(document) as ForwardEntry;
    const vectors = encodeEmbeddings(own, units);
    setEntry.run(encodeForwardEntry({ vectors, terms }), document);
    lists.add(document, vectors);
  };
  return {
    last,
    totals: () => count.get(last()) as { documents: number; done: number },
    // In one state of the index, because others may remove documents.
    documentsAfter: db.transaction((document: DocumentNumber, most: number) => {
      const numbers = listAfter.all(document, most) as DocumentNumber[];
      return numbers.map((number) => {
        const { spans, ...source } = documents.readUnchecked(number);
        return { document: number, source, spans };
      });
    }),
    write(written) {
      db.transaction(() => {
        const found = written.filter(isThere);
        // First, because a removal writes the lists.
        for (const { document } of found) lists.remove(document);
        for (const one of found) put(one);
        lists.flush();
        setLast(written.at(-1)?.document ?? last());
        revise({ documents: 0, sentences: 0, terms: 0 });
      }).immediate();
    },
    finish: () => db.transaction(finish).immediate(),
  };
}
