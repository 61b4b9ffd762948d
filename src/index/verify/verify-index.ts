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
import { readModel } from '../index-facts.ts';
import { type PostingsBlock, prepareReadIndexedUpTo } from '../lexical/postings.ts';
import { isOtherContent } from '../unless-damaged.ts';
import {
  type CheckedDocument,
  createIndexCheck,
  startReport,
  type VerifyReport,
} from './create-index-check.ts';
import { verifyInvertedLists } from './verify-inverted-lists.ts';
import { attempt, type ReportProblem } from './verify-merged.ts';
import { verifyRecords } from './verify-records.ts';
import { verifyTitleIndex } from './verify-title-index.ts';

/**
 * Verifies the whole index. `onProgress` gets the number of verified documents. If the connection cannot
 * write, the full text is not compared with the documents.
 */
export function verifyIndex(
  db: Connection,
  { problemsMax, onProgress }: { problemsMax: number; onProgress?: (done: number) => void },
): VerifyReport {
  const { report, problem } = startReport(problemsMax);
  const verifyDocuments = (dimensions: number): void => {
    const readRow = db.prepare(
      `SELECT d.*, s.packed AS forwardEntry FROM documents d
       LEFT JOIN signals s ON s.document = d.number WHERE d.number = ?`,
    );
    const indexedUpTo = prepareReadIndexedUpTo(db)();
    const check = createIndexCheck({ report, dimensions, indexedUpTo, problem });
    let areAllRead = true;
    for (const number of documentNumbers(db)) {
      const unreadable = `document ${number}: what is stored of it cannot be read`;
      const isRead = attempt(unreadable, problem, () => {
        const row = readRow.get(number) as CheckedDocument | undefined;
        // A number without a document is one that was removed, or index_facts counts one more.
        if (row !== undefined) check.document(row);
      });
      areAllRead &&= isRead;
      if (number % 1000 === 0) onProgress?.(report.documents);
    }
    // Without these documents, every count would be wrong.
    if (!areAllRead) return;
    for (const { term, documents } of termCounts(db)) check.count(term, documents);
    for (const block of postingsOf(db)) check.block(block);
    check.finish(verifyFacts(db, problem));
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

/** Checks that the counters are there by which readers notice changes. Returns all facts. */
function verifyFacts(db: Connection, problem: ReportProblem): Record<string, unknown> {
  const rows = db.prepare('SELECT name, value FROM index_facts').raw().all();
  const facts = Object.fromEntries(rows as [name: string, value: unknown][]);
  for (const name of ['revision', 'centroids', 'arranged', 'listed']) {
    if (!Number.isInteger(facts[name])) {
      problem(`the fact "${name}" is not a number: ${facts[name]}`);
    }
  }
  return facts;
}

function verifyFile(db: Connection, problem: ReportProblem): void {
  for (const text of integrityProblems(db)) problem(text);
}

/**
 * SQLite counts this check as a write, although it changes nothing: writers wait while it runs, and a
 * read-only file goes without.
 */
function verifyFullText(db: Connection, problem: ReportProblem): void {
  if (db.readonly) return;
  try {
    // Rank 1 compares the full-text index with the text of the documents, word by word.
    db.exec("INSERT INTO documents_text (documents_text, rank) VALUES ('integrity-check', 1)");
  } catch (error) {
    problem(`the full text does not match the documents: ${messageOf(error)}`);
  }
}
