/** Reads documents together with the records from which they are merged, and finds them by any name. */

import type { Queries } from '../../database/postgres/postgres-database.ts';
import type { MergedDocument } from '../../identity/merge-records.ts';
import { idKeyOf } from '../../identity/record-keys.ts';
import type { DocumentNumber } from '../../types.ts';
import { keysOfName } from '../documents/find-documents.ts';
import { type DocumentWithSources, damagedError } from '../documents/sources-of-documents.ts';
import { soundMerge } from '../documents/stored-document.ts';
import { type RecordRow, type StoredRecord, toStored } from '../records/stored-records.ts';
import { readMerged, readNumbers, readWithKeys } from './read-documents.ts';
import { RECORD_COLUMNS } from './record-columns.ts';

export interface SourceFileRow {
  path: string;
  format: string;
}

/** Returns the records of documents, in the order of their numbers. */
export async function readRecordsOf(
  { query }: Queries,
  documents: readonly DocumentNumber[],
): Promise<ReadonlyMap<DocumentNumber, StoredRecord[]>> {
  const rows = await query<RecordRow>(
    `SELECT ${RECORD_COLUMNS}
     FROM source_records r JOIN documents d ON d.shard = r.shard AND d.number = r.document
     WHERE r.document = ANY($1::integer[]) ORDER BY r.number`,
    [documents],
  );
  const found = new Map<DocumentNumber, StoredRecord[]>(
    documents.map((document) => [document, []]),
  );
  for (const row of rows) found.get(row.document as DocumentNumber)?.push(toStored(row));
  return found;
}

/** Returns the documents with this identifier, each with the file of each of its records. */
export async function findWithSources(
  queries: Queries,
  name: string,
): Promise<(DocumentWithSources & { files: (SourceFileRow | undefined)[] })[]> {
  const { id, keys } = keysOfName(name);
  const [exact] = await readNumbers(queries, [id]);
  const [found = []] =
    exact === undefined
      ? await readWithKeys(queries, [[idKeyOf(id), ...keys]], () => {})
      : [[exact]];
  if (found.length === 0) return [];
  const damagedAt = (await readMerged(queries, found)).indexOf(undefined);
  if (damagedAt !== -1) throw damagedError(found[damagedAt] as DocumentNumber);
  const recordsOf = await readRecordsOf(queries, found);
  const files = await readFiles(queries);
  return found.map((document) => {
    const records = recordsOf.get(document) ?? [];
    return {
      records,
      merged: soundMerge(records, () => true) as MergedDocument,
      files: records.map(({ file }) => (file === null ? undefined : files.get(file))),
    };
  });
}

async function readFiles({ query }: Queries): Promise<ReadonlyMap<number, SourceFileRow>> {
  const rows = await query<SourceFileRow & { number: number }>(
    'SELECT number, path, format FROM source_files',
  );
  return new Map(rows.map(({ number, path, format }) => [number, { path, format }]));
}
