/** Reads documents and their vectors: the narrow interface that the search stands on. */
import type { DocumentNumber, SentenceSpan, SourceDocument } from '../types.ts';
import type { Store } from './open.ts';
import { unpackSpans } from './sentence-spans.ts';

export interface StoredDocument extends SourceDocument {
  spans: SentenceSpan[];
}

export interface DocumentReader {
  /** Throws for a number that no retriever of the same view has returned. */
  read(document: DocumentNumber): StoredDocument;
  /** The document's vectors as packed in embeddings.ts. */
  readEmbeddings(document: DocumentNumber): Buffer;
}

interface DocumentRow {
  id: string;
  title: string;
  abstract: string;
  year: number;
  authors: string;
  venue: string;
  sentence_spans: Buffer;
}

export function createDocumentReader(db: Store): DocumentReader {
  const readDocument = db.prepare(
    `SELECT id, title, abstract, year, authors, venue, sentence_spans
     FROM documents WHERE number = ?`,
  );
  const readVectors = db.prepare('SELECT vectors FROM embeddings WHERE document = ?').pluck();
  return {
    read(document) {
      const row = readDocument.get(document) as DocumentRow | undefined;
      if (row === undefined) throw missing(document);
      const { sentence_spans, authors, ...rest } = row;
      return { ...rest, authors: JSON.parse(authors), spans: unpackSpans(sentence_spans) };
    },
    readEmbeddings(document) {
      const vectors = readVectors.get(document) as Buffer | undefined;
      if (vectors === undefined) throw missing(document);
      return vectors;
    },
  };
}

function missing(document: DocumentNumber): Error {
  return new Error(`the index names document ${document}, but does not hold it`);
}
