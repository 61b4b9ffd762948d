/**
 * Checks the records: merging a document's records yields that document, keys find their records,
 * and no two documents share an identifier.
 */

import type { Connection } from '../../database/sqlite/connection.ts';
import { authorKeysOf } from '../../identity/author-keys.ts';
import { hashKey, keysOf } from '../../identity/record-keys.ts';
import type { CitationBlock } from '../citations/citation-changes.ts';
import { documentNumbers } from '../document-numbers.ts';
import { prepareReadFacets } from '../facets/stored-facets.ts';
import { createRecordTable, type RecordTable } from '../records/records.ts';
import type { StoredRecord } from '../records/stored-records.ts';
import { unlessDamaged } from '../unless-damaged.ts';
import { createCitationsCheck } from './verify-citations.ts';
import {
  attempt,
  type DocumentRow,
  type ReportProblem,
  verifyDistinct,
  verifyMerged,
} from './verify-merged.ts';

export function verifyRecords(db: Connection, problem: ReportProblem): void {
  const table = createRecordTable(db);
  const checkKeys = createKeyCheck(db, problem);
  const checkAuthors = createAuthorCheck(db, problem);
  const citations = createCitationsCheck(problem);
  const readFacets = prepareReadFacets(db);
  const readRow = db.prepare(
    `SELECT number, id, content_hash, reason
     FROM documents LEFT JOIN withheld_documents ON document = number WHERE number = ?`,
  );
  for (const number of documentNumbers(db)) {
    // A document that cannot be read was named already.
    const row = unlessDamaged(() => readRow.get(number) as DocumentRow | undefined);
    if (row === undefined) continue;
    attempt(`${row.id}: one of its records is unreadable`, problem, () => {
      const records = table.ofDocument(row.number);
      verifyMerged(row, { records, facets: readFacets(row.number), problem });
      for (const stored of records) checkKeys.record(stored, row.id);
      checkAuthors.document(row, records);
      citations.document(records);
    });
  }
  for (const number of waitingRecords(db)) {
    attempt(`record ${number} is unreadable`, problem, () => {
      const stored = table.read(number);
      if (stored.record.part === 'record') problem(`record ${number} has no document`);
      checkKeys.record(stored, `record ${number}`);
    });
  }
  checkKeys.finish();
  checkAuthors.finish();
  for (const block of citationBlocks(db)) citations.block(block);
  citations.finish();
  verifySharedKeys(db, { table, problem });
}

function waitingRecords(db: Connection): IterableIterator<number> {
  return db
    .prepare('SELECT number FROM source_records WHERE document IS NULL ORDER BY number')
    .pluck()
    .iterate() as IterableIterator<number>;
}

function citationBlocks(db: Connection): IterableIterator<CitationBlock> {
  return db.prepare('SELECT * FROM citations').iterate() as IterableIterator<CitationBlock>;
}

function createKeyCheck(db: Connection, problem: ReportProblem) {
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
    /** Reports keys without a record. Call it after all records. */
    finish(): void {
      const stored = Number(count.get());
      if (stored > expected) problem(`keys without a record: ${stored - expected}`);
    },
  };
}

function createAuthorCheck(db: Connection, problem: ReportProblem) {
  const count = db.prepare('SELECT count(*) FROM author_keys').pluck();
  const has = db.prepare('SELECT 1 FROM author_keys WHERE key = ? AND document = ?').pluck();
  let expected = 0;
  return {
    document({ number, id }: DocumentRow, records: readonly StoredRecord[]): void {
      const keys = authorKeysOf(records.map(({ record }) => record));
      expected += keys.length;
      if (keys.some((key) => has.get(key, number) === undefined)) {
        problem(`${id}: a key of an author is missing`);
      }
    },
    /** Reports keys without an author. Call it after all documents. */
    finish(): void {
      const stored = Number(count.get());
      if (stored > expected) problem(`keys of authors without a document: ${stored - expected}`);
    },
  };
}

/** Checks keys that lead to several documents. Hashes may collide, so it compares the keys too. */
function verifySharedKeys(
  db: Connection,
  { table, problem }: { table: RecordTable; problem: ReportProblem },
): void {
  const shared = db.prepare(
    `SELECT group_concat(record) AS records FROM record_keys
     JOIN source_records ON number = record
     GROUP BY key HAVING count(DISTINCT ifnull(document, 0)) > 1`,
  );
  for (const text of shared.pluck().iterate() as IterableIterator<string>) {
    attempt('a record that shares a key is unreadable', problem, () => {
      const records = text.split(',').map((number) => table.read(Number(number)));
      verifyDistinct(records, problem);
    });
  }
}
