/** Learning into a real file with a toy model. */
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { describe, expect, it } from 'vitest';
import { openStore } from '../../../src/database/open.ts';
import { readTotals } from '../../../src/index/index-facts.ts';
import {
  createLearn,
  type LearnDeps,
  type LearnedDocument,
} from '../../../src/lanes/learning/learn.ts';
import { createEmbedDocuments } from '../../../src/lanes/scoring/embed-documents.ts';
import type { SourceDocument } from '../../../src/types.ts';
import {
  addDocuments,
  documentOf,
  emptyIndex,
  expectSound,
  toyModel,
  toyVector,
} from '../../index/memory-index.ts';
import { temporaryFolder } from '../../support/accounts.ts';

const folder = temporaryFolder();
let files = 0;

function start(parts: Partial<LearnDeps> = {}) {
  const path = join(folder, `${files++}.db`);
  const db = emptyIndex(path);
  const learn = createLearn({
    embedDocuments: createEmbedDocuments(async (texts) => texts.map(toyVector), {
      cachedMax: 10,
    }),
    store: { path, lockWaitMs: 5_000 },
    model: toyModel,
    limits: {
      learnLockWaitMs: 10,
      titleCharactersMax: 100,
      abstractCharactersMax: 100,
      authorsMax: 3,
      laneSentenceCharactersMax: 60,
    },
    ...parts,
  });
  return { path, db, learn };
}

function found(fields: Partial<LearnedDocument>): LearnedDocument {
  const unknown = { sentences: undefined, identifiers: {}, provider: 'crossref' };
  return { ...documentOf(fields), ...unknown, ...fields };
}

const tides = found({ id: 'tides', title: 'Tides', abstract: 'It rose. It fell.' });

describe('createLearn', () => {
  it('adds documents as a build does', async () => {
    const { db, learn } = start();
    expect(await learn([tides])).toEqual({ added: 1, passedOver: 0, isBusy: false });
    expect(readTotals(db)).toEqual({ documents: 1, sentences: 2 });
    expectSound(db);
  });

  it('keeps the sentence boundaries of the lane', async () => {
    const { db, learn } = start();
    await learn([{ ...tides, sentences: [{ start: 0, end: 17 }] }]);
    expect(readTotals(db)).toEqual({ documents: 1, sentences: 1 });
    expectSound(db);
  });

  it('never replaces a document of the index', async () => {
    const { db, learn } = start();
    addDocuments(db, [{ id: 'tides', title: 'Tides', abstract: 'The index’s own.' }]);
    expect(await learn([tides])).toEqual({ added: 0, passedOver: 1, isBusy: false });
    expect(db.prepare('SELECT abstract FROM documents').pluck().all()).toEqual([
      'The index’s own.',
    ]);
  });

  it('skips a paper that the index has under another id', async () => {
    const { db, learn } = start();
    const arxiv = '2401.00001';
    await learn([found({ ...tides, identifiers: { arxiv } })]);
    const again = found({
      id: '10.5555/tides',
      title: 'On tides',
      identifiers: { doi: '10.5555/tides', arxiv },
    });
    expect(await learn([again, found({ id: 'other', title: 'Moths' })])).toMatchObject({
      added: 1,
      passedOver: 1,
    });
    expect(db.prepare('SELECT id FROM documents ORDER BY number').pluck().all()).toEqual([
      ...['tides', 'other'],
    ]);
  });

  it('adds one of two documents that are one paper', async () => {
    const { db, learn } = start();
    const identifiers = { doi: '10.5555/tides' };
    const other = found({ id: 'b', title: 'On tides', identifiers });
    expect(await learn([found({ ...tides, identifiers }), other])).toMatchObject({
      added: 1,
      passedOver: 1,
    });
    expectSound(db);
  });

  it('does not take a number in the address of a page for an identifier', async () => {
    const { db, learn } = start();
    await learn([found({ id: 'CorpusId:9', title: 'Tides', identifiers: { s2: '9' } })]);
    const page = found({ id: 'https://ex.org/9', title: 'Moths' });
    expect(await learn([page])).toMatchObject({ added: 1, passedOver: 0 });
    const read = 'SELECT source FROM source_records ORDER BY number';
    expect(db.prepare(read).pluck().all()).toEqual(['s2', '']);
  });

  it.each<[string, Partial<SourceDocument>]>([
    ['without an id', { id: '', title: 'Tides' }],
    ['without any text', { id: 'a' }],
    ['with a title that is too long', { id: 'a', title: 'a'.repeat(101) }],
    ['with an abstract that is too long', { id: 'a', title: 'A', abstract: 'a'.repeat(101) }],
    ['with too many authors', { id: 'a', title: 'A', authors: ['b', 'c', 'd', 'e'] }],
  ])('skips a document %s, and adds the others', async (_, fields) => {
    const { learn } = start();
    expect(await learn([found(fields), tides])).toMatchObject({ added: 1, passedOver: 1 });
  });

  it.each([
    ['before its first document', false],
    ['between two documents', true],
  ])('yields to another writer %s, and adds nothing in part', async (_, hasWritten) => {
    const { path, db, learn } = start();
    if (hasWritten) await learn([found({ id: 'first', title: 'First' })]);
    const other = new Database(path);
    other.exec('BEGIN IMMEDIATE');
    const documents = readTotals(db).documents;
    expect(await learn([tides])).toEqual({ added: 0, passedOver: 0, isBusy: true });
    other.exec('ROLLBACK');
    other.close();
    expect(readTotals(db).documents).toBe(documents);
    expect(await learn([tides])).toMatchObject({ added: 1, isBusy: false });
    expectSound(db);
  });

  it('works beside another writer of the index', async () => {
    const { path, db, learn } = start();
    const other = openStore({ path, lockWaitMs: 5_000 });
    for (let i = 0; i < 8; i++) {
      await learn([found({ id: `learned ${i}`, title: `Moths ${i}` })]);
      addDocuments(other, [{ id: `added ${i}`, title: `Tides ${i}` }]);
    }
    other.close();
    expect(readTotals(db).documents).toBe(16);
    expectSound(db);
  });

  it('refuses an index of another model', async () => {
    const { learn } = start({ model: { ...toyModel, sha256: '0'.repeat(64) } });
    await expect(learn([tides])).rejects.toMatchObject({ code: 'model_mismatch' });
  });
});
