/** Files with an index in its first form (version 2), written without our code. */
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { documentsAndFullText } from '../../../src/database/migrations/01-documents-and-full-text.ts';
import { customersKeysAndLedger } from '../../../src/database/migrations/02-customers-keys-and-ledger.ts';
import { contentHash } from '../../../src/identity/kept-record.ts';
import { dequantizeUnit, quantizeUnit } from '../../../src/index/dense/embeddings.ts';
import type { IndexedDocument } from '../../../src/index/documents/make-change.ts';
import { claimModel } from '../../../src/index/index-facts.ts';
import { decodeSpans, encodeSpans } from '../../../src/index/sentence-spans.ts';
import type { Embedding, SourceDocument } from '../../../src/types.ts';
import { toyIndexed, toyModel } from '../../index/memory-index.ts';
import { scratchFolder } from '../../ingest/index-files.ts';

/** More than two inverted lists take. */
export const DOCUMENTS = Array.from({ length: 600 }, (_, i) =>
  toyIndexed({
    id: `${i}`,
    title: i % 3 === 0 ? '' : `Tides of the year ${i}`,
    abstract: 'It rose. It fell. '.repeat(i % 12).trim() || (i % 3 === 0 ? 'It stood.' : ''),
  }),
);

/** The own vector and the units. */
export function vectorsOf({ own, units }: IndexedDocument): Embedding[] {
  return [own, ...units.map(dequantizeUnit)];
}

/** A file as the first form had it, without documents and a model where there are none. */
export async function firstForm(documents: readonly IndexedDocument[]): Promise<string> {
  const path = join(await scratchFolder(), 'first.db');
  const db = new Database(path);
  db.pragma('journal_mode = WAL');
  db.exec(documentsAndFullText.sql + customersKeysAndLedger.sql);
  db.pragma('user_version = 2');
  if (documents.length > 0) claimModel(db, toyModel);
  const addDocument = db.prepare(
    `INSERT INTO documents
       (id, title, abstract, year, authors, venue, content_hash, sentence_spans)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?)`,
  );
  const addText = db.prepare(
    'INSERT INTO documents_text (rowid, title, abstract) VALUES (?, ?, ?)',
  );
  const addVectors = db.prepare('INSERT INTO embeddings (document, vectors) VALUES (?, ?)');
  const addBits = db.prepare('INSERT INTO signatures (document, bits) VALUES (?, zeroblob(4))');
  db.transaction(() => {
    for (const document of documents) {
      const { source, spans } = document;
      const { id, title, abstract, year, venue } = source;
      const authors = JSON.stringify(source.authors);
      const { lastInsertRowid: number } = addDocument.run(
        id,
        title,
        abstract,
        year,
        authors,
        venue,
        contentHash(source),
        encodeSpans(spans),
      );
      addText.run(number, title, abstract);
      addVectors.run(number, packFirstForm(vectorsOf(document)));
      addBits.run(number);
    }
    const total = db.prepare('UPDATE index_facts SET value = ? WHERE name = ?');
    total.run(documents.length, 'documents');
    total.run(
      documents.reduce((sum, { spans }) => sum + spans.length, 0),
      'sentences',
    );
  })();
  db.close();
  return path;
}

/** The documents of such a file with the vectors that it has, ready to be written. */
export function readFirstForm(path: string): { dimensions: number; documents: IndexedDocument[] } {
  const db = new Database(path, { readonly: true });
  const model = db.prepare("SELECT value FROM index_facts WHERE name = 'model'").pluck().get();
  const { dimensions } = JSON.parse(String(model)) as { dimensions: number };
  const rows = db
    .prepare('SELECT * FROM documents JOIN embeddings ON document = number ORDER BY number')
    .all() as (SourceDocument & { authors: string; sentence_spans: Buffer; vectors: Buffer })[];
  db.close();
  const documents = rows.map((row) => {
    const { id, title, abstract, year, authors, venue } = row;
    const [own, ...units] = unpackFirstForm(row.vectors, dimensions);
    return {
      source: { id, title, abstract, year, authors: JSON.parse(authors), venue },
      spans: decodeSpans(row.sentence_spans),
      own: own as Embedding,
      units: units.map(quantizeUnit),
    };
  });
  return { dimensions, documents };
}

/** n float32 factors, then n vectors, a signed byte a component. */
function packFirstForm(vectors: readonly Float32Array[]): Buffer {
  const factors = Buffer.alloc(vectors.length * 4);
  const components = vectors.map((vector, index) => {
    const factor = Math.max(...vector.map(Math.abs)) / 127;
    factors.writeFloatLE(factor, index * 4);
    return Buffer.from(Int8Array.from(vector, (c) => Math.round(c / factor)).buffer);
  });
  return Buffer.concat([factors, ...components]);
}

function unpackFirstForm(blob: Buffer, dimensions: number): Embedding[] {
  const count = blob.length / (4 + dimensions);
  return Array.from({ length: count }, (_, index) => {
    const factor = blob.readFloatLE(4 * index);
    const start = 4 * count + index * dimensions;
    return Float32Array.from({ length: dimensions }, (_, i) => blob.readInt8(start + i) * factor);
  });
}
