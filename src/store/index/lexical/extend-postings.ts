/**
 * Brings the documents that were added since into the postings, in steps: a few thousand documents
 * at a time, so that each list is touched once for many of them, and of these a few lists in each
 * transaction, so that others can write between.
 */
import type { Term } from '../../../text/terms.ts';
import type { DocumentNumber } from '../../../types.ts';
import type { Connection } from '../../database/connection.ts';
import { readSignals } from '../forward-index.ts';
import { prepareReadLastDocument, prepareReviseIndex, readRevision } from '../index-facts.ts';
import { packPart, partOf, prepareReadListed, prepareWriteListed, upTo } from './postings.ts';
import { readTermVector, type TermVector, termAt } from './term-vectors.ts';

/** Documents whose lists are made in memory: some fifty megabytes. */
const DOCUMENTS_PER_ROUND = 8192;
/** Lists that one transaction extends: some milliseconds. */
const LISTS_PER_TRANSACTION = 1000;
/** A term and the place of a document in its round, as one number below 2^53. */
const NUMBERS_PER_TERM = 2 ** 20;

/** What is to be added to one part of a list. */
interface Addition {
  term: Term;
  documents: DocumentNumber[];
}

interface Round {
  /** The state of the index that it was made from. */
  revision: number;
  additions: Addition[];
  /** The documents are those behind the last listed one, up to this. */
  last: DocumentNumber;
}

/**
 * Gives the share of the documents that is done. May be left at any point, and goes on from there:
 * what a round has written stands behind the mark until its last step.
 */
export function* extendPostings(db: Connection): Generator<number> {
  const readListed = prepareReadListed(db);
  const writeListed = prepareWriteListed(db);
  const revisionNow = readRevision(db);
  const revise = prepareReviseIndex(db);
  const gather = prepareGather(db);
  const extend = prepareExtend(db);
  const readLast = prepareReadLastDocument(db);
  /** Does the work where the round still says what is in the index. */
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
        for (const addition of some) extend(addition, readListed());
      });
      yield readListed() / readLast();
    }
    // Where another connection has changed the index, the round is made again.
    if (!isCurrent) continue;
    inStep(round, () => {
      writeListed(round.last);
      revise({ documents: 0, sentences: 0, terms: 0 });
    });
    yield round.last / readLast();
  }
}

/** Returns a function that makes the next round, undefined where all documents are listed. */
function prepareGather(db: Connection): () => Round | undefined {
  const read = db
    .prepare('SELECT document, packed FROM signals WHERE document > ? ORDER BY document LIMIT ?')
    .raw();
  const readListed = prepareReadListed(db);
  const revisionNow = readRevision(db);
  return () => {
    const rows = read.all(readListed(), DOCUMENTS_PER_ROUND) as [DocumentNumber, Buffer][];
    const [first] = rows;
    if (first === undefined) return undefined;
    // A round stays within one part.
    const some = rows.filter(([document]) => partOf(document) === partOf(first[0]));
    const documents = some.map(([document]) => document);
    const additions = additionsOf(
      documents,
      some.map(([, packed]) => readTermVector(readSignals(packed).terms)),
    );
    return { revision: revisionNow(), additions, last: documents.at(-1) as DocumentNumber };
  };
}

/** The documents of each term, by term. */
function additionsOf(
  documents: readonly DocumentNumber[],
  vectors: readonly TermVector[],
): Addition[] {
  const keys = new Float64Array(vectors.reduce((sum, { size }) => sum + size, 0));
  let size = 0;
  for (const [index, terms] of vectors.entries()) {
    for (let at = 0; at < terms.size; at++) {
      keys[size++] = termAt(terms, at) * NUMBERS_PER_TERM + index;
    }
  }
  const additions: Addition[] = [];
  let last: Addition | undefined;
  // Numbers sort without a comparison function in a typed array, several times as fast.
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

/** Returns a function that puts documents behind the listed ones of a term's part. */
function prepareExtend(db: Connection): (addition: Addition, listed: DocumentNumber) => void {
  const read = db.prepare('SELECT documents FROM postings WHERE term = ? AND part = ?').pluck();
  const write = db.prepare('REPLACE INTO postings (term, part, documents) VALUES (?, ?, ?)');
  return ({ term, documents }, listed) => {
    const part = partOf(documents[0] as DocumentNumber);
    // What stands behind the mark is of a round that was not finished, and goes.
    const stored = read.get(term, part) as Buffer | undefined;
    const kept = stored === undefined ? [] : [upTo(listed, { part, documents: stored })];
    write.run(term, part, Buffer.concat([...kept, packPart(documents)]));
  };
}
