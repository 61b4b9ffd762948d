/** Reads documents, which a search cites, and their forward index entries, which it ranks by. */

import type { Connection } from '../../database/sqlite/connection.ts';
import type { MergedDocument } from '../../identity/merge-records.ts';
import type { DocumentNumber } from '../../types.ts';
import { type ForwardEntry, prepareReadForwardEntries } from '../forward-index.ts';
import { prepareReadLastDocument } from '../index-facts.ts';
import { createRecordTable } from '../records/records.ts';
import { type TitleRow, titlesIn } from '../records/stored-records.ts';
import { decodeSpans } from '../sentence-spans.ts';
import { unlessDamaged } from '../unless-damaged.ts';
import {
  DOCUMENT_COLUMNS,
  type DocumentRow,
  decodeDocument,
  fieldsOf,
  type StoredDocument,
  type StoredFields,
  soundMerge,
} from './stored-document.ts';

export type DocumentReader = ReturnType<typeof createDocumentReader>;

/** `onDamage` is told of each damaged record that `withKeys` met. */
export function createDocumentReader(db: Connection, onDamage = () => {}) {
  const readDocument = db
    .prepare(`SELECT ${DOCUMENT_COLUMNS} FROM documents WHERE number = ?`)
    .raw();
  const readTitles = db.prepare(
    `SELECT d.title, r.fields FROM documents d
     LEFT JOIN source_records r ON r.document = d.number AND r.fields IS NOT NULL
     WHERE d.number = ?`,
  );
  const readEntries = prepareReadForwardEntries(db);
  const readNumber = db.prepare('SELECT number FROM documents WHERE id = ?').pluck();
  const records = createRecordTable(db);
  const readFields = (document: DocumentNumber): StoredFields | undefined => {
    const row = readDocument.get(document) as DocumentRow | undefined;
    return row && fieldsOf(row);
  };
  const read = (document: DocumentNumber): StoredDocument | undefined => {
    const fields = unlessDamaged(() => readFields(document));
    return fields && decodeDocument(fields);
  };
  return {
    /** Returns undefined if what is stored of the document is damaged or missing. */
    read,
    /** Returns what is stored without a look at its hash. Throws if it cannot be decoded. */
    readUnchecked(document: DocumentNumber): StoredDocument {
      const { hash: _, authors, spans, ...fields } = readFields(document) ?? missing(document);
      return { ...fields, authors: JSON.parse(authors), spans: decodeSpans(spans) };
    },
    /** Reads the forward index entries of documents, in their order. Throws if one does not exist. */
    readForwardEntries: (documents: readonly DocumentNumber[]): ForwardEntry[] =>
      readEntries(documents) ?? missing(documents),
    /** Returns the document with exactly this id. */
    withId: (id: string) => readNumber.get(id) as DocumentNumber | undefined,
    /**
     * Returns the documents with one of these keys in any case, each once, without those of records
     * that are damaged.
     */
    withKeys(keys: readonly string[]): DocumentNumber[] {
      const found = keys.flatMap((key) => records.found(key, onDamage));
      return [...new Set(found.flatMap(({ document }) => document ?? []))];
    },
    /** Returns the titles of the document and of its records, unchecked. */
    titles: (document: DocumentNumber): string[] =>
      unlessDamaged(() => titlesIn(readTitles.all(document) as TitleRow[])) ?? [],
    /** Returns the document with all that its records say; undefined as `read` does. */
    merged(document: DocumentNumber): MergedDocument | undefined {
      const all = unlessDamaged(() => records.ofDocument(document)) ?? [];
      return soundMerge(all, () => read(document) !== undefined);
    },
  };
}

/**
 * Returns a function that reads the title of the document at a share of the index, from 0 to below
 * 1. It returns undefined if the index is empty, or damaged there.
 */
export function createTitleReader(db: Connection): (share: number) => string | undefined {
  const readLast = prepareReadLastDocument(db);
  const readFrom = db
    .prepare('SELECT title FROM documents WHERE number >= ? ORDER BY number LIMIT 1')
    .pluck();
  return (share) => {
    const first = 1 + Math.floor(share * readLast());
    return unlessDamaged(() => readFrom.get(first) as string | undefined);
  };
}

/** Throws that a document is missing to which something refers. */
export function missing(
  ...documents: readonly (DocumentNumber | readonly DocumentNumber[])[]
): never {
  throw new Error(`the index names document ${documents.join(' or ')}, but does not have it`);
}
