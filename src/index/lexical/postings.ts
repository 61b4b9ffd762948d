/**
 * Postings: for each term the documents that contain it. FTS5 has them too, but returns them one by
 * one, at a sixth of a microsecond each: for thousands of documents that is a sixth of a search.
 * These postings are read in one step.
 *
 * A postings list is divided into blocks by document number, 65,536 numbers each. So a document
 * takes two bytes, and appending to a list does not rewrite all of it:
 *
 *   uint16 document - 65,536 * block, little-endian, ascending
 *
 * The postings cover exactly the documents up to a watermark, the fact `listed`. Later documents
 * are in FTS5 alone until extend-postings.ts reaches them. A block may already name documents
 * behind the watermark, because an extension writes its blocks before it moves the watermark.
 */

import type { Connection } from '../../database/sqlite/connection.ts';
import type { Term } from '../../text/terms.ts';
import type { DocumentNumber } from '../../types.ts';
import { type TermVector, termsIn } from './term-vectors.ts';

const BLOCK_DOCUMENTS = 2 ** 16;
const BYTES = 2;

/** A stored block of a postings list. */
export interface PostingsBlock {
  block: number;
  documents: Buffer;
}

export function blockOf(document: DocumentNumber): number {
  return Math.floor(document / BLOCK_DOCUMENTS);
}

/** Encodes ascending documents of one block. */
export function encodeBlock(documents: readonly DocumentNumber[]): Buffer {
  const blob = Buffer.alloc(BYTES * documents.length);
  for (const [i, document] of documents.entries()) {
    blob.writeUInt16LE(document % BLOCK_DOCUMENTS, BYTES * i);
  }
  return blob;
}

export function decodeBlock(stored: PostingsBlock): DocumentNumber[] {
  return Array.from({ length: stored.documents.length / BYTES }, (_, at) => documentAt(stored, at));
}

/** Returns the encoded documents up to `last`. */
export function upTo(last: DocumentNumber, stored: PostingsBlock): Buffer {
  return stored.documents.subarray(0, BYTES * countUpTo(last, stored));
}

/** Returns the encoded documents without this one. */
export function without(document: DocumentNumber, stored: PostingsBlock): Buffer {
  const count = countUpTo(document, stored);
  const { documents } = stored;
  if (count === 0 || documentAt(stored, count - 1) !== document) return documents;
  return Buffer.concat([
    documents.subarray(0, BYTES * (count - 1)),
    documents.subarray(BYTES * count),
  ]);
}

function documentAt({ block, documents }: PostingsBlock, at: number): DocumentNumber {
  return block * BLOCK_DOCUMENTS + documents.readUInt16LE(BYTES * at);
}

function countUpTo(last: DocumentNumber, stored: PostingsBlock): number {
  let low = 0;
  let high = stored.documents.length / BYTES;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (documentAt(stored, middle) <= last) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Returns a function that reads the watermark: the last document that the postings cover. */
export function prepareReadIndexedUpTo(db: Connection): () => DocumentNumber {
  const read = db.prepare("SELECT value FROM index_facts WHERE name = 'listed'").pluck();
  return () => read.get() as DocumentNumber;
}

/** Returns a function that moves the watermark. */
export function prepareWriteIndexedUpTo(db: Connection): (last: DocumentNumber) => void {
  const write = db.prepare("UPDATE index_facts SET value = ? WHERE name = 'listed'");
  return (last) => write.run(last);
}

/** Returns a function that reads the first `most` documents of a term up to `last`, ascending. */
export function createPostingsReader(
  db: Connection,
): (term: Term, last: DocumentNumber, most: number) => Uint32Array {
  const read = db
    .prepare('SELECT part, documents FROM postings WHERE term = ? ORDER BY part')
    .raw();
  return (term, last, most) => {
    const blocks = (read.all(term) as [block: number, documents: Buffer][]).map(
      ([block, documents]) => ({ block, documents: upTo(last, { block, documents }) }),
    );
    const length = blocks.reduce((sum, { documents }) => sum + documents.length / BYTES, 0);
    const found = new Uint32Array(Math.min(length, most));
    let size = 0;
    for (const { block, documents } of blocks) {
      const first = block * BLOCK_DOCUMENTS;
      for (let at = 0; at < documents.length && size < found.length; at += BYTES) {
        // Twice as fast as `readUInt16LE`.
        const offset = (documents[at] as number) | ((documents[at + 1] as number) << 8);
        found[size++] = first + offset;
      }
    }
    return found;
  };
}

/** Keeps the postings correct as documents are added and removed, as steps of a transaction. */
export function createPostingsWriter(db: Connection) {
  const readIndexedUpTo = prepareReadIndexedUpTo(db);
  const writeIndexedUpTo = prepareWriteIndexedUpTo(db);
  const read = db.prepare('SELECT documents FROM postings WHERE term = ? AND part = ?').pluck();
  const write = db.prepare('UPDATE postings SET documents = ? WHERE term = ? AND part = ?');
  const remove = db.prepare('DELETE FROM postings WHERE term = ? AND part = ?');
  return {
    /** Notes a new document, whose number is greater than all others. */
    added(document: DocumentNumber): void {
      // SQLite reuses the number of the last document after its deletion.
      if (document <= readIndexedUpTo()) writeIndexedUpTo(document - 1);
    },
    /** Removes a document with these terms from the postings. */
    remove(document: DocumentNumber, terms: TermVector): void {
      const block = blockOf(document);
      for (const term of termsIn(terms)) {
        const documents = read.get(term, block) as Buffer | undefined;
        if (documents === undefined) continue;
        const kept = without(document, { block, documents });
        if (kept.length === 0) remove.run(term, block);
        else if (kept.length < documents.length) write.run(kept, term, block);
      }
    },
  };
}
