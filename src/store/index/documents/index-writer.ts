/**
 * Writes documents with their records, sentences, vectors and full text. One call is one
 * transaction, so a reader, or a restart after a crash, finds a document whole or not at all.
 */
import { type KeptRecord, recordHash } from '../../../identity/kept-record.ts';
import { nameKeyOf, nameOf } from '../../../identity/record-keys.ts';
import type { DocumentNumber, Embedding, SentenceSpan, SourceDocument } from '../../../types.ts';
import type { Connection } from '../../database/connection.ts';
import type { PackedUnit } from '../dense/embeddings.ts';
import { readModel, readRevision } from '../index-facts.ts';
import { createPostingsWriter } from '../lexical/postings.ts';
import {
  createPlanner,
  type IncomingRecord,
  type Plan,
  type PlannedDocument,
} from '../records/plan-change.ts';
import { createRecordTable, type StoredRecord } from '../records/records.ts';
import { packSpans, unpackSpans } from '../sentence-spans.ts';
import { createDerivedTables } from './derived-tables.ts';
import { prepareReadUnits } from './stored-units.ts';

/** A document that is ready to be written. */
export interface IndexedDocument extends DocumentContent {
  source: SourceDocument;
}

/** What is made of a document's texts. */
export interface DocumentContent {
  spans: SentenceSpan[];
  /** The document's own vector. */
  own: Embedding;
  /** The title's and the sentences' vectors; without a title the own one stands in its place. */
  units: PackedUnit[];
}

/** What arrived, what it changes, and the content of the documents that are new or have other texts. */
export interface IndexedChange {
  arrival: IncomingRecord;
  planned: PlannedChange;
  contents: ReadonlyMap<PlannedDocument, DocumentContent>;
}

export interface PlannedChange extends Plan {
  /** Counts the changes by other connections that this one had seen. */
  epoch: number;
}

export interface WriteCounts {
  added: number;
  updated: number;
}

export interface IndexWriter {
  /** Whether exactly this record is kept already; `key` is one of its keys. */
  isKept(key: string, hash: Buffer): boolean;
  /** The record that this one would replace; undefined where there is none. */
  replacedBy(record: KeptRecord): KeptRecord | undefined;
  /** What a record would change, as things are. */
  plan(arrival: IncomingRecord): PlannedChange;
  /** The stored vectors of the texts of all documents that a change is about, by their texts. */
  unitsOf(plan: Plan): Map<string, PackedUnit>;
  /**
   * Makes planned changes in one transaction. No two of them may share a key. Returns those that
   * were not made because another connection has changed their records: they are to be planned
   * anew. `finish` is told of these too, as the last step of the transaction.
   */
  apply(
    changes: readonly IndexedChange[],
    finish?: (stale: readonly IndexedChange[]) => void,
  ): IndexedChange[];
  /** Adds the documents, or replaces those of the same id, in one transaction. */
  write(documents: readonly IndexedDocument[]): WriteCounts;
  /** Removes documents in one transaction; returns the ids that were there. */
  remove(ids: readonly string[]): string[];
}

/** The writer of an index that has a model. Its statements are prepared once. */
export function createIndexWriter(db: Connection): IndexWriter {
  const dimensions = readModel(db)?.dimensions ?? 0;
  const plan = createPlanner(db);
  const table = createRecordTable(db);
  const changes = watchChanges(db);
  const readUnits = prepareReadUnits(db, dimensions);
  let steps = prepareSteps(db, dimensions);
  const inTransaction = <Result>(work: () => Result, finish?: (done: Result) => void): Result => {
    try {
      const done = db
        .transaction(() => {
          changes.look();
          const result = work();
          steps.flush();
          finish?.(result);
          return { result, revision: changes.revision() };
        })
        .immediate();
      changes.own(done.revision);
      return done.result;
    } catch (error) {
      // What they have counted so far has been rolled back.
      steps = prepareSteps(db, dimensions);
      throw error;
    }
  };
  const isStillSo = ({ arrival, planned }: IndexedChange): boolean =>
    planned.epoch === changes.look() || isSameGroup(plan(arrival).before, planned.before);
  return {
    isKept: table.isKept,
    replacedBy: (record) =>
      table
        .found(nameKeyOf(record))
        .map((stored) => stored.record)
        .find((stored) => nameOf(stored) === nameOf(record)),
    plan: (arrival) => ({ epoch: changes.look(), ...plan(arrival) }),
    unitsOf: ({ before }) => readUnits(before.map(({ document }) => document)),
    apply: (all, finish) =>
      inTransaction(() => {
        const stale = all.filter((change) => !isStillSo(change));
        for (const change of all) if (!stale.includes(change)) steps.make(change);
        return stale;
      }, finish),
    write: (documents) =>
      inTransaction(() => {
        const counts = { added: 0, updated: 0 };
        for (const { source, ...content } of documents) {
          const arrival = incomingRecordOf(source);
          const planned = { epoch: 0, ...plan(arrival) };
          const contents = new Map(planned.documents.map((one) => [one, content]));
          steps.make({ arrival, planned, contents });
          if (planned.outcome === 'added') counts.added++;
          else counts.updated++;
        }
        return counts;
      }),
    remove: (ids) => inTransaction(() => ids.filter((id) => steps.removeNamed(id))),
  };
}

/** A document as the record of a source without a scheme. */
function incomingRecordOf(source: SourceDocument): Extract<IncomingRecord, { record: KeptRecord }> {
  const { id, title, abstract, year, authors, venue } = source;
  const record: KeptRecord = {
    id,
    title,
    abstract,
    year,
    authors,
    venue,
    source: '',
    part: 'record',
    identifiers: {},
    updatedAt: 0,
  };
  return { record, hash: recordHash(record), file: null };
}

function isSameGroup(now: readonly StoredRecord[], then: readonly StoredRecord[]): boolean {
  const found = new Map(now.map((stored) => [stored.number, stored.hash]));
  return (
    now.length === then.length &&
    then.every(({ number, hash }) => found.get(number)?.equals(hash) === true)
  );
}

/** Tells when another connection has changed the index. */
function watchChanges(db: Connection) {
  const revision = readRevision(db);
  let known = revision();
  let epoch = 0;
  return {
    revision,
    /** The number of changes seen so far. */
    look(): number {
      const now = revision();
      if (now !== known) epoch++;
      known = now;
      return epoch;
    },
    /** To be told of the revision that this connection has made. */
    own(made: number): void {
      known = made;
    },
  };
}

/** The steps of a transaction; the last one is `flush`. */
interface Steps {
  make(change: IndexedChange): void;
  /** Removes a document with its records and tells whether it was there. */
  removeNamed(id: string): boolean;
  flush(): void;
}

function prepareSteps(db: Connection, dimensions: number): Steps {
  const derived = createDerivedTables(db, { dimensions, postings: createPostingsWriter(db) });
  const rows = prepareRows(db);
  const table = createRecordTable(db);
  const find = db.prepare('SELECT number FROM documents WHERE id = ?').pluck();

  const erase = (number: DocumentNumber): void => {
    const { sentences } = rows.eraseText(number);
    derived.remove(number, sentences);
    rows.erase(number);
  };
  const put = (planned: PlannedDocument, content: DocumentContent | undefined): DocumentNumber => {
    const { document, keeps } = planned;
    if (keeps !== undefined) {
      rows.update(keeps, planned);
      return keeps;
    }
    if (content === undefined) throw new Error(`the content of ${document.id} was not made`);
    const number = rows.add(planned, content.spans);
    derived.put(number, { title: document.title, abstract: document.abstract, ...content });
    return number;
  };
  return {
    make({ planned, contents }) {
      for (const stored of planned.taken) table.remove(stored);
      for (const number of planned.erased) erase(number);
      for (const { keeps } of planned.documents) if (keeps !== undefined) rows.freeId(keeps);
      for (const one of planned.documents) {
        const number = put(one, contents.get(one));
        rows.withhold(number, one.withheld);
        for (const record of one.records) table.add(record, { number, fields: one.document });
      }
      for (const record of planned.waiting) table.add(record, null);
    },
    removeNamed(id) {
      const number = find.get(id) as DocumentNumber | undefined;
      if (number === undefined) return false;
      for (const stored of table.ofDocument(number)) table.remove(stored);
      erase(number);
      return true;
    },
    flush: derived.flush,
  };
}

/** The rows of documents, of their full text, and of those that are withheld. */
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
  // No id has a NUL: see ingest/json/fields.ts. Two documents may exchange their ids.
  const freeId = db.prepare('UPDATE documents SET id = char(0) || number WHERE number = ?');
  const remove = db.prepare('DELETE FROM documents WHERE number = ?');
  const read = db.prepare('SELECT title, abstract, sentence_spans FROM documents WHERE number = ?');
  const addText = db.prepare(
    'INSERT INTO documents_text (rowid, title, abstract) VALUES (?, ?, ?)',
  );
  // FTS5 finds what to take out of an index with external content by the text that went in.
  const removeText = db.prepare(
    `INSERT INTO documents_text (documents_text, rowid, title, abstract)
     VALUES ('delete', ?, ?, ?)`,
  );
  const withhold = db.prepare('REPLACE INTO withheld_documents (document, reason) VALUES (?, ?)');
  const release = db.prepare('DELETE FROM withheld_documents WHERE document = ?');
  return {
    add({ document, hash }: PlannedDocument, spans: readonly SentenceSpan[]): DocumentNumber {
      const { id, title, abstract, year, authors, venue } = document;
      const { lastInsertRowid } = add.run(
        ...[id, title, abstract, year, JSON.stringify(authors), venue, hash, packSpans(spans)],
      );
      addText.run(lastInsertRowid, title, abstract);
      return Number(lastInsertRowid);
    },
    freeId: (number: DocumentNumber) => freeId.run(number),
    update(number: DocumentNumber, { document, hash }: PlannedDocument) {
      const { id, year, authors, venue } = document;
      update.run(id, year, JSON.stringify(authors), venue, hash, number);
    },
    eraseText(number: DocumentNumber): { sentences: number } {
      const row = read.get(number) as { title: string; abstract: string; sentence_spans: Buffer };
      removeText.run(number, row.title, row.abstract);
      return { sentences: unpackSpans(row.sentence_spans).length };
    },
    erase(number: DocumentNumber) {
      release.run(number);
      remove.run(number);
    },
    withhold(number: DocumentNumber, reason: PlannedDocument['withheld']) {
      if (reason === undefined) release.run(number);
      else withhold.run(number, reason);
    },
  };
}
