/** `verifyRecords` finds every kind of damage to records. */
import { describe, expect, it } from 'vitest';
import type { Connection } from '../../../src/database/sqlite/connection.ts';
import { createIndexWriter } from '../../../src/index/documents/index-writer.ts';
import { verifyIndex } from '../../../src/index/verify/verify-index.ts';
import { recordOf } from '../../identity/records.ts';
import { expectSound, memoryIndex } from '../memory-index.ts';
import { arrive } from '../toy-incoming-records.ts';

/**
 * Documents of two records (1), one record (2), one retracted record (3), and a waiting abstract.
 */
function indexOfRecords(): Connection {
  const db = memoryIndex();
  const writer = createIndexWriter(db);
  const doi = { doi: '10.5555/tides' };
  arrive(
    writer,
    recordOf({ source: 'pmid', id: 'PMID:7', title: 'Tides', identifiers: { ...doi, pmid: '7' } }),
  );
  arrive(writer, recordOf({ id: '10.5555/tides', title: 'Tides', year: 1998, identifiers: doi }));
  arrive(writer, recordOf({ id: 'moon', title: 'Moon' }));
  arrive(writer, recordOf({ id: 'shore', title: 'Shore', withheld: 'retracted' }));
  arrive(
    writer,
    recordOf({
      id: '',
      source: 's2',
      part: 'abstract',
      identifiers: { s2: '5' },
      abstract: 'It rose.',
    }),
  );
  expectSound(db);
  return db;
}

describe('verifyIndex, for records,', () => {
  it.each<[what: string, damage: string, problem: string]>([
    [
      'a document without a record',
      `DELETE FROM source_records WHERE document = 2`,
      'moon has no record of a source',
    ],
    [
      'a record with other fields',
      `UPDATE source_records SET fields = '{"title":"Sun"}' WHERE document = 2`,
      'moon: its fields differ from those of its merged records',
    ],
    [
      'a changed record that its document does not show',
      `UPDATE source_records SET updated_at = 5 WHERE document = 2`,
      'moon: its record 3 does not match its hash',
    ],
    [
      'fields that are not JSON',
      `UPDATE source_records SET fields = '{' WHERE document = 2`,
      'moon: one of its records is unreadable',
    ],
    [
      'fields of other types',
      `UPDATE source_records SET fields = '{"title":5,"year":1998}' WHERE document = 2`,
      'moon: one of its records is unreadable',
    ],
    [
      'a missing key',
      `DELETE FROM record_keys WHERE record = 3`,
      'moon: a key of its record is missing',
    ],
    [
      'a key without a record',
      `INSERT INTO record_keys (key, record) VALUES (1, 99)`,
      'keys without a record: 1',
    ],
    [
      'a paper without a document',
      `UPDATE source_records SET document = NULL WHERE document = 2`,
      'record 3 has no document',
    ],
    [
      'a document that is no longer withheld',
      'DELETE FROM withheld_documents',
      'shore is not withheld, but its records make it retracted',
    ],
    [
      'a document that is withheld without reason',
      `INSERT INTO withheld_documents VALUES (2, 'withdrawn')`,
      'moon is withdrawn, but its records make it not withheld',
    ],
    [
      'two documents with one identifier',
      `UPDATE source_records SET document = 2 WHERE number = 2`,
      'documents 1 and 2 are both doi:10.5555/tides',
    ],
  ])('finds %s', (_, damage, problem) => {
    const db = indexOfRecords();
    db.exec(damage);
    expect(verifyIndex(db, { problemsMax: 10 }).problems).toContain(problem);
  });
});
