/**
 * Checks an index against itself: text and sentences, full text, totals, and the file; vectors and
 * terms in verify-signals.ts, postings in verify-postings.ts, cells in verify-cells.ts, what
 * documents are made of in verify-records.ts.
 */
import Database from 'better-sqlite3';
import { messageOf } from '../../../errors.ts';
import { contentHash } from '../../../identity/kept-record.ts';
import { sentencesOf } from '../../../text/quotable.ts';
import { isSectionLabel } from '../../../text/split-sentences.ts';
import type { SentenceSpan } from '../../../types.ts';
import type { Connection } from '../../database/connection.ts';
import { readModel, type TotalsChange } from '../index-facts.ts';
import { unpackSpans } from '../sentence-spans.ts';
import { createSignalsCheck } from './verify-forward-index.ts';
import { verifyCells } from './verify-inverted-lists.ts';
import { createPostingsCheck } from './verify-postings.ts';
import { verifyRecords } from './verify-records.ts';

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
  packed: Buffer | null;
}

/** Verifies the whole index; `onProgress` gets the documents done. Needs a store that may write. */
export function verifyIndex(
  db: Connection,
  { problemsMax, onProgress }: { problemsMax: number; onProgress?: (done: number) => void },
): VerifyReport {
  const report: VerifyReport = { documents: 0, sentences: 0, problems: [] };
  const problem = (text: string): void => {
    if (report.problems.length < problemsMax) report.problems.push(text);
  };
  const verifyDocuments = (dimensions: number): void => {
    const postings = createPostingsCheck(db, problem);
    const onTerms = postings.document;
    const signals = createSignalsCheck({ dimensions, problem, onTerms });
    for (const row of documentRows(db)) {
      const spans = unpackSpans(row.sentence_spans);
      verifyText(row, spans, problem);
      signals.document({ ...row, spans });
      report.documents++;
      report.sentences += spans.length;
      if (report.documents % 1000 === 0) onProgress?.(report.documents);
    }
    signals.counts(db);
    postings.finish();
    verifyFacts(db, { ...report, terms: signals.terms() }, problem);
  };
  const inOneView = db.transaction(() => {
    const dimensions = readModel(db)?.dimensions ?? 0;
    verifyDocuments(dimensions);
    verifyCells(db, dimensions, problem);
    verifyRecords(db, problem);
  });
  for (const step of [
    () => verifyFile(db, problem),
    () => verifyFullText(db, problem),
    inOneView,
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

function documentRows(db: Connection): IterableIterator<Row> {
  return db
    .prepare(
      `SELECT d.*, s.packed FROM documents d
       LEFT JOIN signals s ON s.document = d.number ORDER BY d.number`,
    )
    .iterate() as IterableIterator<Row>;
}

function verifyText(
  row: Row,
  spans: readonly SentenceSpan[],
  problem: (text: string) => void,
): void {
  let end = 0;
  for (const span of spans) {
    const sentence = row.abstract.slice(span.start, span.end);
    const isInPlace = span.start >= end && span.end <= row.abstract.length;
    if (!isInPlace || sentence === '' || sentence !== sentence.trim()) {
      problem(`${row.id}: no sentence stands at ${span.start} to ${span.end} of its abstract`);
    }
    if (!isWithoutSentence(row.abstract.slice(end, span.start))) {
      problem(`${row.id}: text before ${span.start} belongs to no sentence`);
    }
    end = span.end;
  }
  if (!isWithoutSentence(row.abstract.slice(end)))
    problem(`${row.id}: text after the last sentence`);
  if (!hashOf(row)?.equals(row.content_hash)) {
    problem(`${row.id}: its fields are not those that were indexed`);
  }
}

/** Whether a stretch of text between sentences is white space, labels of sections, or boilerplate. */
function isWithoutSentence(text: string): boolean {
  const paragraphs = text.trim().split(/\n\s*\n/);
  return paragraphs.every((one) => isSectionLabel(one) || sentencesOf(one).length === 0);
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

/** The totals, and that the numbers are there that tell readers of changes. */
function verifyFacts(db: Connection, counted: TotalsChange, problem: (text: string) => void): void {
  const read = db.prepare('SELECT value FROM index_facts WHERE name = ?').pluck();
  for (const name of ['documents', 'sentences', 'terms'] as const) {
    const stored = read.get(name);
    if (stored === counted[name]) continue;
    problem(`the totals say ${stored ?? 'no'} ${name}, counted are ${counted[name]}`);
  }
  for (const name of ['revision', 'centres', 'arranged', 'listed']) {
    const stored = read.get(name);
    if (!Number.isInteger(stored)) problem(`the fact "${name}" is no number: ${stored}`);
  }
}

function verifyFile(db: Connection, problem: (text: string) => void): void {
  for (const text of db.prepare('PRAGMA integrity_check').pluck().all()) {
    if (text !== 'ok') problem(`SQLite: ${text}`);
  }
  for (const row of db.prepare('PRAGMA foreign_key_check').all()) {
    problem(`SQLite: a row refers to one that is not there: ${JSON.stringify(row)}`);
  }
}

/** SQLite counts the check as a write, though it changes nothing: writers wait while it runs. */
function verifyFullText(db: Connection, problem: (text: string) => void): void {
  try {
    // Rank 1 compares the full-text index with the documents' text, word by word.
    db.exec("INSERT INTO documents_text (documents_text, rank) VALUES ('integrity-check', 1)");
  } catch (error) {
    problem(`full text and documents disagree: ${messageOf(error)}`);
  }
}
