/** Every kind of damage to texts, sentences and totals, and the line that tells of it. */
import { copyFile, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, inject, it } from 'vitest';
import { openStore } from '../../../src/database/open.ts';
import { PAGE_BYTES } from '../../../src/database/sqlite/connect.ts';
import type { Connection } from '../../../src/database/sqlite/connection.ts';
import { VerbatimError } from '../../../src/errors.ts';
import { createIndexWriter } from '../../../src/index/documents/index-writer.ts';
import { decodeSpans } from '../../../src/index/sentence-spans.ts';
import { verifyIndex } from '../../../src/index/verify/verify-index.ts';
import { scratchFolder } from '../../ingest/index-files.ts';
import { addDocuments, memoryIndex } from '../memory-index.ts';
import { type Damage, DOCUMENTS, damagedIndex, findsEach } from './damage.ts';

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
    'a: characters 0 to 9 of its abstract are no sentence',
  ],
  [
    'a sentence beyond the end of the text',
    setSpans('a', [0, 8], [9, 18]),
    'a: characters 9 to 18 of its abstract are no sentence',
  ],
  [
    'an empty sentence',
    setSpans('a', [0, 8], [9, 9]),
    'a: characters 9 to 9 of its abstract are no sentence',
  ],
  [
    'overlapping sentences',
    setSpans('a', [0, 8], [3, 17]),
    'a: characters 3 to 17 of its abstract are no sentence',
  ],
  [
    'sentences in the wrong order',
    setSpans('a', [9, 17], [0, 8]),
    'a: characters 0 to 8 of its abstract are no sentence',
  ],
  ['a missing sentence', setSpans('a', [0, 8]), 'a: text after the last sentence'],
  ['a sentence of an empty text', setSpans('c', [0, 1]), 'c: characters 0 to 1'],
];

const REST: Damage[] = [
  [
    'a text that is missing in the full-text index',
    "DELETE FROM documents_text WHERE rowid = (SELECT number FROM documents WHERE id = 'c')",
    'the full text does not match the documents: ',
  ],
  [
    'full text without a document',
    "INSERT INTO documents_text (rowid, title, abstract) VALUES (99, 'Ghost', '')",
    'the full text does not match the documents: ',
  ],
  [
    'a changed title',
    "UPDATE documents SET title = 'Waves' WHERE id = 'a'",
    'the full text does not match',
  ],
  [
    'a changed abstract of the same length',
    "UPDATE documents SET abstract = 'It sank. It fell.' WHERE id = 'a'",
    'the full text does not match the documents: ',
  ],
  ['a changed year', "UPDATE documents SET year = 1 WHERE id = 'b'", /^b: /],
  ['authors that are not JSON', "UPDATE documents SET authors = 'A. Berg' WHERE id = 'b'", /^b: /],
  [
    'a document that was deleted by hand',
    "DELETE FROM documents WHERE id = 'a'",
    'the full text does not match the documents: ',
  ],
  ...(['documents', 'sentences', 'terms'] as const).map(
    (name): Damage => [
      `a wrong total of ${name}`,
      `UPDATE index_facts SET value = value + 1 WHERE name = '${name}'`,
      new RegExp(`^the index has \\d+ ${name}, but index_facts says \\d+$`),
    ],
  ),
  [
    'a missing total',
    "DELETE FROM index_facts WHERE name = 'terms'",
    'the index has 9 terms, but index_facts says nothing',
  ],
  ...['revision', 'centroids', 'arranged', 'listed'].map(
    (name): Damage => [
      `a missing fact ${name}`,
      `DELETE FROM index_facts WHERE name = '${name}'`,
      `the fact "${name}" is not a number: undefined`,
    ],
  ),
  ['a missing model', "DELETE FROM index_facts WHERE name = 'model'", 'a: 4 vectors expected, '],
];

describe('verifyIndex', () => {
  it('finds nothing in a sound index', () => {
    const report = verifyIndex(damagedIndex(''), { problemsMax: 10 });
    expect(report).toEqual({ documents: 3, sentences: 3, problems: [] });
  });

  it('accepts section labels outside of sentences', () => {
    const db = memoryIndex();
    const abstract = "AIMS:\n\nMETHODS:\n\nIt rose.\n\nAUTHORS' CONCLUSIONS:\n\nIt fell.";
    addDocuments(db, [{ id: 'labeled', title: 'Tides', abstract }]);
    expect(verifyIndex(db, { problemsMax: 10 })).toMatchObject({ sentences: 2, problems: [] });
  });

  it('accepts boilerplate outside of sentences', () => {
    const db = memoryIndex();
    const abstract =
      'Abstract: It rose. It fell.\n\nFUNDING:\n\n© 2019 Berg AG. All rights reserved.';
    addDocuments(db, [{ id: 'a', title: 'Tides', abstract }]);
    const spans = db.prepare('SELECT sentence_spans FROM documents').pluck().get() as Buffer;
    expect(decodeSpans(spans).map(({ start, end }) => abstract.slice(start, end))).toEqual([
      'It rose.',
      'It fell.',
    ]);
    expect(verifyIndex(db, { problemsMax: 10 }).problems).toEqual([]);
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

  findsEach([...SENTENCES, ...REST]);

  it('finds any overwritten page of the file', async () => {
    const database = join(await scratchFolder(), 'index.db');
    await copyFile(inject('sampleIndex'), database);
    // Damage in unused pages would not be a problem.
    const db = openStore({ path: database, lockWaitMs: 5000 });
    db.exec('VACUUM');
    db.close();
    const sample = await readFile(database);
    const pages = sample.length / PAGE_BYTES;
    for (let page = 1; page < pages; page += Math.ceil(pages / 12)) {
      const damaged = Buffer.from(sample);
      damaged.fill(page % 2 ? 0xff : 0x41, page * PAGE_BYTES, (page + 1) * PAGE_BYTES);
      await writeFile(database, damaged);
      expect(problemsOf(database), `page ${page}`).not.toEqual([]);
    }
  });

  it('reports no problem of sound documents', () => {
    const { problems } = verifyIndex(damagedIndex(setSpans('a', [0, 8])), { problemsMax: 100 });
    expect(problems.filter((problem) => /^[bc]:/.test(problem))).toEqual([]);
  });

  it('reports at most `problemsMax` problems', () => {
    const db = damagedIndex('DELETE FROM signals');
    expect(verifyIndex(db, { problemsMax: 2 }).problems).toHaveLength(2);
  });

  it('reports its progress', () => {
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

/** The problems of a file, found by opening or by verifying it. */
function problemsOf(database: string): string[] {
  let db: Connection | undefined;
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

function setSpans(id: string, ...spans: [start: number, end: number][]): string {
  const blob = Buffer.alloc(spans.length * 8);
  for (const [index, offset] of spans.flat().entries()) blob.writeUInt32LE(offset, index * 4);
  return `UPDATE documents SET sentence_spans = x'${blob.toString('hex')}' WHERE id = '${id}'`;
}
