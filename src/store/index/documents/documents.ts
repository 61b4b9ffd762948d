/** Reads documents, which a search cites, and their forward index entries, which it ranks by. */
import { schemeKeysOf } from '../../../identity/record-keys.ts';
import type { DocumentNumber, Identifiers, SentenceSpan, SourceDocument } from '../../../types.ts';
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
  /** Returns the documents with one of these identifiers, whatever their ids are. */
  knownBy(identifiers: Identifiers): DocumentNumber[];
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
    knownBy(identifiers) {
      const found = schemeKeysOf(identifiers).flatMap((key) => records.found(key));
      return found.flatMap(({ document }) => document ?? []);
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

function missing(...documents: readonly (DocumentNumber | readonly DocumentNumber[])[]): never {
  throw new Error(`the index names document ${documents.join(' or ')}, but does not have it`);
}
