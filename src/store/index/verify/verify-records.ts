/**
 * Checks what documents are made of: that each is what its records make, that the records are found
 * by their keys, and that no two documents are about one paper by their identifiers.
 */
import { contentHash, recordHash } from '../../../identity/kept-record.ts';
import { mergeRecords } from '../../../identity/merge-records.ts';
import { hashKey, identifierKeysOf, keysOf } from '../../../identity/record-keys.ts';
import type { DocumentNumber } from '../../../types.ts';
import type { Connection } from '../../database/connection.ts';
import { createRecordTable, type RecordTable, type StoredRecord } from '../records/records.ts';

interface DocumentRow {
  number: DocumentNumber;
  id: string;
  content_hash: Buffer;
  reason: string | null;
}

type Tell = (text: string) => void;

export function verifyRecords(db: Connection, problem: Tell): void {
  const table = createRecordTable(db);
  const checkKeys = createKeyCheck(db, problem);
  const documents = db
    .prepare(
      `SELECT number, id, content_hash, reason
       FROM documents LEFT JOIN withheld_documents ON document = number ORDER BY number`,
    )
    .iterate() as IterableIterator<DocumentRow>;
  for (const row of documents) {
    attempt(`${row.id}: one of its records cannot be read`, problem, () => {
      const records = table.ofDocument(row.number);
      verifyDocument(row, { records, problem });
      for (const stored of records) checkKeys.record(stored, row.id);
    });
  }
  for (const number of waitingRecords(db)) {
    attempt(`record ${number}: it cannot be read`, problem, () => {
      const stored = table.read(number);
      if (stored.record.part === 'record') problem(`record ${number}: it has no document`);
      checkKeys.record(stored, `record ${number}`);
    });
  }
  checkKeys.finish();
  verifySharedKeys(db, { table, problem });
}

function verifyDocument(
  row: DocumentRow,
  { records, problem }: { records: readonly StoredRecord[]; problem: Tell },
): void {
  if (!records.some(({ record }) => record.part === 'record')) {
    problem(`${row.id}: it has no record of a source`);
    return;
  }
  const { document, withheld } = mergeRecords(records.map(({ record }) => record));
  if (!contentHash(document).equals(row.content_hash)) {
    problem(`${row.id}: its fields are not those that its records make`);
  }
  if ((withheld ?? null) !== row.reason) {
    problem(
      `${row.id}: it is ${row.reason ?? 'not withheld'}, by its records ${withheld ?? 'not'}`,
    );
  }
  for (const { number, record, hash } of records) {
    if (hash.length === 0 || hash.equals(recordHash(record))) continue;
    problem(`${row.id}: its record ${number} is not what was read`);
  }
}

/** A record that is not JSON, or whose fields are of other types, must not end the check. */
function attempt(otherwise: string, problem: Tell, work: () => void): void {
  try {
    work();
  } catch (error) {
    if (!(error instanceof SyntaxError || error instanceof TypeError)) throw error;
    problem(otherwise);
  }
}

function waitingRecords(db: Connection): IterableIterator<number> {
  return db
    .prepare('SELECT number FROM source_records WHERE document IS NULL ORDER BY number')
    .pluck()
    .iterate() as IterableIterator<number>;
}

function createKeyCheck(db: Connection, problem: Tell) {
  const count = db.prepare('SELECT count(*) FROM record_keys').pluck();
  const has = db.prepare('SELECT 1 FROM record_keys WHERE key = ? AND record = ?').pluck();
  let expected = 0;
  return {
    record({ number, record }: StoredRecord, name: string): void {
      const hashes = new Set(keysOf(record).map(hashKey));
      expected += hashes.size;
      for (const hash of hashes) {
        if (has.get(hash, number) === undefined) problem(`${name}: a key of its record is missing`);
      }
    },
    /** After all records: whatever is left belongs to none. */
    finish(): void {
      const stored = Number(count.get());
      if (stored > expected) problem(`keys of records that are not there: ${stored - expected}`);
    },
  };
}

/** Keys that lead to several documents; by their hash, so the keys themselves are compared too. */
function verifySharedKeys(
  db: Connection,
  { table, problem }: { table: RecordTable; problem: Tell },
): void {
  const shared = db.prepare(
    `SELECT group_concat(record) AS records FROM record_keys
     JOIN source_records ON number = record
     GROUP BY key HAVING count(DISTINCT ifnull(document, 0)) > 1`,
  );
  for (const text of shared.pluck().iterate() as IterableIterator<string>) {
    const documentOf = new Map<string, DocumentNumber | null>();
    for (const number of text.split(',')) {
      const { record, document } = table.read(Number(number));
      for (const key of identifierKeysOf(record)) {
        const other = documentOf.get(key);
        if (other !== undefined && other !== document) {
          problem(`documents ${other} and ${document}: both are ${key}`);
        }
        documentOf.set(key, document);
      }
    }
  }
}
