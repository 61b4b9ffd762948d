/** Reads documents, which a search cites, and their forward index entries, which it ranks by. */
import { type MergedDocument, mergeRecords } from '../../../identity/merge-records.ts';
import type { DocumentNumber, SentenceSpan, SourceDocument } from '../../../types.ts';
import type { Connection } from '../../database/connection.ts';
import { type ForwardEntry, prepareReadForwardEntries } from '../forward-index.ts';
import { prepareReadLastDocument } from '../index-facts.ts';
import { createRecordTable } from '../records/records.ts';
import { decodeSpans } from '../sentence-spans.ts';

export interface StoredDocument extends SourceDocument {
  spans: SentenceSpan[];
}

/** Its methods throw for a document number that does not exist in the current view. */
export interface DocumentReader {
  read(document: DocumentNumber): StoredDocument;
  /** Reads the forward index entries of documents, in their order. */
  readForwardEntries(documents: readonly DocumentNumber[]): ForwardEntry[];
  /** Returns the document with exactly this id. */
  withId(id: string): DocumentNumber | undefined;
  /** Returns the documents with one of these keys in any case, each once. */
  withKeys(keys: readonly string[]): DocumentNumber[];
  /** Returns the document with all that its records say. */
  merged(document: DocumentNumber): MergedDocument;
}

/** An array, because better-sqlite3 takes several times as long to make an object of a row. */
type DocumentRow = [
  id: string,
  title: string,
  abstract: string,
  year: number,
  authors: string,
  venue: string,
  spans: Buffer,
];

export function createDocumentReader(db: Connection): DocumentReader {
  const readDocument = db
    .prepare(
      `SELECT id, title, abstract, year, authors, venue, sentence_spans
       FROM documents WHERE number = ?`,
    )
    .raw();
  const readEntries = prepareReadForwardEntries(db);
  const readNumber = db.prepare('SELECT number FROM documents WHERE id = ?').pluck();
  const records = createRecordTable(db);
  return {
    read(document) {
      const row = (readDocument.get(document) as DocumentRow | undefined) ?? missing(document);
      const [id, title, abstract, year, authors, venue, spans] = row;
      return {
        id,
        title,
        abstract,
        year,
        venue,
        authors: JSON.parse(authors),
        spans: decodeSpans(spans),
      };
    },
    readForwardEntries: (documents) => readEntries(documents) ?? missing(documents),
    withId: (id) => readNumber.get(id) as DocumentNumber | undefined,
    withKeys(keys) {
      const found = keys.flatMap((key) => records.found(key));
      return [...new Set(found.flatMap(({ document }) => document ?? []))];
    },
    merged(document) {
      const all = records.ofDocument(document).map(({ record }) => record);
      return all.length === 0 ? missing(document) : mergeRecords(all);
    },
  };
}

/**
 * Returns a function that reads the title of the document at a share of the index, from 0 to below
 * 1. It returns undefined if the index is empty.
 */
export function createTitleReader(db: Connection): (share: number) => string | undefined {
  const readLast = prepareReadLastDocument(db);
  const readFrom = db
    .prepare('SELECT title FROM documents WHERE number >= ? ORDER BY number LIMIT 1')
    .pluck();
  return (share) => {
    return readFrom.get(1 + Math.floor(share * readLast())) as string | undefined;
  };
}

/** Throws that a document is missing to which something refers. */
export function missing(
  ...documents: readonly (DocumentNumber | readonly DocumentNumber[])[]
): never {
  throw new Error(`the index names document ${documents.join(' or ')}, but does not have it`);
}
