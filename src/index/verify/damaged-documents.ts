/** Finds the documents that searches leave out. */

import type { Connection } from '../../database/sqlite/connection.ts';
import type { DocumentNumber } from '../../types.ts';
import { documentNumbers } from '../document-numbers.ts';
import { createDocumentReader } from '../documents/documents.ts';

/** Yields the numbers of documents that are not what was written. It reads the text of all documents. */
export function* damagedDocuments(db: Connection): Generator<DocumentNumber> {
  const { read } = createDocumentReader(db);
  const exists = db.prepare('SELECT 1 FROM signals WHERE document = ?').pluck();
  for (const number of documentNumbers(db)) {
    if (read(number) === undefined && exists.get(number) !== undefined) yield number;
  }
}
