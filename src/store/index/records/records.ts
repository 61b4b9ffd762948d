/** The rows of records and of their keys. */
import { RECORDS_PER_TITLE_MAX } from '../../../identity/group-records.ts';
import {
  type DocumentField,
  documentFields,
  type KeptRecord,
  recordHash,
} from '../../../identity/kept-record.ts';
import { hashKey, keysOf, type TitleKey } from '../../../identity/record-keys.ts';
import type { DocumentNumber, SourceDocument } from '../../../types.ts';
import type { Connection } from '../../database/connection.ts';
import { type FileNumber, prepareFileNumber, type SourceFile } from './source-files.ts';

export interface StoredRecord {
  number: number;
  /** The document that it belongs to; null while it waits for its paper. */
  document: DocumentNumber | null;
  /** Empty if unknown. */
  hash: Buffer;
  file: FileNumber | null;
  record: KeptRecord;
}

/** A record to store. */
export interface NewRecord {
  record: KeptRecord;
  hash: Buffer;
  /** Null if it did not come from a file. */
  file: SourceFile | FileNumber | null;
}

export interface Gathered {
  records: StoredRecord[];
  /** Titles that too many records share to be evidence of one paper. */
  series: ReadonlySet<TitleKey>;
}

export interface RecordTable {
  /** Returns whether a record with this key has exactly this content. */
  isKept(key: string, hash: Buffer): boolean;
  /**
   * Returns all records that are connected to the keys: those that have one of the keys, those that
   * share a key with them, and so on. Returns undefined if they are too many for one paper.
   */
  gather(keys: readonly string[]): Gathered | undefined;
  /** Throws a SyntaxError if the stored JSON is damaged. */
  read(number: number): StoredRecord;
  ofDocument(document: DocumentNumber): StoredRecord[];
  /** Returns the records with a key, compared without case. */
  found(key: string): StoredRecord[];
  /** `document` is the one that the record belongs to; null for a record that waits. */
  add(record: NewRecord, document: { number: DocumentNumber; fields: SourceDocument } | null): void;
  remove(stored: StoredRecord): void;
}

/** Wrong links could join any number of papers. A record that would exceed this is refused. */
export const RECORDS_PER_GROUP_MAX = 200;

export interface RecordRow extends Omit<SourceDocument, 'authors'> {
  number: number;
  document: DocumentNumber | null;
  source: string;
  part: string | null;
  hash: Buffer;
  updated_at: number;
  withheld: KeptRecord['withheld'] | null;
  identifiers: string | null;
  fields: string | null;
  file: FileNumber | null;
  notice: string | null;
  details: string | null;
  authors: string;
}

const ROWS_SQL = `
  SELECT r.*, ifnull(d.id, '') AS id, ifnull(d.title, '') AS title,
    ifnull(d.abstract, '') AS abstract, ifnull(d.year, 0) AS year,
    ifnull(d.authors, '[]') AS authors, ifnull(d.venue, '') AS venue
  FROM source_records r LEFT JOIN documents d ON d.number = r.document`;

export function createRecordTable(db: Connection): RecordTable {
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
    read: readRecord,
    isKept: (key, hash) =>
      (readHashes.all(hashKey(key)) as Buffer[]).some((stored) => stored.equals(hash)),
    ofDocument: (document) => (readOfDocument.all(document) as RecordRow[]).map(toStored),
    found: (key) =>
      findRecords(key, RECORDS_PER_GROUP_MAX)
        .map(readRecord)
        .filter(({ record }) =>
          keysOf(record).some((own) => own.toLowerCase() === key.toLowerCase()),
        ),
    gather(keys) {
      const records = new Map<number, StoredRecord>();
      const queue = [...keys];
      const seen = new Set(queue);
      const series = new Set<TitleKey>();
      for (let key = queue.pop(); key !== undefined; key = queue.pop()) {
        // One more than can link papers, because removing that one links the others.
        const most = key.startsWith('title:') ? RECORDS_PER_TITLE_MAX + 1 : RECORDS_PER_GROUP_MAX;
        const numbers = findRecords(key, most + 1);
        if (numbers.length > most && key.startsWith('title:')) {
          series.add(key);
          continue;
        }
        for (const number of numbers) {
          if (records.has(number)) continue;
          const stored = readRecord(number);
          const own = keysOf(stored.record);
          if (!own.includes(key)) continue;
          records.set(number, stored);
          if (records.size > RECORDS_PER_GROUP_MAX) return undefined;
          for (const further of own) {
            if (seen.has(further)) continue;
            seen.add(further);
            queue.push(further);
          }
        }
      }
      return { records: [...records.values()], series };
    },
  };
}

function prepareWrites(db: Connection): Pick<RecordTable, 'add' | 'remove'> {
  const addRecord = db.prepare(
    `INSERT INTO source_records
       (document, source, part, hash, updated_at, withheld, identifiers, fields, file, notice,
        details)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
  );
  const removeRecord = db.prepare('DELETE FROM source_records WHERE number = ?');
  const fileNumber = prepareFileNumber(db);
  const addKey = db.prepare('INSERT OR IGNORE INTO record_keys (key, record) VALUES (?, ?)');
  const removeKey = db.prepare('DELETE FROM record_keys WHERE key = ? AND record = ?');
  return {
    add({ record, hash, file }, document) {
      const { source, part, updatedAt, withheld, identifiers, notice, details } = record;
      const known = JSON.stringify(identifiers);
      const number = addRecord.run(
        ...[document?.number ?? null, source, part === 'record' ? null : part, hash, updatedAt],
        ...[withheld ?? null, known === '{}' ? null : known],
        differingFields(record, document?.fields),
        typeof file === 'object' && file !== null ? fileNumber(file) : file,
        notice === undefined ? null : JSON.stringify(notice),
        details === undefined ? null : JSON.stringify(details),
      ).lastInsertRowid;
      for (const key of keysOf(record)) addKey.run(hashKey(key), number);
    },
    remove({ number, record }) {
      for (const key of keysOf(record)) removeKey.run(hashKey(key), number);
      removeRecord.run(number);
    },
  };
}

/** Returns whether two records have the same content, also if the stored hash is unknown. */
export function isSameRecord(stored: StoredRecord, { hash }: NewRecord): boolean {
  if (stored.hash.equals(hash)) return true;
  return stored.hash.length === 0 && recordHash(stored.record).equals(hash);
}

function differingFields(record: KeptRecord, document: SourceDocument | undefined): string | null {
  const differing: Partial<Record<DocumentField, unknown>> = {};
  for (const field of documentFields) {
    const [own, merged] = [record[field], document?.[field]];
    const isSame = own === merged || (Array.isArray(own) && isSameList(own, merged));
    if (!isSame) differing[field] = own;
  }
  const text = JSON.stringify(differing);
  return text === '{}' ? null : text;
}

function isSameList(a: readonly string[], b: unknown): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}

/** Decodes a row of a record, joined with its document. */
export function toStored(row: RecordRow): StoredRecord {
  const { number, document, hash, file, source, part, updated_at, withheld, identifiers } = row;
  const { id, title, abstract, year, venue } = row;
  return {
    number,
    document,
    hash,
    file,
    record: {
      id,
      title,
      abstract,
      year,
      authors: JSON.parse(row.authors),
      venue,
      ...JSON.parse(row.fields ?? '{}'),
      source: source as KeptRecord['source'],
      part: part === null ? 'record' : (part as KeptRecord['part']),
      identifiers: JSON.parse(identifiers ?? '{}'),
      ...(withheld === null ? {} : { withheld }),
      ...(row.notice === null ? {} : { notice: JSON.parse(row.notice) }),
      ...(row.details === null ? {} : { details: JSON.parse(row.details) }),
      updatedAt: updated_at,
    },
  };
}
