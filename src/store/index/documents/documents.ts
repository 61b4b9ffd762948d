/** Reads documents and their signals: what a search cites and ranks. */
import { schemeKeysOf } from '../../../identity/record-keys.ts';
import type { DocumentNumber, Identifiers, SentenceSpan, SourceDocument } from '../../../types.ts';
import type { Connection } from '../../database/connection.ts';
import { prepareReadManySignals, type Signals } from '../forward-index.ts';
import { prepareReadLastDocument } from '../index-facts.ts';
import { createRecordTable } from '../records/records.ts';
import { unpackSpans } from '../sentence-spans.ts';

export interface StoredDocument extends SourceDocument {
  spans: SentenceSpan[];
}

/** Its methods throw for a number that no retriever of the same view has returned. */
export interface DocumentReader {
  read(document: DocumentNumber): StoredDocument;
  /** The signals of each document, in their order. */
  readSignals(documents: readonly DocumentNumber[]): Signals[];
  /** Those that are known by one of these, whatever their ids are. */
  knownBy(identifiers: Identifiers): DocumentNumber[];
}

/** As an array: better-sqlite3 takes several times as long to make an object of a row. */
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
  const readSignals = prepareReadManySignals(db);
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
        spans: unpackSpans(spans),
      };
    },
    readSignals: (documents) => readSignals(documents) ?? missing(documents),
    knownBy(identifiers) {
      const found = schemeKeysOf(identifiers).flatMap((key) => records.found(key));
      return found.flatMap(({ document }) => document ?? []);
    },
  };
}

/**
 * Returns a function that reads the title of a document at a share of the index, from 0 to below 1;
 * undefined where the index is empty.
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
  throw new Error(`the index names document ${documents.join(' or ')}, but does not hold it`);
}
