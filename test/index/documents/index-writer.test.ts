import { describe, expect, it } from 'vitest';
import type { Connection } from '../../../src/database/sqlite/connection.ts';
import { contentHash } from '../../../src/identity/record-hash.ts';
import { cosinesOf } from '../../../src/index/dense/embeddings.ts';
import { createDocumentReader } from '../../../src/index/documents/documents.ts';
import { createIndexWriter } from '../../../src/index/documents/index-writer.ts';
import type { ForwardEntry } from '../../../src/index/forward-index.ts';
import { readTotals } from '../../../src/index/index-facts.ts';
import { createLexicalRetriever } from '../../../src/index/lexical/lexical-retrieval.ts';
import { termOf } from '../../../src/text/terms.ts';
import type { SourceDocument } from '../../../src/types.ts';
import { dotProductsOf } from '../../../src/vectors/dot-products.ts';
import {
  addDocuments,
  documentOf,
  expectSound,
  memoryIndex,
  TOY_DIMENSIONS,
  toyIndexed,
  toyVector,
} from '../memory-index.ts';

/** Fails between its rows, because all vectors of a document must have the same dimensions. */
const BROKEN = { ...toyIndexed({ id: 'b', title: 'Moon' }), own: new Float32Array(0) };

const WHOLE = documentOf({
  id: '10.5555/tides',
  title: 'Tides',
  abstract: 'It rose. “It fell,” he said.',
  year: 1998,
  authors: ['A. Berg', 'B. Dahl'],
  venue: 'Shore',
});

describe('contentHash', () => {
  it.each<[field: string, change: Partial<SourceDocument>]>([
    ['id', { id: 'b' }],
    ['title', { title: 'Tides ' }],
    ['abstract', { abstract: 'It rose.' }],
    ['year', { year: 1999 }],
    ['authors', { authors: ['A. Berg, B. Dahl'] }],
    ['venue', { venue: '' }],
  ])('differs with another %s', (_, change) => {
    expect(contentHash({ ...WHOLE, ...change })).not.toEqual(contentHash(WHOLE));
  });

  it('is the same for the same content', () => {
    expect(contentHash(structuredClone(WHOLE))).toEqual(contentHash(WHOLE));
  });

  it('distinguishes where one field ends and the next begins', () => {
    const hashes = [
      documentOf({ title: 'ab', abstract: 'c' }),
      documentOf({ title: 'a', abstract: 'bc' }),
      documentOf({ title: '"', abstract: ',"' }),
      documentOf({ title: '","', abstract: '' }),
    ].map((document) => contentHash(document).toString('hex'));
    expect(new Set(hashes).size).toBe(hashes.length);
  });
});

describe('createIndexWriter', () => {
  it('keeps every field unchanged', () => {
    const db = memoryIndex();
    addDocuments(db, [WHOLE]);
    const reader = createDocumentReader(db);
    const { spans = [], ...document } = reader.read(1) ?? {};
    expect(document).toEqual(WHOLE);
    expect(spans.map(({ start, end }) => WHOLE.abstract.slice(start, end))).toEqual([
      'It rose.',
      '“It fell,” he said.',
    ]);
    const [{ vectors }] = reader.readForwardEntries([1]) as [ForwardEntry];
    const query = dotProductsOf(toyVector('Tides'));
    const [, title, , second] = cosinesOf(query, vectors, TOY_DIMENSIONS);
    expect(title).toBeCloseTo(1, 2);
    expect(second).toBeLessThan(0.9);
  });

  it.each([
    ['emoji and rare planes', '😀 𝒳 𠀀 It rose.'],
    ['line ends of all kinds', 'It\r\nrose\rand\u2028fell.'],
    ['quotes and backslashes', '"It" \'rose\' \\ `fell` \\" %s ?'],
    ['letters in two forms', 'e\u0301 é'],
    ['a byte order mark inside', 'It\ufeffrose.'],
    ['control characters', 'It\u0001rose\u001b[31m.'],
  ])('keeps a text with %s in UTF-16 units', (_, abstract) => {
    const db = memoryIndex();
    addDocuments(db, [{ abstract }]);
    expect(createDocumentReader(db).read(1)?.abstract).toBe(abstract);
    expectSound(db);
  });

  it('replaces a document with everything that belongs to it', () => {
    const db = memoryIndex();
    addDocuments(db, [WHOLE, { id: 'b', title: 'Moon' }]);
    const replaced = createIndexWriter(db).write([toyIndexed({ id: WHOLE.id, title: 'Waves' })]);
    expect(replaced).toEqual({ added: 0, updated: 1 });
    expect(documentsWith(db, 'tides')).toEqual([]);
    expect(documentsWith(db, 'waves')).toHaveLength(1);
    expect(readTotals(db)).toEqual({ documents: 2, sentences: 0 });
    expectSound(db);
  });

  it('writes all documents of a call, or none', () => {
    const db = memoryIndex();
    const writer = createIndexWriter(db);
    expect(() => writer.write([toyIndexed(WHOLE), BROKEN])).toThrow(RangeError);
    expect(readTotals(db)).toEqual({ documents: 0, sentences: 0 });
    expectSound(db);
  });

  it('removes existing documents and returns only their ids', () => {
    const db = memoryIndex();
    addDocuments(db, [WHOLE, { id: 'b', title: 'Moon', abstract: 'It shone.' }]);
    const writer = createIndexWriter(db);
    expect(writer.remove(['b', 'c', 'b'])).toEqual(['b']);
    for (const word of ['moon', 'shone']) expect(documentsWith(db, word)).toEqual([]);
    expect(readTotals(db)).toEqual({ documents: 1, sentences: 2 });
    expectSound(db);
  });

  it('continues after a failed call', () => {
    const db = memoryIndex();
    const writer = createIndexWriter(db);
    expect(() => writer.write([toyIndexed(WHOLE), BROKEN])).toThrow(RangeError);
    writer.write([toyIndexed({ id: 'c', title: 'Shore' })]);
    expect(readTotals(db)).toEqual({ documents: 1, sentences: 0 });
    expectSound(db);
  });

  it('leaves no trace of documents that are added and removed in one call', () => {
    const db = memoryIndex();
    const versions = ['Tides', 'Moon', 'Shore'].map((title) => toyIndexed({ id: 'a', title }));
    expect(createIndexWriter(db).write(versions)).toEqual({ added: 1, updated: 2 });
    expect(db.prepare('SELECT count(*) FROM term_counts').pluck().get()).toBe(1);
    expectSound(db);
  });
});

function documentsWith(db: Connection, word: string): number[] {
  const lexical = createLexicalRetriever(db, { postingsMax: 1000 });
  return Array.from(
    lexical.retrieve([{ word, term: termOf(word), frequency: 1, weight: 1 }]).documents,
  );
}
