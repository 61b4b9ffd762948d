/**
 * Writes documents with their records, sentences, vectors and full text. Each call is one
 * transaction, so a reader, or a restart after a crash, finds a complete document or none.
 */

import type { Connection } from '../../database/sqlite/connection.ts';
import { VerbatimError } from '../../errors.ts';
import { type KeptRecord, recordHash } from '../../identity/kept-record.ts';
import { nameKeyOf, nameOf } from '../../identity/record-keys.ts';
import type { DocumentNumber, ModelIdentity, SentenceSpan, SourceDocument } from '../../types.ts';
import type { QuantizedUnit } from '../dense/embeddings.ts';
import { createFacetsWriter } from '../facets/stored-facets.ts';
import { fits, readModel, readRevision } from '../index-facts.ts';
import { createPostingsWriter } from '../lexical/postings.ts';
import type { IncomingRecord, Plan, PlannedDocument } from '../records/plan-change.ts';
import { createPlanner } from '../records/planner.ts';
import { createRecordTable } from '../records/records.ts';
import { decodeSpans, encodeSpans } from '../sentence-spans.ts';
import { createDerivedTables } from './derived-tables.ts';
import {
  type ChangeSteps,
  type IndexedChange,
  type IndexedDocument,
  isSameGroup,
  makeChange,
  type PlannedChange,
} from './make-change.ts';
import { prepareReadUnits } from './stored-units.ts';
import { prepareTitleKeys } from './title-index.ts';

export interface WriteCounts {
  added: number;
  updated: number;
}

export interface IndexWriter {
  /** Returns whether exactly this record is stored; `key` is one of its keys. */
  isKept(key: string, hash: Buffer): boolean;
  /** Returns the record that this one would replace, undefined if there is none. */
  replacedBy(record: KeptRecord): KeptRecord | undefined;
  /** Returns what an incoming record would change now. */
  plan(incoming: IncomingRecord): PlannedChange;
  /** Returns the stored vectors of all documents that a plan has read, by their texts. */
  unitsOf(plan: Plan): Map<string, QuantizedUnit>;
  /**
   * Applies planned changes in one transaction. No two of them may share a key. Returns the stale
   * ones, which were not applied because another connection has changed their records. Plan them
   * again. `finish` gets them too, as the last step of the transaction.
   */
  apply(
    changes: readonly IndexedChange[],
    finish?: (stale: readonly IndexedChange[]) => void,
  ): IndexedChange[];
  /** Adds documents in one transaction, and replaces those with the same id. */
  write(documents: readonly IndexedDocument[]): WriteCounts;
  /** Removes documents in one transaction. Returns the ids that existed. */
  remove(ids: readonly string[]): string[];
}

/** Creates the writer of an index that has a model. It prepares its statements once. */
export function createIndexWriter(db: Connection): IndexWriter {
  const model = readModel(db);
  const dimensions = model?.dimensions ?? 0;
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
          assertSameModel(db, model);
          const result = work();
          steps.flush();
          finish?.(result);
          return { result, revision: changes.revision() };
        })
        .immediate();
      changes.own(done.revision);
      return done.result;
    } catch (error) {
      // The rollback has undone what the steps have counted.
      steps = prepareSteps(db, dimensions);
      throw error;
    }
  };
  const isCurrent = ({ incoming, planned }: IndexedChange): boolean =>
    planned.epoch === changes.look() || isSameGroup(plan(incoming).before, planned.before);
  return {
    isKept: table.isKept,
    replacedBy: (record) =>
      table
        .found(nameKeyOf(record))
        .map((stored) => stored.record)
        .find((stored) => nameOf(stored) === nameOf(record)),
    plan: (incoming) => ({ epoch: changes.look(), ...plan(incoming) }),
    unitsOf: ({ before }) => readUnits(before.map(({ document }) => document)),
    apply: (all, finish) =>
      inTransaction(() => {
        const stale = all.filter((change) => !isCurrent(change));
        for (const change of all) if (!stale.includes(change)) makeChange(steps, change);
        return stale;
      }, finish),
    write: (documents) =>
      inTransaction(() => {
        const counts = { added: 0, updated: 0 };
        for (const { source, ...content } of documents) {
          const incoming = incomingRecordOf(source);
          const planned = { epoch: 0, ...plan(incoming) };
          const contents = new Map(planned.documents.map((one) => [one, content]));
          makeChange(steps, { planned, contents });
          if (planned.outcome === 'added') counts.added++;
          else counts.updated++;
        }
        return counts;
      }),
    remove: (ids) => inTransaction(() => ids.filter((id) => steps.removeNamed(id))),
  };
}

/** Returns a document as the record of a source without a name. */
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

/** `index reembed` may have moved the index to another model since a build has started. */
function assertSameModel(db: Connection, model: ModelIdentity | undefined): void {
  const now = readModel(db);
  if (model === undefined || (now !== undefined && fits(model, now))) return;
  throw new VerbatimError(
    'model_mismatch',
    `${db.name} was moved to another model meanwhile; run the command again with that model`,
  );
}

/** Notices when another connection has changed the index. */
function watchChanges(db: Connection) {
  const revision = readRevision(db);
  let known = revision();
  let epoch = 0;
  return {
    revision,
    /** Returns the number of changes seen so far. */
    look(): number {
      const now = revision();
      if (now !== known) epoch++;
      known = now;
      return epoch;
    },
    /** Notes a revision that this connection has made. */
    own(made: number): void {
      known = made;
    },
  };
}

/** The steps of a transaction. The last one is `flush`. */
interface Steps extends ChangeSteps {
  /** Removes a document with its records. Returns whether it existed. */
  removeNamed(id: string): boolean;
  flush(): void;
}

function prepareSteps(db: Connection, dimensions: number): Steps {
  const derived = createDerivedTables(db, { dimensions, postings: createPostingsWriter(db) });
  const rows = prepareRows(db);
  const table = createRecordTable(db);
  const facets = createFacetsWriter(db);
  const find = db.prepare('SELECT number FROM documents WHERE id = ?').pluck();

  const removeDocument = (number: DocumentNumber): void => {
    const { sentences } = rows.removeText(number);
    derived.remove(number, sentences);
    facets.remove(number);
    rows.remove(number);
  };
  return {
    removeRecord: table.remove,
    addRecord: table.add,
    removeDocument,
    freeIds: (numbers) => numbers.forEach(rows.freeId),
    updateDocument: rows.update,
    addDocument(planned, content) {
      const { title, abstract } = planned.document;
      const number = rows.add(planned, content.spans);
      derived.put(number, { title, abstract, ...content });
      return number;
    },
    withhold: rows.withhold,
    putFacets: facets.put,
    removeNamed(id) {
      const number = find.get(id) as DocumentNumber | undefined;
      if (number === undefined) return false;
      for (const stored of table.ofDocument(number)) table.remove(stored);
      removeDocument(number);
      return true;
    },
    flush() {
      facets.flush();
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
  const titleKeys = prepareTitleKeys(db);
  const withhold = db.prepare('REPLACE INTO withheld_documents (document, reason) VALUES (?, ?)');
  const release = db.prepare('DELETE FROM withheld_documents WHERE document = ?');
  return {
    add({ document, hash }: PlannedDocument, spans: readonly SentenceSpan[]): DocumentNumber {
      const { id, title, abstract, year, authors, venue } = document;
      const { lastInsertRowid } = add.run(
        ...[id, title, abstract, year, JSON.stringify(authors), venue, hash, encodeSpans(spans)],
      );
      addText.run(lastInsertRowid, title, abstract);
      titleKeys.add(Number(lastInsertRowid), title);
      return Number(lastInsertRowid);
    },
    freeId: (number: DocumentNumber): void => {
      freeId.run(number);
    },
    update(number: DocumentNumber, { document, hash }: PlannedDocument) {
      const { id, year, authors, venue } = document;
      update.run(id, year, JSON.stringify(authors), venue, hash, number);
    },
    removeText(number: DocumentNumber): { sentences: number } {
      const row = read.get(number) as { title: string; abstract: string; sentence_spans: Buffer };
      removeText.run(number, row.title, row.abstract);
      titleKeys.remove(number, row.title);
      return { sentences: decodeSpans(row.sentence_spans).length };
    },
    remove(number: DocumentNumber) {
      release.run(number);
      remove.run(number);
    },
    withhold(number: DocumentNumber, reason: PlannedDocument['withheld']) {
      if (reason === undefined) release.run(number);
      else withhold.run(number, reason);
    },
  };
}
