/** Compares stored documents with their hashes. */
import type { Connection } from '../../database/sqlite/connection.ts';
import {
  DOCUMENT_COLUMNS,
  type DocumentRow,
  decodeDocument,
  fieldsOf,
} from '../../index/documents/stored-document.ts';
import { unlessDamaged } from '../../index/unless-damaged.ts';
import { readInSteps } from './read-in-steps.ts';

const DOCUMENTS = { name: 'documents', isWithoutRowid: false };

/**
 * Compares all documents. Yields after each read how long it took, in milliseconds. Returns what is
 * wrong; undefined if nothing is.
 */
export function* checkDocuments(
  db: Connection,
  readMs: number,
): Generator<number, string | undefined> {
  let altered = 0;
  let first: bigint | undefined;
  yield* readInSteps(db, DOCUMENTS, {
    select: `number, ${DOCUMENT_COLUMNS}`,
    readMs,
    onRow([number, ...row]) {
      if (unlessDamaged(() => decodeDocument(fieldsOf(row as DocumentRow)))) return;
      altered++;
      first ??= number as bigint;
    },
  });
  if (first === undefined) return undefined;
  return `${altered} rows are not what was written, the first of them number ${first}`;
}
