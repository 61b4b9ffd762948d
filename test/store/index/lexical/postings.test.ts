/** The postings as lists, and how they come to name each document once. */
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Connection } from '../../../../src/store/database/connection.ts';
import { createIndexWriter } from '../../../../src/store/index/documents/index-writer.ts';
import { extendPostings } from '../../../../src/store/index/lexical/extend-postings.ts';
import {
  createPostingsReader,
  packPart,
  partOf,
  prepareReadListed,
  unpackPart,
  upTo,
} from '../../../../src/store/index/lexical/postings.ts';
import { termOf } from '../../../../src/text/terms.ts';
import { scratchFolder } from '../../../ingest/index-files.ts';
import { addDocuments, emptyIndex, expectSound, memoryIndex, toyIndexed } from '../memory-index.ts';

const FIRST_OF_NEXT_PART = 65_536;
const DOCUMENTS = ['tide', 'moon', 'tide moon', 'shore', 'moon shore'].map((title, i) => ({
  id: `${i}`,
  title,
}));

describe('a part of a list', () => {
  const within = fc.uniqueArray(fc.nat({ max: FIRST_OF_NEXT_PART - 1 }), { maxLength: 40 });

  it('comes back as it was packed, and is cut behind any document', () => {
    fc.assert(
      fc.property(within, fc.nat({ max: 20 }), fc.nat(), (offsets, part, last) => {
        const documents = offsets
          .map((offset) => part * FIRST_OF_NEXT_PART + offset)
          .sort((a, b) => a - b);
        expect(new Set(documents.map(partOf)).size).toBeLessThanOrEqual(1);
        const stored = { part, documents: packPart(documents) };
        expect(unpackPart(stored)).toEqual(documents);
        expect(unpackPart({ part, documents: upTo(last, stored) })).toEqual(
          documents.filter((document) => document <= last),
        );
      }),
    );
  });
});

describe('extendPostings', () => {
  it('lists the documents of each term, and tells how far it is', () => {
    const db = filled();
    const shares = extend(db);
    expect(shares).toEqual([...shares].sort((a, b) => a - b));
    expect(shares.at(-1)).toBe(1);
    expect(listed(db)).toBe(5);
    expect(documentsOf(db, 'tide')).toEqual([1, 3]);
    expect(documentsOf(db, 'moons')).toEqual([2, 3, 5]);
    expect(documentsOf(db, 'zebra')).toEqual([]);
    expect(extend(db)).toEqual([]);
    expectSound(db);
  });

  it('adds what has come since', () => {
    const db = filled();
    extend(db);
    addDocuments(db, [{ id: 'late', title: 'tide' }]);
    expect(documentsOf(db, 'tide')).toEqual([1, 3]);
    extend(db);
    expect(documentsOf(db, 'tide')).toEqual([1, 3, 6]);
    expectSound(db);
  });

  it('lists nobody twice where it was left in between', () => {
    const db = filled();
    const steps = extendPostings(db);
    steps.next();
    expect(listed(db)).toBe(0);
    expect(documentsOf(db, 'tide')).toEqual([]);
    expectSound(db);
    addDocuments(db, [{ id: 'late', title: 'tide' }]);
    extend(db);
    expect(documentsOf(db, 'tide')).toEqual([1, 3, 6]);
    expectSound(db);
  });

  it('goes on from one part to the next', () => {
    const db = memoryIndex();
    // What comes after it is numbered from there on.
    const first = FIRST_OF_NEXT_PART - 3;
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
    expect(listed(db)).toBe(first + 5);
    expectSound(db);
  });

  it('begins its round again where another one has written meanwhile', async () => {
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

  it('has nothing to do in an empty index', () => {
    const db = memoryIndex();
    expect(extend(db)).toEqual([]);
    expectSound(db);
  });
});

describe('listed documents', () => {
  it('leave the lists when they are removed or get other texts', () => {
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

  it('do not give their place to the next one of the same number', () => {
    const db = filled();
    extend(db);
    createIndexWriter(db).remove(['3', '4']);
    addDocuments(db, [{ id: 'late', title: 'tide' }]);
    expect(db.prepare("SELECT number FROM documents WHERE id = 'late'").pluck().get()).toBe(4);
    expect(listed(db)).toBe(3);
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

function listed(db: Connection): number {
  return prepareReadListed(db)();
}

function documentsOf(db: Connection, word: string, most = 100): number[] {
  return Array.from(createPostingsReader(db)(termOf(word), listed(db), most));
}
