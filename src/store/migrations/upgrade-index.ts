/**
 * Fills the tables of terms and cells from an index in the first form, so that nothing needs to be
 * embedded again. There, all vectors of a document stood in int8:
 *
 *   n float32 factors | n vectors, a byte a component
 */
import type Database from 'better-sqlite3';
import type { DocumentNumber, Embedding } from '../../types.ts';
import { packUnit } from '../index/dense/embeddings.ts';
import { createDerivedTables } from '../index/documents/derived-tables.ts';
import { readModel } from '../index/index-facts.ts';
import type { PostingsWriter } from '../index/lexical/postings.ts';
import { unpackSpans } from '../index/sentence-spans.ts';

const FACTOR_BYTES = 4;
/** Documents between two writes of what was counted. */
const DOCUMENTS_PER_FLUSH = 1000;

/** Their table is made by a later step, and filled when the index is extended or optimized. */
const noPostings: PostingsWriter = { added() {}, remove() {} };

interface Row {
  number: DocumentNumber;
  title: string;
  abstract: string;
  sentence_spans: Buffer;
}

/** Takes about a millisecond a document. */
export function upgradeIndex(db: Database.Database): void {
  db.exec("INSERT INTO documents_text (documents_text) VALUES ('rebuild')");
  const dimensions = readModel(db)?.dimensions ?? 0;
  const derived = createDerivedTables(db, { dimensions, postings: noPostings });
  const read = db.prepare(
    'SELECT number, title, abstract, sentence_spans FROM documents WHERE number = ?',
  );
  const readVectors = db.prepare('SELECT vectors FROM embeddings WHERE document = ?').pluck();
  const numbers = db.prepare('SELECT number FROM documents ORDER BY number').pluck().all();
  for (const [index, number] of (numbers as DocumentNumber[]).entries()) {
    const { title, abstract, sentence_spans } = read.get(number) as Row;
    const [own, ...units] = unpackFirstForm(readVectors.get(number) as Buffer, dimensions);
    derived.put(number, {
      title,
      abstract,
      spans: unpackSpans(sentence_spans),
      own: own as Embedding,
      units: units.map(packUnit),
    });
    if ((index + 1) % DOCUMENTS_PER_FLUSH === 0) derived.flush();
  }
  derived.flush();
  db.exec('DROP TABLE embeddings');
}

function unpackFirstForm(blob: Buffer, dimensions: number): Embedding[] {
  const count = blob.length / (FACTOR_BYTES + dimensions);
  return Array.from({ length: count }, (_, index) => {
    const factor = blob.readFloatLE(index * FACTOR_BYTES);
    const start = count * FACTOR_BYTES + index * dimensions;
    return Float32Array.from({ length: dimensions }, (_, i) => blob.readInt8(start + i) * factor);
  });
}
