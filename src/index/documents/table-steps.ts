/** Writes documents to the tables of an SQLite file, with all that is derived from them. */

import type { Connection } from '../../database/sqlite/connection.ts';
import type { DocumentNumber } from '../../types.ts';
import { createCitationsWriter } from '../citations/stored-citations.ts';
import { encodeEmbeddings } from '../dense/embeddings.ts';
import { createInvertedListWriter } from '../dense/inverted-lists.ts';
import { createFacetsWriter } from '../facets/stored-facets.ts';
import {
  encodeForwardEntry,
  type ForwardEntry,
  prepareReadForwardEntry,
} from '../forward-index.ts';
import { prepareReviseIndex } from '../index-facts.ts';
import { createPostingsWriter } from '../lexical/postings.ts';
import { prepareCountTerms } from '../lexical/term-statistics.ts';
import {
  decodeTermVector,
  encodeTermVector,
  type TermVector,
  termsIn,
} from '../lexical/term-vectors.ts';
import { removalOf } from '../records/paper-changes.ts';
import { createRecordTable } from '../records/records.ts';
import { leftOf } from '../records/removed-papers.ts';
import { prepareWriteChange } from '../records/stored-changes.ts';
import type { StoredRecord } from '../records/stored-records.ts';
import { decodeSpans, encodeSpans } from '../sentence-spans.ts';
import type { ChangeSteps, DocumentContent } from './make-change.ts';
import { allKeysOf } from './title-index.ts';

/** The steps of a transaction. The last one is `flush`. */
export interface TableSteps extends ChangeSteps {
  /** Removes a document, and keeps what is left of its records. Returns whether it existed. */
  removeNamed(id: string): boolean;
  /** Writes the changed facets, lists, counts, and totals. */
  flush(): void;
}

/** `dimensions` are those of the index's model. */
export function prepareSteps(db: Connection, dimensions: number): TableSteps {
  const records = createRecordTable(db);
  const rows = prepareRows(db);
  const derived = prepareDerived(db, dimensions);
  const facets = createFacetsWriter(db);
  const citations = createCitationsWriter(db);
  const noteChange = prepareWriteChange(db);
  const removeRecord = (stored: StoredRecord): void => {
    records.remove(stored);
    citations.removed(stored);
  };
  const find = db.prepare('SELECT number FROM documents WHERE id = ?').pluck();
  const removeDocument = (number: DocumentNumber): void => {
    derived.remove(number, rows.removeTexts(number));
    facets.remove(number);
    rows.remove(number);
  };
  return {
    removeRecord,
    addRecord(record, document) {
      records.add(record, document);
      if (document !== null) citations.added(record, document.number);
    },
    removeDocument,
    freeIds: (numbers) => numbers.forEach(rows.freeId),
    updateDocument: rows.update,
    addDocument(planned, content) {
      const { title, abstract } = planned.document;
      const number = rows.add(planned, content.spans);
      derived.add(number, encodeTermVector(title, abstract, content.spans), content);
      return number;
    },
    withhold: rows.withhold,
    putFacets: facets.put,
    noteChange,
    removeNamed(id) {
      const number = find.get(id) as DocumentNumber | undefined;
      if (number === undefined) return false;
      const own = records.ofDocument(number);
      own.forEach(removeRecord);
      removeDocument(number);
      for (const left of leftOf(own)) records.add(left, null);
      noteChange(removalOf(id));
      return true;
    },
    flush() {
      facets.flush();
      citations.flush();
      derived.flush();
    },
  };
}

/** The rows of documents, their full text and keys of titles, and withheld documents. */
function prepareRows(db: Connection) {
  const add = db.prepare(
    `INSERT INTO documents
       (id, title, abstract, year, authors, venue, content_hash, sentence_spans)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?)`,
  );
  const update = db.prepare(
    `UPDATE documents SET id = ?, year = ?, authors = ?, venue = ?, content_hash = ?
     WHERE number = ?`,
  );
  // Two documents may swap their ids. No real id has a NUL: see ingest/json/fields.ts.
  const freeId = db.prepare('UPDATE documents SET id = char(0) || number WHERE number = ?');
  const remove = db.prepare('DELETE FROM documents WHERE number = ?');
  const read = db.prepare('SELECT title, abstract, sentence_spans FROM documents WHERE number = ?');
  const addText = db.prepare(
    'INSERT INTO documents_text (rowid, title, abstract) VALUES (?, ?, ?)',
  );
  // An FTS5 index with external content needs the indexed text to remove it.
  const removeText = db.prepare(
    `INSERT INTO documents_text (documents_text, rowid, title, abstract)
     VALUES ('delete', ?, ?, ?)`,
  );
  const addTitleKey = db.prepare('INSERT OR IGNORE INTO title_keys (key, document) VALUES (?, ?)');
  const removeTitleKey = db.prepare('DELETE FROM title_keys WHERE key = ? AND document = ?');
  const withhold = db.prepare('REPLACE INTO withheld_documents (document, reason) VALUES (?, ?)');
  const release = db.prepare('DELETE FROM withheld_documents WHERE document = ?');
  return {
    add({ document, hash }: Planned, spans: DocumentContent['spans']): DocumentNumber {
      const { id, title, abstract, year, authors, venue } = document;
      const { lastInsertRowid } = add.run(
        ...[id, title, abstract, year, JSON.stringify(authors), venue, hash, encodeSpans(spans)],
      );
      const number = Number(lastInsertRowid);
      addText.run(number, title, abstract);
      for (const key of allKeysOf(title)) addTitleKey.run(key, number);
      return number;
    },
    freeId: (number: DocumentNumber): void => {
      freeId.run(number);
    },
    update(number: DocumentNumber, { document, hash }: Planned): void {
      const { id, year, authors, venue } = document;
      update.run(id, year, JSON.stringify(authors), venue, hash, number);
    },
    /** Returns the number of sentences. */
    removeTexts(number: DocumentNumber): number {
      const row = read.get(number) as { title: string; abstract: string; sentence_spans: Buffer };
      removeText.run(number, row.title, row.abstract);
      for (const key of allKeysOf(row.title)) removeTitleKey.run(key, number);
      return decodeSpans(row.sentence_spans).length;
    },
    /** The forward index entry goes with it. */
    remove(number: DocumentNumber): void {
      release.run(number);
      remove.run(number);
    },
    withhold(number: DocumentNumber, reason: Planned['withheld']): void {
      if (reason === undefined) release.run(number);
      else withhold.run(number, reason);
    },
  };
}

type Planned = Parameters<ChangeSteps['addDocument']>[0];

/** The forward index, the postings, the inverted lists, the term counts, and the totals. */
function prepareDerived(db: Connection, dimensions: number) {
  const lists = createInvertedListWriter(db, dimensions);
  const postings = createPostingsWriter(db);
  const addForwardEntry = db.prepare('INSERT INTO signals (document, packed) VALUES (?, ?)');
  const readForwardEntry = prepareReadForwardEntry(db);
  const reviseIndex = prepareReviseIndex(db);
  const countTerms = prepareCountTerms(db);
  // Documents of a transaction share many terms, so each count is written once.
  const termChanges = new Map<number, number>();
  const totals = { documents: 0, sentences: 0, terms: 0 };
  const count = (terms: TermVector, sentences: number, by: 1 | -1): void => {
    for (const term of termsIn(terms)) termChanges.set(term, (termChanges.get(term) ?? 0) + by);
    totals.documents += by;
    totals.sentences += by * sentences;
    totals.terms += by * terms.length;
  };
  return {
    add(document: DocumentNumber, terms: Buffer, { spans, own, units }: DocumentContent): void {
      const vectors = encodeEmbeddings(own, units);
      addForwardEntry.run(document, encodeForwardEntry({ vectors, terms }));
      lists.add(document, vectors);
      postings.added(document);
      count(decodeTermVector(terms), spans.length, 1);
    },
    remove(document: DocumentNumber, sentences: number): void {
      const terms = decodeTermVector((readForwardEntry(document) as ForwardEntry).terms);
      postings.remove(document, terms);
      count(terms, sentences, -1);
      lists.remove(document);
    },
    flush(): void {
      lists.flush();
      countTerms(termChanges);
      reviseIndex(totals);
      termChanges.clear();
      Object.assign(totals, { documents: 0, sentences: 0, terms: 0 });
    },
  };
}
