/**
 * Step 3: terms, quantized vectors and inverted lists (IVF). They replace the ranking of FTS5 and the
 * signatures of the first form. FTS5 stays for the lookup of words.
 */
import type { Connection } from '../sqlite/connection.ts';
import { createInvertedLists } from './frozen/inverted-lists.ts';
import { dequantize, quantize, quantizedBytes } from './frozen/quantization.ts';
import { packTermVector, type TermVector } from './frozen/term-vectors.ts';
import type { Step } from './step.ts';

export const termsAndInvertedLists: Step = {
  name: 'terms and inverted lists',
  sql: `
DROP TABLE documents_text;
-- porter: "stars" finds "star". External content: the text is kept once, in documents, and
-- FTS5's own integrity check compares the index with it. Ranking is done by the signals, so FTS5
-- need not know where in a text a word stands.
CREATE VIRTUAL TABLE documents_text USING fts5(
  title, abstract,
  content = 'documents', content_rowid = 'number',
  tokenize = 'porter unicode61 remove_diacritics 2',
  detail = none, columnsize = 0
);

DROP TABLE signatures;
CREATE TABLE signals (
  document INTEGER PRIMARY KEY REFERENCES documents (number) ON DELETE CASCADE,
  packed   BLOB NOT NULL              -- see signals.ts
);

CREATE TABLE term_counts (
  term      INTEGER PRIMARY KEY,
  documents INTEGER NOT NULL
);

CREATE TABLE cells (
  cell   INTEGER PRIMARY KEY AUTOINCREMENT,
  centre BLOB NOT NULL                -- float32
);

-- Apart from the centres, which are read all together.
CREATE TABLE cell_members (
  cell    INTEGER PRIMARY KEY REFERENCES cells (cell) ON DELETE CASCADE,
  members BLOB NOT NULL
);

CREATE TABLE document_cells (
  document INTEGER PRIMARY KEY REFERENCES documents (number) ON DELETE CASCADE,
  cell     INTEGER NOT NULL
);

DELETE FROM index_facts WHERE name IN ('documents', 'sentences');
INSERT INTO index_facts (name, value) VALUES
  ('documents', 0), ('sentences', 0), ('terms', 0),
  ('revision', 0), ('centres', 0),
  ('arranged', 0);                    -- documents when the cells were last arranged
INSERT INTO documents_text (documents_text) VALUES ('rebuild');
`,
  convert,
};

/** Bytes of a float32 factor. */
const FACTOR_BYTES = 4;
/** Documents between two writes of the counts. */
const DOCUMENTS_PER_FLUSH = 1000;

interface Row {
  number: number;
  title: string;
  abstract: string;
  sentence_spans: Buffer;
}

/**
 * Fills the new tables from the first form, so that nothing needs to be embedded again. Takes about
 * a millisecond a document.
 */
function convert(db: Connection): void {
  const dimensions = dimensionsOf(db);
  const lists = createInvertedLists(db, dimensions);
  const counts = createCounts(db);
  const read = db.prepare(
    'SELECT number, title, abstract, sentence_spans FROM documents WHERE number = ?',
  );
  const readVectors = db.prepare('SELECT vectors FROM embeddings WHERE document = ?').pluck();
  const addSignals = db.prepare('INSERT INTO signals (document, packed) VALUES (?, ?)');
  const flush = (): void => {
    lists.flush();
    counts.flush();
  };
  const numbers = db.prepare('SELECT number FROM documents ORDER BY number').pluck().all();
  for (const [index, number] of (numbers as number[]).entries()) {
    const { title, abstract, sentence_spans } = read.get(number) as Row;
    const sentences = sentencesOf(abstract, sentence_spans);
    const terms = packTermVector(title, sentences);
    const vectors = packVectors(vectorsOf(readVectors.get(number) as Buffer, dimensions));
    const header = Buffer.alloc(4);
    header.writeUInt32LE(vectors.length);
    addSignals.run(number, Buffer.concat([header, vectors, terms.blob]));
    // As it is read back: a list must not depend on when a document joined it.
    lists.add(
      number,
      dequantize(vectors.subarray(FACTOR_BYTES), vectors.readFloatLE(0), dimensions),
    );
    counts.add(terms, sentences.length);
    if ((index + 1) % DOCUMENTS_PER_FLUSH === 0) flush();
  }
  flush();
  db.exec('DROP TABLE embeddings');
}

/** Dimensions of the index's model, 0 where there is no model yet. */
function dimensionsOf(db: Connection): number {
  const model = db.prepare("SELECT value FROM index_facts WHERE name = 'model'").pluck().get();
  return model === undefined ? 0 : Number(JSON.parse(String(model)).dimensions);
}

function sentencesOf(abstract: string, spans: Buffer): string[] {
  return Array.from({ length: Math.floor(spans.length / 8) }, (_, index) =>
    abstract.slice(spans.readUInt32LE(8 * index), spans.readUInt32LE(8 * index + 4)),
  );
}

/** The vectors of the first form: n float32 factors, then n vectors of a signed byte a component. */
function vectorsOf(blob: Buffer, dimensions: number): Float32Array[] {
  const count = blob.length / (FACTOR_BYTES + dimensions);
  return Array.from({ length: count }, (_, index) => {
    const factor = blob.readFloatLE(index * FACTOR_BYTES);
    const start = count * FACTOR_BYTES + index * dimensions;
    return Float32Array.from({ length: dimensions }, (_, i) => blob.readInt8(start + i) * factor);
  });
}

/**
 * The document's own vector comes first, in 8 bits a component: float32 factor | components. Those
 * of the title and the sentences follow, in 4 bits: n float32 factors | n times components.
 */
function packVectors([own, ...units]: readonly Float32Array[]): Buffer {
  const { length } = own as Float32Array;
  const unitsAt = FACTOR_BYTES + quantizedBytes(length, 8);
  const componentsAt = unitsAt + FACTOR_BYTES * units.length;
  const unitBytes = quantizedBytes(length, 4);
  const blob = Buffer.alloc(componentsAt + unitBytes * units.length);
  blob.writeFloatLE(quantize(own as Float32Array, 8, blob, FACTOR_BYTES), 0);
  for (const [index, unit] of units.entries()) {
    const factor = quantize(unit, 4, blob, componentsAt + unitBytes * index);
    blob.writeFloatLE(factor, unitsAt + FACTOR_BYTES * index);
  }
  return blob;
}

/** Counts the documents of each term, and the totals of the index. */
function createCounts(db: Connection) {
  const addTerm = db.prepare(
    `INSERT INTO term_counts (term, documents) VALUES (?, ?)
     ON CONFLICT DO UPDATE SET documents = documents + excluded.documents`,
  );
  const addTotal = db.prepare('UPDATE index_facts SET value = value + ? WHERE name = ?');
  const byTerm = new Map<number, number>();
  let totals = { documents: 0, sentences: 0, terms: 0 };
  return {
    add({ distinct, length }: TermVector, sentences: number): void {
      for (const term of distinct) byTerm.set(term, (byTerm.get(term) ?? 0) + 1);
      totals.documents++;
      totals.sentences += sentences;
      totals.terms += length;
    },
    flush(): void {
      for (const [term, documents] of byTerm) addTerm.run(term, documents);
      for (const [name, by] of Object.entries({ ...totals, revision: 1 })) addTotal.run(by, name);
      byTerm.clear();
      totals = { documents: 0, sentences: 0, terms: 0 };
    },
  };
}
