/**
 * Checks that an index in an SQLite file is consistent: full text, totals, and the file here; text and
 * sentences, the forward index, the postings, the inverted lists, the records and the title index in the
 * other files of this folder.
 */
import Database from 'better-sqlite3';
import type { Connection } from '../../database/sqlite/connection.ts';
import { integrityProblems } from '../../database/sqlite/integrity.ts';
import { messageOf } from '../../errors.ts';
import type { Term } from '../../text/terms.ts';
import { documentNumbers } from '../document-numbers.ts';
import { readModel, type TotalsChange } from '../index-facts.ts';
import { type PostingsBlock, prepareReadIndexedUpTo } from '../lexical/postings.ts';
import { decodeSpans } from '../sentence-spans.ts';
import { isOtherContent } from '../unless-damaged.ts';
import { createForwardIndexCheck } from './verify-forward-index.ts';
import { verifyInvertedLists } from './verify-inverted-lists.ts';
import { attempt } from './verify-merged.ts';
import { createPostingsCheck } from './verify-postings.ts';
import { verifyRecords } from './verify-records.ts';
import { verifyText } from './verify-text.ts';
import { verifyTitleIndex } from './verify-title-index.ts';

export interface VerifyReport {
  documents: number;
  sentences: number;
  /** One sentence per defect, at most `problemsMax`. Empty if the index is sound. */
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
  forwardEntry: Buffer | null;
}

/**
 * Verifies the whole index. `onProgress` gets the number of verified documents. If the connection cannot
 * write, the full text is not compared with the documents.
 */
export function verifyIndex(
  db: Connection,
  { problemsMax, onProgress }: { problemsMax: number; onProgress?: (done: number) => void },
): VerifyReport {
  const report: VerifyReport = { documents: 0, sentences: 0, problems: [] };
  const problem = (text: string): void => {
    if (report.problems.length < problemsMax) report.problems.push(text);
  };
  const verifyDocuments = (dimensions: number): void => {
    const readRow = db.prepare(
      `SELECT d.*, s.packed AS forwardEntry FROM documents d
       LEFT JOIN signals s ON s.document = d.number WHERE d.number = ?`,
    );
    const postings = createPostingsCheck(prepareReadIndexedUpTo(db)(), problem);
    const onTerms = postings.document;
    const forwardIndex = createForwardIndexCheck({ dimensions, problem, onTerms });
    let areAllRead = true;
    for (const number of documentNumbers(db)) {
      const unreadable = `document ${number}: what is stored of it cannot be read`;
      const isRead = attempt(unreadable, problem, () => {
        const row = readRow.get(number) as Row | undefined;
        // A number without a document is one that was removed, or index_facts counts one more.
        if (row === undefined) return;
        const spans = decodeSpans(row.sentence_spans);
        verifyText(row, spans, problem);
        forwardIndex.document({ ...row, spans });
        report.documents++;
        report.sentences += spans.length;
      });
      areAllRead &&= isRead;
      if (number % 1000 === 0) onProgress?.(report.documents);
    }
    // Without these documents, every count would be wrong.
    if (!areAllRead) return;
    for (const { term, documents } of termCounts(db)) forwardIndex.count(term, documents);
    forwardIndex.finish();
    for (const block of postingsOf(db)) postings.block(block);
    postings.finish();
    verifyFacts(db, { ...report, terms: forwardIndex.terms() }, problem);
  };
  // Damage must not keep the other steps from finding more.
  const run = (step: () => void): void => {
    try {
      step();
    } catch (error) {
      if (error instanceof Database.SqliteError) problem(`SQLite: ${error.message}`);
      else if (isOtherContent(error)) problem(`a check ended early: ${error.message}`);
      else throw error;
    }
  };
  run(() => verifyFile(db, problem));
  run(() => verifyFullText(db, problem));
  const inOneView = db.transaction(() => {
    const dimensions = readModel(db)?.dimensions ?? 0;
    run(() => verifyDocuments(dimensions));
    run(() => verifyInvertedLists(db, dimensions, problem));
    run(() => verifyRecords(db, problem));
    run(() => verifyTitleIndex(db, problem));
  });
  run(inOneView);
  return report;
}

function termCounts(db: Connection): Iterable<{ term: Term; documents: number }> {
  const rows = db.prepare('SELECT term, documents FROM term_counts').iterate();
  return rows as Iterable<{ term: Term; documents: number }>;
}

function postingsOf(db: Connection): Iterable<PostingsBlock & { term: Term }> {
  const rows = db.prepare('SELECT term, part AS block, documents FROM postings').iterate();
  return rows as Iterable<PostingsBlock & { term: Term }>;
}

/** Checks the totals, and that the counters are there by which readers notice changes. */
function verifyFacts(db: Connection, counted: TotalsChange, problem: (text: string) => void): void {
  const read = db.prepare('SELECT value FROM index_facts WHERE name = ?').pluck();
  for (const name of ['documents', 'sentences', 'terms'] as const) {
    const stored = read.get(name);
    if (stored === counted[name]) continue;
    problem(`the index has ${counted[name]} ${name}, but index_facts says ${stored ?? 'nothing'}`);
  }
  for (const name of ['revision', 'centroids', 'arranged', 'listed']) {
    const stored = read.get(name);
    if (!Number.isInteger(stored)) problem(`the fact "${name}" is not a number: ${stored}`);
  }
}

function verifyFile(db: Connection, problem: (text: string) => void): void {
  for (const text of integrityProblems(db)) problem(text);
}

/**
 * SQLite counts this check as a write, although it changes nothing: writers wait while it runs, and a
 * read-only file goes without.
 */
function verifyFullText(db: Connection, problem: (text: string) => void): void {
  if (db.readonly) return;
  try {
    // Rank 1 compares the full-text index with the text of the documents, word by word.
    db.exec("INSERT INTO documents_text (documents_text, rank) VALUES ('integrity-check', 1)");
  } catch (error) {
    problem(`the full text does not match the documents: ${messageOf(error)}`);
  }
}
