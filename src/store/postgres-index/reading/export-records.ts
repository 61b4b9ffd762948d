/** Reads all documents, in the order of their numbers, from one snapshot. */
import { mergeRecords } from '../../../identity/merge-records.ts';
import type { DocumentNumber, SourceRecord } from '../../../types.ts';
import { toSourceRecord } from '../../index/records/sources-of-documents.ts';
import type { Database } from '../../postgres/database.ts';
import { readRecordsOf } from './sources.ts';

/** Documents in memory at a time. */
const PAGE = 500;

/** Yields each document as one record that makes the same document again. */
export async function* exportRecords(database: Database): AsyncGenerator<SourceRecord> {
  const reading = await database.openSnapshot();
  try {
    let last: DocumentNumber = 0;
    for (;;) {
      const rows = await reading.query<{ number: DocumentNumber }>(
        'SELECT number FROM documents WHERE number > $1 ORDER BY number LIMIT $2',
        [last, PAGE],
      );
      if (rows.length === 0) return;
      const numbers = rows.map(({ number }) => number);
      for (const records of (await readRecordsOf(reading, numbers)).values()) {
        yield toSourceRecord(mergeRecords(records.map(({ record }) => record)));
      }
      last = numbers.at(-1) as DocumentNumber;
    }
  } finally {
    await reading.close();
  }
}
