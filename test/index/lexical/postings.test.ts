/** The postings, their extension, and their update on removal. */
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Connection } from '../../../src/database/sqlite/connection.ts';
import { createIndexWriter } from '../../../src/index/documents/index-writer.ts';
import { extendPostings } from '../../../src/index/lexical/extend-postings.ts';
import {
  blockOf,
  createPostingsReader,
  decodeBlock,
  encodeBlock,
  prepareReadIndexedUpTo,
  upTo,
} from '../../../src/index/lexical/postings.ts';
import { termOf } from '../../../src/text/terms.ts';
import { scratchFolder } from '../../ingest/index-files.ts';
import { addDocuments, emptyIndex, expectSound, memoryIndex, toyIndexed } from '../memory-index.ts';

const FIRST_OF_NEXT_BLOCK = 65_536;
const DOCUMENTS = ['tide', 'moon', 'tide moon', 'shore', 'moon shore'].map((title, i) => ({
  id: `${i}`,
  title,
}));

describe('encodeBlock', () => {
  const within = fc.uniqueArray(fc.nat({ max: FIRST_OF_NEXT_BLOCK - 1 }), { maxLength: 40 });

  it('round-trips through decodeBlock and can be cut after any document', () => {
    fc.assert(
      fc.property(within, fc.nat({ max: 20 }), fc.nat(), (offsets, block, last) => {
        const documents = offsets
          .map((offset) => block * FIRST_OF_NEXT_BLOCK + offset)
          .sort((a, b) => a - b);
        expect(new Set(documents.map(blockOf)).size).toBeLessThanOrEqual(1);
        const stored = { block, documents: encodeBlock(documents) };
        expect(decodeBlock(stored)).toEqual(documents);
        expect(decodeBlock({ block, documents: upTo(last, stored) })).toEqual(
          documents.filter((document) => document <= last),
        );
      }),
    );
  });
});

describe('extendPostings', () => {
  it('writes the documents of each term and yields its progress', () => {
    const db = filled();
    const shares = extend(db);
    expect(shares).toEqual([...shares].sort((a, b) => a - b));
    expect(shares.at(-1)).toBe(1);
    expect(watermark(db)).toBe(5);
    expect(documentsOf(db, 'tide')).toEqual([1, 3]);
    expect(documentsOf(db, 'moons')).toEqual([2, 3, 5]);
    expect(documentsOf(db, 'zebra')).toEqual([]);
    expect(extend(db)).toEqual([]);
    expectSound(db);
  });

  it('adds the documents that were added since', () => {
    const db = filled();
    extend(db);
    addDocuments(db, [{ id: 'late', title: 'tide' }]);
    expect(documentsOf(db, 'tide')).toEqual([1, 3]);
    extend(db);
    expect(documentsOf(db, 'tide')).toEqual([1, 3, 6]);
    expectSound(db);
  });

  it('writes no document twice after it was stopped', () => {
    const db = filled();
    const steps = extendPostings(db);
    steps.next();
    expect(watermark(db)).toBe(0);
    expect(documentsOf(db, 'tide')).toEqual([]);
    expectSound(db);
    addDocuments(db, [{ id: 'late', title: 'tide' }]);
    extend(db);
    expect(documentsOf(db, 'tide')).toEqual([1, 3, 6]);
    expectSound(db);
  });

  it('continues from one block to the next', () => {
    const db = memoryIndex();
    // Later documents are numbered from there.
    const first = FIRST_OF_NEXT_BLOCK - 3;
    db.prepare(
      `INSERT INTO documents (number, id, title, abstract, year, authors, venue, content_hash,
         sentence_spans) VALUES (?, 'first', '', '', 0, '[]', '', x'', x'')`,
    ).run(first);
    addDocuments(db, DOCUMENTS);
    db.exec("DELETE FROM documents WHERE id = 'first'");
    extend(db);
    expect(documentsOf(db, 'moon')).toEqual([first + 2, first + 3, first + 5]);
    expect(documentsOf(db, 'moon', 2)).toEqual([first + 2, first + 3]);
    const parts = db.prepare('SELECT DISTINCT part FROM postings ORDER BY part').pluck().all();
    expect(parts).toEqual([0, 1]);
    expect(watermark(db)).toBe(first + 5);
    expectSound(db);
  });

  it('restarts its round if another connection has written in between', async () => {
    const path = join(await scratchFolder(), 'index.db');
    const db = emptyIndex(path);
    addDocuments(db, DOCUMENTS);
    const other = createIndexWriter(emptyIndex(path));
    const steps = extendPostings(db);
    steps.next();
    other.remove(['2']);
    other.write([toyIndexed({ id: 'late', title: 'tide' })]);
    for (const _ of steps);
    expect(documentsOf(db, 'tide')).toEqual([1, 6]);
    expectSound(db);
  });

  it('does nothing in an empty index', () => {
    const db = memoryIndex();
    expect(extend(db)).toEqual([]);
    expectSound(db);
  });
});

describe('createPostingsWriter', () => {
  it('removes documents that are deleted or get other texts', () => {
    const db = filled();
    extend(db);
    createIndexWriter(db).remove(['2']);
    addDocuments(db, [{ id: '1', title: 'shore' }]);
    expect(documentsOf(db, 'tide')).toEqual([1]);
    expect(documentsOf(db, 'moon')).toEqual([5]);
    expectSound(db);
    extend(db);
    expect(documentsOf(db, 'shore')).toEqual([4, 5, 6]);
    expectSound(db);
  });

  it('does not confuse a document with a deleted one of the same number', () => {
    const db = filled();
    extend(db);
    createIndexWriter(db).remove(['3', '4']);
    addDocuments(db, [{ id: 'late', title: 'tide' }]);
    expect(db.prepare("SELECT number FROM documents WHERE id = 'late'").pluck().get()).toBe(4);
    expect(watermark(db)).toBe(3);
    expectSound(db);
    extend(db);
    expect(documentsOf(db, 'tide')).toEqual([1, 3, 4]);
    expect(documentsOf(db, 'shore')).toEqual([]);
    expectSound(db);
  });
});

function filled(): Connection {
  const db = memoryIndex();
  addDocuments(db, DOCUMENTS);
  return db;
}

function extend(db: Connection): number[] {
  return [...extendPostings(db)];
}

function watermark(db: Connection): number {
  return prepareReadIndexedUpTo(db)();
}

function documentsOf(db: Connection, word: string, most = 100): number[] {
  return Array.from(createPostingsReader(db)(termOf(word), watermark(db), most));
}
