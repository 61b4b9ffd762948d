/**
 * The vectors of another model, beside those that searches use. They have tables of their own, with the
 * prefix `next_`, which one transaction renames when all documents are in them: searches then find nothing
 * but the new vectors, and the transaction takes milliseconds in an index of any size. Whoever removes a
 * document meanwhile removes it from these tables too, by their foreign keys. The old tables get the prefix
 * `old_`, and are emptied in short transactions.
 */

import type { Connection } from '../../database/sqlite/connection.ts';
import { VerbatimError } from '../../errors.ts';
import type { DocumentNumber, ModelIdentity } from '../../types.ts';
import { decodeEmbeddings } from '../dense/embeddings.ts';
import { createInvertedListWriter } from '../dense/inverted-lists.ts';
import { listEntryBytes } from '../dense/list-entries.ts';
import { prepareReadForwardEntry } from '../forward-index.ts';
import {
  deleteFact,
  readModel,
  readRevision,
  readTotals,
  recordOf,
  replaceModel,
} from '../index-facts.ts';
import {
  prepareDocumentsAfter,
  prepareIsThere,
  preparePut,
  type Reembedding,
} from './reembedded-documents.ts';

/** The tables with vectors, in an order in which they can be emptied. */
const vectorTables = [
  'signals',
  'list_entries',
  'document_lists',
  'inverted_lists',
  'centroid_groups',
] as const;

/** Rows that a transaction deletes, so that others can write in between. */
const ROWS_PER_TRANSACTION = 512;

const NEXT = 'next_';
const OLD = 'old_';

/** Creates the tables for the vectors of a model, or goes on with them. Another move is given up. */
export function createNextVectors(db: Connection, model: ModelIdentity): Reembedding {
  if (modelOfNext(db) !== model.sha256) {
    removeNextVectors(db);
    createTables(db, model);
  }
  const { dimensions } = model;
  const lists = createInvertedListWriter(db, dimensions, NEXT);
  const put = preparePut(db, 'INSERT INTO next_signals (packed, document) VALUES (?, ?)', lists);
  const readNext = prepareReadForwardEntry(db, NEXT);
  const isThere = prepareIsThere(db);
  const count = db.prepare(
    `SELECT (SELECT count(*) FROM documents) AS documents,
       (SELECT count(*) FROM next_signals) AS done`,
  );
  const atShare = db
    .prepare(
      `SELECT document FROM next_signals
       WHERE document >= ? * (SELECT max(document) FROM next_signals) ORDER BY document LIMIT 1`,
    )
    .pluck();
  const everyAfter = prepareDocumentsAfter(db, 'number > ?');
  const revision = readRevision(db);
  const assertOurs = (): void => {
    if (modelOfNext(db) === model.sha256) return;
    throw new VerbatimError('database_busy', `another command has moved ${db.name} meanwhile`);
  };
  const listAfter = prepareDocumentsAfter(
    db,
    'number > ? AND NOT EXISTS (SELECT 1 FROM next_signals WHERE document = number)',
  );
  const documentsAfter: Reembedding['documentsAfter'] = (document, most) => {
    assertOurs();
    return listAfter(document, most);
  };
  return {
    totals: () => count.get() as { documents: number; done: number },
    last: () => 0,
    documentsAfter,
    write(written) {
      db.transaction(() => {
        assertOurs();
        // Another process with the same move may have been faster.
        const missing = written.filter(
          (one) => isThere(one) && readNext(one.document) === undefined,
        );
        for (const one of missing) put(one);
        lists.flush();
      }).immediate();
    },
    prepareEnd() {
      const before = revision();
      if (documentsAfter(0, 1).length > 0) return () => false;
      removeStaleEntries(db, dimensions);
      return db.transaction(() => {
        assertOurs();
        if (revision() !== before) return false;
        changeOver(db, model);
        return true;
      }).immediate;
    },
    sample(most) {
      const numbers = new Set(
        Array.from({ length: most }, (_, at) => atShare.get(at / most) as DocumentNumber),
      );
      return [...numbers].flatMap((number) => {
        const entry = readNext(number);
        const [texts] = everyAfter(number - 1, 1);
        if (entry === undefined || texts?.document !== number) return [];
        return { ...texts, stored: decodeEmbeddings(entry.vectors, dimensions) };
      });
    },
    drop: () => removeNextVectors(db),
  };
}

/**
 * Returns the bytes that the vectors of a model still take beside the old ones, until these are removed: those
 * of the forward index with other dimensions, and the inverted lists.
 */
export function bytesOfNextVectors(db: Connection, { dimensions }: ModelIdentity): number {
  const { documents, sentences } = readTotals(db);
  if (documents === 0) return 0;
  const hasNext = hasTable(db, `${NEXT}signals`);
  const done = hasNext ? Number(db.prepare('SELECT count(*) FROM next_signals').pluck().get()) : 0;
  const before = readModel(db)?.dimensions ?? dimensions;
  const forwardIndex = Number(db.prepare('SELECT sum(length(packed)) FROM signals').pluck().get());
  const more = (documents + (documents + sentences) / 2) * (dimensions - before);
  const lists = documents * listEntryBytes(dimensions);
  return (1 - done / documents) * (forwardIndex + more + lists);
}

/** Removes the vectors of a move that is given up. */
export function removeNextVectors(db: Connection): void {
  // First, so that a process that goes on with the move notices.
  db.exec(`DROP TABLE IF EXISTS ${NEXT}index_facts`);
  removeTables(db, NEXT);
}

/** Removes the old vectors that a move has left. */
export function removeLeftVectors(db: Connection): void {
  removeTables(db, OLD);
}

function removeTables(db: Connection, prefix: string): void {
  for (const table of vectorTables.map((name) => `${prefix}${name}`)) {
    if (!hasTable(db, table)) continue;
    const remove = db.prepare(
      `DELETE FROM ${table} WHERE rowid IN (SELECT rowid FROM ${table} LIMIT ?)`,
    );
    while (remove.run(ROWS_PER_TRANSACTION).changes > 0);
    db.exec(`DROP TABLE IF EXISTS ${table}`);
  }
}

function hasTable(db: Connection, table: string): boolean {
  const find = "SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = ?";
  return db.prepare(find).get(table) !== undefined;
}

/** Returns the hash of the model that the index moves to; undefined if it does not move. */
function modelOfNext(db: Connection): string | undefined {
  if (!hasTable(db, `${NEXT}index_facts`)) return undefined;
  const find = `SELECT value FROM ${NEXT}index_facts WHERE name = 'model'`;
  return (JSON.parse(db.prepare(find).pluck().get() as string) as ModelIdentity).sha256;
}

/** The tables are those of the schema under other names. */
function createTables(db: Connection, model: ModelIdentity): void {
  const readDefinition = db.prepare('SELECT sql FROM sqlite_schema WHERE name = ?').pluck();
  const names = new RegExp(`\\b(${vectorTables.join('|')})\\b`, 'g');
  db.transaction(() => {
    for (const table of vectorTables) {
      db.exec((readDefinition.get(table) as string).replace(names, `${NEXT}$1`));
    }
    db.exec(`CREATE TABLE ${NEXT}index_facts (name TEXT PRIMARY KEY, value ANY NOT NULL)
      STRICT, WITHOUT ROWID`);
    const set = db.prepare(`INSERT INTO ${NEXT}index_facts VALUES (?, ?)`);
    set.run('centroids', 0);
    set.run('model', recordOf(model));
  }).immediate();
}

/** A step of a transaction. */
function changeOver(db: Connection, model: ModelIdentity): void {
  for (const table of vectorTables) {
    db.exec(`ALTER TABLE ${table} RENAME TO ${OLD}${table}`);
    db.exec(`ALTER TABLE ${NEXT}${table} RENAME TO ${table}`);
  }
  db.exec(`
    DROP TABLE ${NEXT}index_facts;
    UPDATE index_facts SET value = value + 1 WHERE name IN ('centroids', 'revision');
    UPDATE index_facts SET value = 0 WHERE name = 'arranged';`);
  deleteFact(db, 'reembedding');
  replaceModel(db, model);
}

/**
 * Takes the entries out of the lists whose documents were removed, or have come back under the same number.
 * Of two entries of a document in a list, the later one is right.
 */
function removeStaleEntries(db: Connection, dimensions: number): void {
  const stride = listEntryBytes(dimensions);
  const lists = db.prepare('SELECT list FROM next_inverted_lists').pluck().all() as number[];
  const read = db.prepare('SELECT entries FROM next_list_entries WHERE list = ?').pluck();
  const write = db.prepare('UPDATE next_list_entries SET entries = ? WHERE list = ?');
  const removeList = db.prepare('DELETE FROM next_inverted_lists WHERE list = ?');
  const listOf = db.prepare('SELECT list FROM next_document_lists WHERE document = ?').pluck();
  const tidy = (list: number): void => {
    const blob = read.get(list) as Buffer;
    const kept = new Map<DocumentNumber, Buffer>();
    for (let at = 0; at < blob.length; at += stride) {
      const document = blob.readUInt32LE(at);
      if (listOf.get(document) === list) kept.set(document, blob.subarray(at, at + stride));
    }
    if (kept.size * stride === blob.length) return;
    // A list without a document cannot be searched.
    if (kept.size === 0) removeList.run(list);
    else write.run(Buffer.concat([...kept.values()]), list);
    db.exec("UPDATE next_index_facts SET value = value + 1 WHERE name = 'centroids'");
  };
  for (const list of lists) db.transaction(() => tidy(list)).immediate();
  db.exec(`DELETE FROM next_centroid_groups
    WHERE number NOT IN (SELECT centroid_group FROM next_inverted_lists)`);
}
