/**
 * Extends the postings to the newest documents in steps. A round takes thousands of documents, so
 * that it writes each list once for many of them. A transaction writes some of these lists, so that
 * others can write in between.
 */

import type { Connection } from '../../database/sqlite/connection.ts';
import type { Term } from '../../text/terms.ts';
import type { DocumentNumber } from '../../types.ts';
import { decodeForwardEntry } from '../forward-index.ts';
import { prepareReadLastDocument, prepareReviseIndex, readRevision } from '../index-facts.ts';
import {
  blockOf,
  encodeBlock,
  prepareReadIndexedUpTo,
  prepareWriteIndexedUpTo,
  upTo,
} from './postings.ts';
import { decodeTermVector, termAt } from './term-vectors.ts';

/** The postings of a round are built in memory: some fifty megabytes. */
const DOCUMENTS_PER_ROUND = 8192;
/** A transaction takes some milliseconds. */
const LISTS_PER_TRANSACTION = 1000;
/** A term and the position of a document in its round make one number below 2^53. */
const NUMBERS_PER_TERM = 2 ** 20;

/** The documents to append to one block of a term. */
export interface Addition {
  term: Term;
  documents: DocumentNumber[];
}

interface Round {
  /** The revision of the index that it was made from. */
  revision: number;
  additions: Addition[];
  /** Its last document. The first one is behind the watermark. */
  last: DocumentNumber;
}

/**
 * Extends the postings and yields the finished share of the documents. The caller may stop at any
 * point and resume later: the blocks of a round stay behind the watermark until its last step.
 */
export function* extendPostings(db: Connection): Generator<number> {
  const readIndexedUpTo = prepareReadIndexedUpTo(db);
  const writeIndexedUpTo = prepareWriteIndexedUpTo(db);
  const revisionNow = readRevision(db);
  const revise = prepareReviseIndex(db);
  const gather = prepareGather(db);
  const extend = prepareExtend(db);
  const readLast = prepareReadLastDocument(db);
  /** Does the work if the index is still at the revision of the round. */
  const inStep = (round: Round, work: () => void): boolean =>
    db
      .transaction(() => {
        const isCurrent = revisionNow() === round.revision;
        if (isCurrent) work();
        return isCurrent;
      })
      .immediate();
  for (;;) {
    const round = db.transaction(gather)();
    if (round === undefined) return;
    let isCurrent = true;
    for (let at = 0; at < round.additions.length && isCurrent; at += LISTS_PER_TRANSACTION) {
      const some = round.additions.slice(at, at + LISTS_PER_TRANSACTION);
      isCurrent = inStep(round, () => {
        for (const addition of some) extend(addition, readIndexedUpTo());
      });
      yield readIndexedUpTo() / readLast();
    }
    // Another connection has changed the index, so the round is built again.
    if (!isCurrent) continue;
    inStep(round, () => {
      writeIndexedUpTo(round.last);
      revise({ documents: 0, sentences: 0, terms: 0 });
    });
    yield round.last / readLast();
  }
}

/** Returns a function that builds the next round, undefined if the postings cover all documents. */
function prepareGather(db: Connection): () => Round | undefined {
  const read = db
    .prepare('SELECT document, packed FROM signals WHERE document > ? ORDER BY document LIMIT ?')
    .raw();
  const readIndexedUpTo = prepareReadIndexedUpTo(db);
  const revisionNow = readRevision(db);
  return () => {
    const rows = read.all(readIndexedUpTo(), DOCUMENTS_PER_ROUND) as [DocumentNumber, Buffer][];
    const [first] = rows;
    if (first === undefined) return undefined;
    // A round stays within one block.
    const some = rows.filter(([document]) => blockOf(document) === blockOf(first[0]));
    const documents = some.map(([document]) => document);
    const additions = additionsOf(
      documents,
      some.map(([, entry]) => decodeTermVector(decodeForwardEntry(entry).terms)),
      termAt,
    );
    return { revision: revisionNow(), additions, last: documents.at(-1) as DocumentNumber };
  };
}

/** Returns the documents of each term, ordered by term. `documents` are ascending. */
export function additionsOf<Terms extends { size: number }>(
  documents: readonly DocumentNumber[],
  vectors: readonly Terms[],
  termOf: (terms: Terms, at: number) => Term,
): Addition[] {
  const keys = new Float64Array(vectors.reduce((sum, { size }) => sum + size, 0));
  let size = 0;
  for (const [index, terms] of vectors.entries()) {
    for (let at = 0; at < terms.size; at++) {
      keys[size++] = termOf(terms, at) * NUMBERS_PER_TERM + index;
    }
  }
  const additions: Addition[] = [];
  let last: Addition | undefined;
  // A typed array sorts numbers without a comparison function, several times as fast.
  for (const key of keys.sort()) {
    const term = Math.floor(key / NUMBERS_PER_TERM);
    if (last?.term !== term) {
      last = { term, documents: [] };
      additions.push(last);
    }
    last.documents.push(documents[key % NUMBERS_PER_TERM] as DocumentNumber);
  }
  return additions;
}

/** Returns a function that appends documents to a block, behind those up to the watermark. */
function prepareExtend(db: Connection): (addition: Addition, indexedUpTo: DocumentNumber) => void {
  const read = db.prepare('SELECT documents FROM postings WHERE term = ? AND part = ?').pluck();
  const write = db.prepare('REPLACE INTO postings (term, part, documents) VALUES (?, ?, ?)');
  return ({ term, documents }, indexedUpTo) => {
    const block = blockOf(documents[0] as DocumentNumber);
    // Documents behind the watermark are from an unfinished round and are dropped.
    const stored = read.get(term, block) as Buffer | undefined;
    const kept = stored === undefined ? [] : [upTo(indexedUpTo, { block, documents: stored })];
    write.run(term, block, Buffer.concat([...kept, encodeBlock(documents)]));
  };
}
