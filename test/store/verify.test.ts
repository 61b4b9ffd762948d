/** Every kind of damage, done with raw SQL, and the line that tells of it. */
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, inject, it } from 'vitest';
import { VerbatimError } from '../../src/errors.ts';
import { createIndexWriter } from '../../src/store/index-writer.ts';
import { openStore, type Store } from '../../src/store/open.ts';
import { verifyIndex } from '../../src/store/verify.ts';
import { scratchFolder } from '../ingest/index-files.ts';
import { addDocuments, memoryIndex, TOY_DIMENSIONS } from './memory-index.ts';

const DOCUMENTS = [
  { id: 'a', title: 'Tides', abstract: 'It rose. It fell.' },
  { id: 'b', title: 'Moon', abstract: 'It shone.', authors: ['A. Berg'] },
  { id: 'c', title: 'Shore', abstract: '' },
];

/** Bytes of one packed vector. */
const VECTOR_BYTES = TOY_DIMENSIONS + 4;

/** SQLite's own. */
const PAGE_BYTES = 4096;

type Damage = [what: string, sql: string, problem: string | RegExp];

const SENTENCES: Damage[] = [
  [
    'a sentence that begins too late',
    setSpans('a', [1, 8], [9, 17]),
    'a: text before 1 belongs to no sentence',
  ],
  [
    'a sentence that ends too early',
    setSpans('a', [0, 6], [9, 17]),
    'a: text before 9 belongs to no sentence',
  ],
  [
    'white space in a sentence’s span',
    setSpans('a', [0, 9], [9, 17]),
    'a: no sentence stands at 0 to 9 of its abstract',
  ],
  [
    'a sentence behind the text',
    setSpans('a', [0, 8], [9, 18]),
    'a: no sentence stands at 9 to 18 of its abstract',
  ],
  [
    'an empty sentence',
    setSpans('a', [0, 8], [9, 9]),
    'a: no sentence stands at 9 to 9 of its abstract',
  ],
  [
    'sentences that overlap',
    setSpans('a', [0, 8], [3, 17]),
    'a: no sentence stands at 3 to 17 of its abstract',
  ],
  [
    'sentences in the wrong order',
    setSpans('a', [9, 17], [0, 8]),
    'a: no sentence stands at 0 to 8 of its abstract',
  ],
  ['a lost sentence', setSpans('a', [0, 8]), 'a: text after the last sentence'],
  ['a sentence of nothing', setSpans('c', [0, 1]), 'c: no sentence stands at 0 to 1'],
];

const VECTORS: Damage[] = [
  [
    'a lost row of vectors',
    "DELETE FROM embeddings WHERE document = (SELECT number FROM documents WHERE id = 'a')",
    'a: 4 vectors expected, 0 stored',
  ],
  [
    'a lost vector',
    setVectors('b', `substr(vectors, 1, ${2 * VECTOR_BYTES})`),
    'b: 3 vectors expected, 2 stored',
  ],
  [
    'a vector too many',
    setVectors('c', `CAST(vectors || zeroblob(${VECTOR_BYTES}) AS BLOB)`),
    'c: 2 vectors expected, 3 stored',
  ],
  ['half a vector', setVectors('c', 'substr(vectors, 1, 50)'), 'c: 2 vectors expected, 1.38'],
  ['no vectors at all', setVectors('c', "x''"), 'c: 2 vectors expected, 0 stored'],
  [
    'zero vectors',
    setVectors('c', `zeroblob(${2 * VECTOR_BYTES})`),
    'c: vector 0 has the length 0.000, not 1',
  ],
  [
    'a lost signature',
    "DELETE FROM signatures WHERE document = (SELECT number FROM documents WHERE id = 'b')",
    'b: no signature',
  ],
  ['a signature too short', "UPDATE signatures SET bits = x'00'", 'a: no signature'],
  [
    'a signature of something else',
    "UPDATE signatures SET bits = zeroblob(4) WHERE document = (SELECT number FROM documents WHERE id = 'b')",
    /^b: .*signature/,
  ],
];

const REST: Damage[] = [
  [
    'a text that is not in the full-text index',
    "DELETE FROM documents_text WHERE rowid = (SELECT number FROM documents WHERE id = 'c')",
    'full text and documents disagree: ',
  ],
  [
    'a full text without its document',
    "INSERT INTO documents_text (rowid, title, abstract) VALUES (99, 'Ghost', '')",
    'full text and documents disagree: ',
  ],
  [
    'another title',
    "UPDATE documents SET title = 'Waves' WHERE id = 'a'",
    'full text and documents',
  ],
  [
    'another abstract of the same length',
    "UPDATE documents SET abstract = 'It sank. It fell.' WHERE id = 'a'",
    'full text and documents disagree: ',
  ],
  ['another year', "UPDATE documents SET year = 1 WHERE id = 'b'", /^b: /],
  ['authors that are no JSON', "UPDATE documents SET authors = 'A. Berg' WHERE id = 'b'", /^b: /],
  [
    'a document that was taken out by hand',
    "DELETE FROM documents WHERE id = 'a'",
    'full text and documents disagree: ',
  ],
  [
    'vectors of no document',
    'INSERT INTO embeddings (document, vectors) VALUES (99, zeroblob(8))',
    'SQLite: a row refers to one that is not there: {"table":"embeddings"',
  ],
  [
    'a signature of no document',
    'INSERT INTO signatures (document, bits) VALUES (99, zeroblob(4))',
    'SQLite: a row refers to one that is not there: {"table":"signatures"',
  ],
  [
    'a wrong total of documents',
    "UPDATE index_facts SET value = 4 WHERE name = 'documents'",
    'the totals say 4 documents and 3 sentences, counted are 3 and 3',
  ],
  [
    'a wrong total of sentences',
    "UPDATE index_facts SET value = 0 WHERE name = 'sentences'",
    'the totals say 3 documents and 0 sentences, counted are 3 and 3',
  ],
  ['a lost model', "DELETE FROM index_facts WHERE name = 'model'", 'a: 4 vectors expected, '],
];

describe('verifyIndex', () => {
  it('finds nothing in a sound index', () => {
    const report = verifyIndex(damagedIndex(''), { problemsMax: 10 });
    expect(report).toEqual({ documents: 3, sentences: 3, problems: [] });
  });

  it('finds nothing in an empty index', () => {
    const report = verifyIndex(memoryIndex(), { problemsMax: 10 });
    expect(report).toEqual({ documents: 0, sentences: 0, problems: [] });
  });

  it('finds nothing after updates and removals', () => {
    const db = memoryIndex();
    addDocuments(db, DOCUMENTS);
    addDocuments(db, [{ id: 'a', title: 'Waves' }]);
    createIndexWriter(db).remove(['b']);
    const report = verifyIndex(db, { problemsMax: 10 });
    expect(report).toEqual({ documents: 2, sentences: 0, problems: [] });
  });

  it.each([...SENTENCES, ...VECTORS, ...REST])('finds %s', (_, sql, problem) => {
    const { problems } = verifyIndex(damagedIndex(sql), { problemsMax: 100 });
    const matching =
      typeof problem === 'string'
        ? expect.stringContaining(problem)
        : expect.stringMatching(problem);
    expect(problems).toContainEqual(matching);
  });

  it('finds an overwritten page of the file, whichever it is', async () => {
    const sample = await readFile(inject('sampleIndex'));
    const database = join(await scratchFolder(), 'index.db');
    const pages = sample.length / PAGE_BYTES;
    for (let page = 1; page < pages; page += Math.ceil(pages / 12)) {
      const damaged = Buffer.from(sample);
      damaged.fill(page % 2 ? 0xff : 0x41, page * PAGE_BYTES, (page + 1) * PAGE_BYTES);
      await writeFile(database, damaged);
      expect(problemsOf(database), `page ${page}`).not.toEqual([]);
    }
  });

  it('names no document that is sound', () => {
    const { problems } = verifyIndex(damagedIndex(setSpans('a', [0, 8])), { problemsMax: 100 });
    expect(problems.filter((problem) => /^[bc]:/.test(problem))).toEqual([]);
  });

  it('tells no more problems than it was asked for', () => {
    const db = damagedIndex('DELETE FROM embeddings');
    expect(verifyIndex(db, { problemsMax: 2 }).problems).toHaveLength(2);
  });

  it('tells how far it is', () => {
    const db = memoryIndex();
    addDocuments(
      db,
      Array.from({ length: 2001 }, (_, i) => ({ id: `${i}`, title: 'Tides' })),
    );
    const seen: number[] = [];
    verifyIndex(db, { problemsMax: 1, onProgress: (done) => seen.push(done) });
    expect(seen).toEqual([1000, 2000]);
  });
});

/** What is wrong with a file, whether it is found in opening or in verifying. */
function problemsOf(database: string): string[] {
  let db: Store | undefined;
  try {
    db = openStore({ path: database, lockWaitMs: 5000 });
    return verifyIndex(db, { problemsMax: 10 }).problems;
  } catch (error) {
    if (error instanceof VerbatimError) return [error.message];
    throw error;
  } finally {
    db?.close();
  }
}

function damagedIndex(sql: string): Store {
  const db = memoryIndex();
  addDocuments(db, DOCUMENTS);
  db.pragma('foreign_keys = OFF');
  db.exec(sql);
  return db;
}

function setSpans(id: string, ...spans: [start: number, end: number][]): string {
  const blob = Buffer.alloc(spans.length * 8);
  for (const [index, offset] of spans.flat().entries()) blob.writeUInt32LE(offset, index * 4);
  return `UPDATE documents SET sentence_spans = x'${blob.toString('hex')}' WHERE id = '${id}'`;
}

function setVectors(id: string, expression: string): string {
  return `UPDATE embeddings SET vectors = ${expression}
    WHERE document = (SELECT number FROM documents WHERE id = '${id}')`;
}
