/** The rows of records and of their keys. */

import type { Connection } from '../../database/sqlite/connection.ts';
import { authorKeysOf } from '../../identity/author-keys.ts';
import { hashKey, keysOf } from '../../identity/record-keys.ts';
import type { DocumentNumber } from '../../types.ts';
import { unlessDamaged } from '../unless-damaged.ts';
import {
  type Gathered,
  gatherRecords,
  RECORDS_PER_GROUP_MAX,
  type RecordsOfKey,
} from './gather-records.ts';
import { prepareFileNumber } from './source-files.ts';
import {
  hasKey,
  isNewFile,
  type NewRecord,
  type RecordDocument,
  type RecordRow,
  recordValues,
  type StoredRecord,
  toStored,
} from './stored-records.ts';

export type RecordTable = ReturnType<typeof createRecordTable>;

const ROWS_SQL = `
  SELECT r.*, ifnull(d.id, '') AS id, ifnull(d.title, '') AS title,
    ifnull(d.abstract, '') AS abstract, ifnull(d.year, 0) AS year,
    ifnull(d.authors, '[]') AS authors, ifnull(d.venue, '') AS venue
  FROM source_records r LEFT JOIN documents d ON d.number = r.document`;

export function createRecordTable(db: Connection) {
  const readHashes = db
    .prepare(
      'SELECT hash FROM record_keys k JOIN source_records r ON r.number = k.record WHERE key = ?',
    )
    .pluck();
  const find = db.prepare('SELECT record FROM record_keys WHERE key = ? LIMIT ?').pluck();
  const read = db.prepare(`${ROWS_SQL} WHERE r.number = ?`);
  const readOfDocument = db.prepare(`${ROWS_SQL} WHERE r.document = ? ORDER BY r.number`);
  const writes = prepareWrites(db);
  const findRecords = (key: string, most: number): number[] =>
    find.all(hashKey(key), most) as number[];
  const readRecord = (number: number): StoredRecord => toStored(read.get(number) as RecordRow);
  return {
    ...writes,
    /** Throws a SyntaxError if the stored JSON is damaged. */
    read: readRecord,
    /** Returns whether a record with this key has exactly this content. */
    isKept: (key: string, hash: Buffer): boolean =>
      (readHashes.all(hashKey(key)) as Buffer[]).some((stored) => stored.equals(hash)),
    ofDocument: (document: DocumentNumber): StoredRecord[] =>
      (readOfDocument.all(document) as RecordRow[]).map(toStored),
    /**
     * Returns the records with a key, compared without case. Leaves out records that cannot be read, and
     * calls `onDamage` for each; throws without it.
     */
    found(key: string, onDamage?: () => void): StoredRecord[] {
      const withKey = (number: number): StoredRecord[] => {
        const stored = readRecord(number);
        return hasKey(stored, key) ? [stored] : [];
      };
      const soundWithKey = (number: number): StoredRecord[] => {
        const stored = unlessDamaged(() => withKey(number));
        if (stored === undefined) onDamage?.();
        return stored ?? [];
      };
      const numbers = findRecords(key, RECORDS_PER_GROUP_MAX);
      return numbers.flatMap(onDamage ? soundWithKey : withKey);
    },
    /** Returns the records that `gatherRecords` looks for, undefined if they are too many. */
    gather(keys: readonly string[]): Gathered | undefined {
      const known = new Map<number, StoredRecord>();
      const recordOf = (number: number): StoredRecord => {
        const stored = known.get(number) ?? readRecord(number);
        known.set(number, stored);
        return stored;
      };
      const steps = gatherRecords(keys);
      let step = steps.next([]);
      while (!step.done) {
        const found = step.value.map(({ key, most }): RecordsOfKey => {
          const numbers = findRecords(key, most + 1);
          return numbers.length > most ? 'too many' : numbers.map(recordOf);
        });
        step = steps.next(found);
      }
      return step.value;
    },
  };
}

function prepareWrites(db: Connection) {
  const addRecord = db.prepare(
    `INSERT INTO source_records
       (document, source, part, hash, updated_at, withheld, identifiers, fields, file, notice,
        details, cited)
     VALUES (@document, @source, @part, @hash, @updated_at, @withheld, @identifiers, @fields, @file,
       @notice, @details, @cited)`,
  );
  const removeRecord = db.prepare('DELETE FROM source_records WHERE number = ?');
  const fileNumber = prepareFileNumber(db);
  const addKey = db.prepare('INSERT OR IGNORE INTO record_keys (key, record) VALUES (?, ?)');
  const removeKey = db.prepare('DELETE FROM record_keys WHERE key = ? AND record = ?');
  const addAuthor = db.prepare('INSERT OR IGNORE INTO author_keys (key, document) VALUES (?, ?)');
  const removeAuthor = db.prepare('DELETE FROM author_keys WHERE key = ? AND document = ?');
  return {
    /** `document` is the one that the record belongs to; null for a record that waits. */
    add(added: NewRecord, document: RecordDocument | null): void {
      const { record, file } = added;
      const number = addRecord.run({
        document: document?.number ?? null,
        ...recordValues(added, document),
        file: isNewFile(file) ? fileNumber(file) : file,
      }).lastInsertRowid;
      for (const key of keysOf(record)) addKey.run(hashKey(key), number);
      if (document === null) return;
      for (const key of authorKeysOf([record])) addAuthor.run(key, document.number);
    },
    /**
     * A change removes all records of a document before it adds those that it then has. So it may remove
     * an author that another record has, too.
     */
    remove({ number, document, record }: StoredRecord): void {
      for (const key of keysOf(record)) removeKey.run(hashKey(key), number);
      if (document !== null) {
        for (const key of authorKeysOf([record])) removeAuthor.run(key, document);
      }
      removeRecord.run(number);
    },
  };
}
