/** An index in its first form, written without our code, is opened and searched. */
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { describe, expect, it, onTestFinished } from 'vitest';
import { contentHash } from '../../../src/identity/kept-record.ts';
import { createDenseRetriever } from '../../../src/store/index/dense/dense-retrieval.ts';
import { unpackEmbeddings, unpackUnit } from '../../../src/store/index/dense/embeddings.ts';
import { createDocumentReader } from '../../../src/store/index/documents/documents.ts';
import type { IndexedDocument } from '../../../src/store/index/documents/index-writer.ts';
import type { Signals } from '../../../src/store/index/forward-index.ts';
import { claimModel, readTotals } from '../../../src/store/index/index-facts.ts';
import { createLexicalRetriever } from '../../../src/store/index/lexical/lexical-retrieval.ts';
import { packSpans } from '../../../src/store/index/sentence-spans.ts';
import { verifyIndex } from '../../../src/store/index/verify/verify.ts';
import { accountTables } from '../../../src/store/migrations/schema-accounts.ts';
import { firstIndexTables } from '../../../src/store/migrations/schema-index.ts';
import { openStore, openStoreForReading } from '../../../src/store/open.ts';
import { termOf } from '../../../src/text/terms.ts';
import type { Embedding } from '../../../src/types.ts';
import { scratchFolder } from '../../ingest/index-files.ts';
import { dot } from '../../support/vectors.ts';
import { expectSound, TOY_DIMENSIONS, toyIndexed, toyModel } from '../index/memory-index.ts';

const DOCUMENTS = Array.from({ length: 600 }, (_, i) =>
  toyIndexed({
    id: `${i}`,
    title: i % 3 === 0 ? '' : `Tides of the year ${i}`,
    abstract: 'It rose. It fell. '.repeat(i % 12).trim() || (i % 3 === 0 ? 'It stood.' : ''),
  }),
);

describe('an index in the first form', () => {
  it('is sound and can be searched once it has been opened', async () => {
    const path = await firstForm(DOCUMENTS);
    const db = openStore({ path, lockWaitMs: 0 });
    onTestFinished(() => {
      db.close();
    });
    expectSound(db);
    const sentences = DOCUMENTS.reduce((sum, { spans }) => sum + spans.length, 0);
    expect(readTotals(db)).toEqual({ documents: DOCUMENTS.length, sentences });
    expect(db.prepare('SELECT count(*) FROM cells').pluck().get()).toBeGreaterThan(2);
    const gone = "SELECT count(*) FROM sqlite_schema WHERE name IN ('embeddings', 'signatures')";
    expect(db.prepare(gone).pluck().get()).toBe(0);

    const words = [{ word: '301', term: termOf('301'), frequency: 1, weight: 1 }];
    const found = createLexicalRetriever(db, { postingsMax: 10 }).retrieve(words);
    expect(Array.from(found.documents)).toEqual([302]);
    const dense = createDenseRetriever(db, TOY_DIMENSIONS, {
      denseScannedMax: 10_000,
      scannedWithoutCellsMax: 0,
      cellBytesCachedMax: 1e6,
    });
    for (const at of [1, 301, 598]) {
      const own = DOCUMENTS[at]?.own as Float32Array;
      expect(dense.retrieve(own, 5).nearest[0]?.document).toBe(at + 1);
      expect(dense.scan(own, 1)[0]?.document).toBe(at + 1);
    }
  });

  it('keeps every vector of every document', async () => {
    const db = openStoreForReading({ path: await firstForm(DOCUMENTS), lockWaitMs: 0 });
    onTestFinished(() => {
      db.close();
    });
    const reader = createDocumentReader(db);
    for (const [index, document] of DOCUMENTS.entries()) {
      const vectors = vectorsOf(document);
      const [signals] = reader.readSignals([index + 1]) as [Signals];
      const stored = unpackEmbeddings(signals.vectors, TOY_DIMENSIONS);
      expect(stored).toHaveLength(vectors.length);
      for (const [i, vector] of vectors.entries()) {
        const cosine = dot(stored[i] ?? [], vector) / Math.hypot(...(stored[i] ?? []));
        expect(cosine).toBeGreaterThan(i === 0 ? 0.999 : 0.97);
      }
    }
  });

  it('without a model and documents is an empty one', async () => {
    const path = join(await scratchFolder(), 'empty.db');
    const old = new Database(path);
    old.exec(firstIndexTables + accountTables);
    old.pragma('user_version = 2');
    old.close();
    const db = openStore({ path, lockWaitMs: 0 });
    expect(verifyIndex(db, { problemsMax: 10 })).toEqual({
      documents: 0,
      sentences: 0,
      problems: [],
    });
    db.close();
  });
});

/** The own vector and the units. */
function vectorsOf({ own, units }: IndexedDocument): Embedding[] {
  return [own, ...units.map(unpackUnit)];
}

/** A file as the first form had it; returns its path. */
async function firstForm(documents: readonly IndexedDocument[]): Promise<string> {
  const path = join(await scratchFolder(), 'first.db');
  const db = new Database(path);
  db.exec(firstIndexTables + accountTables);
  db.pragma('user_version = 2');
  claimModel(db, toyModel);
  const addDocument = db.prepare(
    `INSERT INTO documents
       (id, title, abstract, year, authors, venue, content_hash, sentence_spans)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?)`,
  );
  const addText = db.prepare(
    'INSERT INTO documents_text (rowid, title, abstract) VALUES (?, ?, ?)',
  );
  const addVectors = db.prepare('INSERT INTO embeddings (document, vectors) VALUES (?, ?)');
  const addBits = db.prepare('INSERT INTO signatures (document, bits) VALUES (?, zeroblob(4))');
  db.transaction(() => {
    for (const document of documents) {
      const { source, spans } = document;
      const vectors = vectorsOf(document);
      const { id, title, abstract, year, authors, venue } = source;
      const { lastInsertRowid: number } = addDocument.run(
        ...[
          id,
          title,
          abstract,
          year,
          JSON.stringify(authors),
          venue,
          contentHash(source),
          packSpans(spans),
        ],
      );
      addText.run(number, title, abstract);
      addVectors.run(number, firstFormOf(vectors));
      addBits.run(number);
    }
    const total = db.prepare('UPDATE index_facts SET value = ? WHERE name = ?');
    total.run(documents.length, 'documents');
    total.run(
      documents.reduce((sum, { spans }) => sum + spans.length, 0),
      'sentences',
    );
  })();
  db.close();
  return path;
}

/** n float32 factors, then n vectors, a signed byte a component. */
function firstFormOf(vectors: readonly Float32Array[]): Buffer {
  const factors = Buffer.alloc(vectors.length * 4);
  const components = vectors.map((vector, index) => {
    const factor = Math.max(...vector.map(Math.abs)) / 127;
    factors.writeFloatLE(factor, index * 4);
    return Buffer.from(Int8Array.from(vector, (c) => Math.round(c / factor)).buffer);
  });
  return Buffer.concat([factors, ...components]);
}
