/**
 * Postings: for each term the documents that have it. FTS5 knows them too, but hands them on one by
 * one, a sixth of a microsecond each, which for some thousand documents is a sixth of a search.
 * These lists are read in one step.
 *
 * A list is cut into parts by document number, 65,536 numbers each, so that a document takes two
 * bytes and adding to the end of a list does not write all of it anew:
 *
 *   uint16 document - 65,536 * part, little-endian, ascending
 *
 * They hold the documents up to one that is the last `listed`, all of them and no others; what was
 * added since is in FTS5 alone until extend-postings.ts has come to it. Behind the last listed one a
 * part may name documents already: an extension writes its lists before it moves that mark.
 */
import type { Term } from '../../../text/terms.ts';
import type { DocumentNumber } from '../../../types.ts';
import type { Connection } from '../../database/connection.ts';
import { type TermVector, termAt } from './term-vectors.ts';

const PART_DOCUMENTS = 2 ** 16;
const BYTES = 2;

/** The documents of one part of a list, as they are stored. */
export interface StoredPart {
  part: number;
  documents: Buffer;
}

export function partOf(document: DocumentNumber): number {
  return Math.floor(document / PART_DOCUMENTS);
}

/** Documents of one part, ascending. */
export function packPart(documents: readonly DocumentNumber[]): Buffer {
  const packed = Buffer.alloc(BYTES * documents.length);
  for (const [i, document] of documents.entries()) {
    packed.writeUInt16LE(document % PART_DOCUMENTS, BYTES * i);
  }
  return packed;
}

export function unpackPart(stored: StoredPart): DocumentNumber[] {
  return Array.from({ length: stored.documents.length / BYTES }, (_, at) => documentAt(stored, at));
}

/** The documents up to the last one, as they are stored. */
export function upTo(last: DocumentNumber, stored: StoredPart): Buffer {
  return stored.documents.subarray(0, BYTES * countUpTo(last, stored));
}

/** The documents without this one. */
function without(document: DocumentNumber, stored: StoredPart): Buffer {
  const count = countUpTo(document, stored);
  const { documents } = stored;
  if (count === 0 || documentAt(stored, count - 1) !== document) return documents;
  return Buffer.concat([
    documents.subarray(0, BYTES * (count - 1)),
    documents.subarray(BYTES * count),
  ]);
}

function documentAt({ part, documents }: StoredPart, at: number): DocumentNumber {
  return part * PART_DOCUMENTS + documents.readUInt16LE(BYTES * at);
}

function countUpTo(last: DocumentNumber, stored: StoredPart): number {
  let low = 0;
  let high = stored.documents.length / BYTES;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (documentAt(stored, middle) <= last) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Returns a function that reads the last listed document. */
export function prepareReadListed(db: Connection): () => DocumentNumber {
  const read = db.prepare("SELECT value FROM index_facts WHERE name = 'listed'").pluck();
  return () => read.get() as DocumentNumber;
}

/** Returns a function that moves that mark. */
export function prepareWriteListed(db: Connection): (last: DocumentNumber) => void {
  const write = db.prepare("UPDATE index_facts SET value = ? WHERE name = 'listed'");
  return (last) => write.run(last);
}

/** Returns a function that reads the first `most` listed documents that have a term, ascending. */
export function createPostingsReader(
  db: Connection,
): (term: Term, last: DocumentNumber, most: number) => Uint32Array {
  const read = db
    .prepare('SELECT part, documents FROM postings WHERE term = ? ORDER BY part')
    .raw();
  return (term, last, most) => {
    const parts = (read.all(term) as [part: number, documents: Buffer][]).map(
      ([part, documents]) => ({ part, documents: upTo(last, { part, documents }) }),
    );
    const length = parts.reduce((sum, { documents }) => sum + documents.length / BYTES, 0);
    const found = new Uint32Array(Math.min(length, most));
    let size = 0;
    for (const { part, documents } of parts) {
      const first = part * PART_DOCUMENTS;
      for (let at = 0; at < documents.length && size < found.length; at += BYTES) {
        // Twice as fast as `readUInt16LE`.
        const offset = (documents[at] as number) | ((documents[at + 1] as number) << 8);
        found[size++] = first + offset;
      }
    }
    return found;
  };
}

/** Keeps the lists true while documents come and go; each call is a step of a transaction. */
export interface PostingsWriter {
  /** Is told of a new document, whose number is above all others'. */
  added(document: DocumentNumber): void;
  /** Takes a document with these terms out of the lists. */
  remove(document: DocumentNumber, terms: TermVector): void;
}

export function createPostingsWriter(db: Connection): PostingsWriter {
  const readListed = prepareReadListed(db);
  const writeListed = prepareWriteListed(db);
  const read = db.prepare('SELECT documents FROM postings WHERE term = ? AND part = ?').pluck();
  const write = db.prepare('UPDATE postings SET documents = ? WHERE term = ? AND part = ?');
  const remove = db.prepare('DELETE FROM postings WHERE term = ? AND part = ?');
  return {
    added(document) {
      // The number of the last document is given again when that has gone.
      if (document <= readListed()) writeListed(document - 1);
    },
    remove(document, terms) {
      const part = partOf(document);
      for (let at = 0; at < terms.size; at++) {
        const term = termAt(terms, at);
        const documents = read.get(term, part) as Buffer | undefined;
        if (documents === undefined) continue;
        const kept = without(document, { part, documents });
        if (kept.length === 0) remove.run(term, part);
        else if (kept.length < documents.length) write.run(kept, term, part);
      }
    },
  };
}
