/** Gives the documents of an earlier version their records, so that they are found by their keys. */
import type Database from 'better-sqlite3';
import type { KeptRecord } from '../../identity/kept-record.ts';
import { idKeyOf } from '../../identity/record-keys.ts';
import type { DocumentNumber, Identifiers, SourceDocument } from '../../types.ts';
import { createRecordTable } from '../index/records/records.ts';

type Row = Omit<SourceDocument, 'authors'> & { number: DocumentNumber; authors: string };

/** What the record said besides is not known, so it has no hash; the next one with its id has. */
const NO_HASH = Buffer.alloc(0);

/** Takes some ten seconds for a hundred thousand documents. */
export function upgradeRecords(db: Database.Database): void {
  const table = createRecordTable(db);
  const read = db.prepare(
    'SELECT number, id, title, abstract, year, authors, venue FROM documents WHERE number = ?',
  );
  const numbers = db.prepare('SELECT number FROM documents ORDER BY number').pluck().all();
  for (const each of numbers as DocumentNumber[]) {
    const { number, authors, ...rest } = read.get(each) as Row;
    const fields: SourceDocument = { ...rest, authors: JSON.parse(authors) };
    const record: KeptRecord = {
      ...fields,
      source: '',
      part: 'record',
      updatedAt: 0,
      identifiers: identifiersIn(fields.id),
    };
    table.add({ record, hash: NO_HASH, file: null }, { number, fields });
  }
}

/** The one identifier that ids of an earlier version could be. */
function identifiersIn(id: string): Identifiers {
  const key = idKeyOf(id);
  return key.startsWith('doi:') ? { doi: key.slice('doi:'.length) } : {};
}
