/** Reads all documents, in the order of their numbers, from one snapshot. */

import type { Database } from '../../database/postgres/postgres-database.ts';
import type { DocumentNumber, SourceRecord } from '../../types.ts';
import { toSourceRecord } from '../documents/sources-of-documents.ts';
import { readMerged } from './read-documents.ts';

/** Documents in memory at a time. */
const PAGE = 500;

/**
 * Yields each document as one record that makes the same document again, but for those that are damaged.
 * Returns how many it left out.
 */
export async function* exportRecords(database: Database): AsyncGenerator<SourceRecord, number> {
  const reading = await database.openSnapshot();
  try {
    let last: DocumentNumber = 0;
    let leftOut = 0;
    for (;;) {
      const rows = await reading.query<{ number: DocumentNumber }>(
        'SELECT number FROM documents WHERE number > $1 ORDER BY number LIMIT $2',
        [last, PAGE],
      );
      if (rows.length === 0) return leftOut;
      const numbers = rows.map(({ number }) => number);
      for (const merged of await readMerged(reading, numbers)) {
        if (merged === undefined) leftOut += 1;
        else yield toSourceRecord(merged);
      }
      last = numbers.at(-1) as DocumentNumber;
    }
  } finally {
    await reading.close();
  }
}
