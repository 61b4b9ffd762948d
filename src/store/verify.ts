/** Checks an index against itself: text, sentences, vectors, full text, totals, and the file. */
import Database from 'better-sqlite3';
import { messageOf } from '../errors.ts';
import type { Embedding } from '../types.ts';
import { embeddingCount, FIRST_SENTENCE, unpackEmbeddings } from './embeddings.ts';
import { readModel, readTotals } from './index-facts.ts';
import { contentHash } from './index-writer.ts';
import type { Store } from './open.ts';
import { unpackSpans } from './sentence-spans.ts';

export interface VerifyReport {
  documents: number;
  sentences: number;
  /** One sentence a defect; empty where the index is sound. At most `problemsMax`. */
  problems: string[];
}

interface Row {
  number: number;
  id: string;
  title: string;
  abstract: string;
  year: number;
  authors: string;
  venue: string;
  content_hash: Buffer;
  sentence_spans: Buffer;
  vectors: Buffer | null;
  bits: Buffer | null;
}

/** Stored unit vectors are rounded to int8: their length may differ from 1 by so much. */
const LENGTH_TOLERANCE = 0.02;

/** Verifies the whole index; `onProgress` gets the documents done. Needs a store that may write. */
export function verifyIndex(
  db: Store,
  { problemsMax, onProgress }: { problemsMax: number; onProgress?: (done: number) => void },
): VerifyReport {
  const report: VerifyReport = { documents: 0, sentences: 0, problems: [] };
  const problem = (text: string): void => {
    if (report.problems.length < problemsMax) report.problems.push(text);
  };
  const verifyDocuments = db.transaction(() => {
    const dimensions = readModel(db)?.dimensions ?? 0;
    for (const row of documentRows(db)) {
      report.documents++;
      report.sentences += verifyDocument(row, dimensions, problem);
      if (report.documents % 1000 === 0) onProgress?.(report.documents);
    }
    verifyTotals(db, report, problem);
  });
  for (const step of [
    () => verifyFile(db, problem),
    () => verifyFullText(db, problem),
    verifyDocuments,
  ]) {
    try {
      step();
    } catch (error) {
      // A damaged page: the other steps may still find what else is wrong.
      if (!(error instanceof Database.SqliteError)) throw error;
      problem(`SQLite: ${error.message}`);
    }
  }
  return report;
}

function documentRows(db: Store): IterableIterator<Row> {
  return db
    .prepare(
      `SELECT d.*, e.vectors, s.bits FROM documents d
       LEFT JOIN embeddings e ON e.document = d.number
       LEFT JOIN signatures s ON s.document = d.number ORDER BY d.number`,
    )
    .iterate() as IterableIterator<Row>;
}

/** Returns the number of the document's sentences. */
function verifyDocument(row: Row, dimensions: number, problem: (text: string) => void): number {
  const spans = unpackSpans(row.sentence_spans);
  let end = 0;
  for (const span of spans) {
    const sentence = row.abstract.slice(span.start, span.end);
    const isInPlace = span.start >= end && span.end <= row.abstract.length;
    if (!isInPlace || sentence === '' || sentence !== sentence.trim()) {
      problem(`${row.id}: no sentence stands at ${span.start} to ${span.end} of its abstract`);
    }
    if (row.abstract.slice(end, span.start).trim() !== '') {
      problem(`${row.id}: text before ${span.start} belongs to no sentence`);
    }
    end = span.end;
  }
  if (row.abstract.slice(end).trim() !== '') problem(`${row.id}: text after the last sentence`);
  if (!hashOf(row)?.equals(row.content_hash)) {
    problem(`${row.id}: its fields are not those that were indexed`);
  }
  verifyVectors(row, spans.length + FIRST_SENTENCE, dimensions, problem);
  return spans.length;
}

/** The hash of the fields as they are now; undefined where the authors cannot be read. */
function hashOf(row: Row): Buffer | undefined {
  try {
    return contentHash({ ...row, authors: JSON.parse(row.authors) });
  } catch {
    // Whatever the text is, it is not what was written.
    return undefined;
  }
}

function verifyVectors(
  row: Row,
  expected: number,
  dimensions: number,
  problem: (text: string) => void,
): void {
  const count = row.vectors === null ? 0 : embeddingCount(row.vectors, dimensions);
  if (row.vectors === null || count !== expected) {
    problem(`${row.id}: ${expected} vectors expected, ${count} stored`);
    return;
  }
  const vectors = unpackEmbeddings(row.vectors, dimensions);
  for (const [index, vector] of vectors.entries()) {
    const length = Math.hypot(...vector);
    if (!(Math.abs(length - 1) < LENGTH_TOLERANCE)) {
      problem(`${row.id}: vector ${index} has the length ${length.toFixed(3)}, not 1`);
    }
  }
  if (row.bits?.length !== Math.ceil(dimensions / 8)) problem(`${row.id}: no signature`);
  else if (!isSignatureOf(row.bits, vectors[0] as Embedding)) {
    problem(`${row.id}: the signature is not that of its vector`);
  }
}

/** A component that was rounded to 0 no longer tells its sign. */
function isSignatureOf(bits: Buffer, vector: Embedding): boolean {
  return vector.every((component, i) => {
    const bit = ((bits[i >> 3] as number) >> (i & 7)) & 1;
    return component === 0 || bit === (component > 0 ? 1 : 0);
  });
}

function verifyTotals(db: Store, report: VerifyReport, problem: (text: string) => void): void {
  const totals = readTotals(db);
  if (totals.documents !== report.documents || totals.sentences !== report.sentences) {
    problem(
      `the totals say ${totals.documents} documents and ${totals.sentences} sentences, ` +
        `counted are ${report.documents} and ${report.sentences}`,
    );
  }
}

function verifyFile(db: Store, problem: (text: string) => void): void {
  for (const text of db.prepare('PRAGMA integrity_check').pluck().all()) {
    if (text !== 'ok') problem(`SQLite: ${text}`);
  }
  for (const row of db.prepare('PRAGMA foreign_key_check').all()) {
    problem(`SQLite: a row refers to one that is not there: ${JSON.stringify(row)}`);
  }
}

/** SQLite counts the check as a write, though it changes nothing: writers wait while it runs. */
function verifyFullText(db: Store, problem: (text: string) => void): void {
  try {
    // Rank 1 compares the full-text index with the documents' text, word by word.
    db.exec("INSERT INTO documents_text (documents_text, rank) VALUES ('integrity-check', 1)");
  } catch (error) {
    problem(`full text and documents disagree: ${messageOf(error)}`);
  }
}
