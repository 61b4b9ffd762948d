/** An index in its first form opens, answers, and is what today's writer makes of its documents. */
import { describe, expect, it, onTestFinished } from 'vitest';
import type { Connection } from '../../../src/database/sqlite/connection.ts';
import { createDenseRetriever } from '../../../src/index/dense/dense-retrieval.ts';
import { decodeEmbeddings } from '../../../src/index/dense/embeddings.ts';
import { createDocumentReader } from '../../../src/index/documents/documents.ts';
import { createIndexWriter } from '../../../src/index/documents/index-writer.ts';
import type { ForwardEntry } from '../../../src/index/forward-index.ts';
import { readTotals } from '../../../src/index/index-facts.ts';
import { createLexicalRetriever } from '../../../src/index/lexical/lexical-retrieval.ts';
import { verifyIndex } from '../../../src/index/verify/verify-index.ts';
import { termOf } from '../../../src/text/terms.ts';
import { expectSound, memoryIndex, TOY_DIMENSIONS } from '../../index/memory-index.ts';
import { rowsOf } from '../../support/accounts.ts';
import { dot } from '../../support/vectors.ts';
import { DOCUMENTS, firstForm, readFirstForm, vectorsOf } from './first-form.ts';
import { openMigrated } from './open-migrated.ts';
import { unpackStored } from './stored-databases.ts';

describe('an index in the first form', () => {
  it('is sound and answers searches once it has been opened', async () => {
    const path = await firstForm(DOCUMENTS);
    const db = await openMigrated(path);
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
      filteredDenseScannedMax: 10_000,
      filteredExactMax: 0,
      centroidsComparedMax: 2048,
      exactScanMax: 0,
      listBytesCachedMax: 1e6,
    });
    for (const at of [1, 301, 598]) {
      const own = DOCUMENTS[at]?.own as Float32Array;
      expect(dense.retrieve(own, 5).nearest[0]?.document).toBe(at + 1);
      expect(dense.scan(own, 1)[0]?.document).toBe(at + 1);
    }
  });

  it('keeps every vector of every document', async () => {
    const db = await openMigrated(await firstForm(DOCUMENTS));
    onTestFinished(() => {
      db.close();
    });
    const reader = createDocumentReader(db);
    for (const [index, document] of DOCUMENTS.entries()) {
      const vectors = vectorsOf(document);
      const [signals] = reader.readForwardEntries([index + 1]) as [ForwardEntry];
      const stored = decodeEmbeddings(signals.vectors, TOY_DIMENSIONS);
      expect(stored).toHaveLength(vectors.length);
      for (const [i, vector] of vectors.entries()) {
        const cosine = dot(stored[i] ?? [], vector) / Math.hypot(...(stored[i] ?? []));
        expect(cosine).toBeGreaterThan(i === 0 ? 0.999 : 0.97);
      }
    }
  });

  it('without a model and documents becomes an empty one', async () => {
    const db = await openMigrated(await firstForm([]));
    const report = { documents: 0, sentences: 0, problems: [] };
    expect(verifyIndex(db, { problemsMax: 10 })).toEqual(report);
    db.close();
  });
});

/** The spans of a document end in a checksum only if it was written since there are checksums. */
function withoutChecksum(row: unknown): unknown {
  const { sentence_spans: spans } = row as { sentence_spans?: Buffer };
  if (spans === undefined) return row;
  return {
    ...(row as object),
    sentence_spans: spans.subarray(0, spans.length - (spans.length % 8)),
  };
}

describe('what step 3 converts', () => {
  const tables = [
    'documents',
    'signals',
    'term_counts',
    'cells',
    'cell_members',
    'document_cells',
    'index_facts',
  ];

  // Step 3 has a frozen copy of the code that packs. This holds until today's code changes. Then
  // the step that converts to the new format has a test of its own, and this one goes.
  it.each([
    ['600 documents in three inverted lists', () => firstForm(DOCUMENTS)],
    ['the stored database of version 2', () => unpackStored(2)],
  ])('equals what today’s writer makes: %s', async (_what, make) => {
    const path = await make();
    const { dimensions, documents } = readFirstForm(path);
    expect(documents.length).toBeGreaterThan(5);
    const written = memoryIndex(dimensions);
    createIndexWriter(written).write(documents);
    const migrated = await openMigrated(path);
    onTestFinished(() => {
      migrated.close();
    });
    for (const table of tables) {
      // How often each index and its centroids were written differs, and so does what the models
      // are called.
      const rows = (db: Connection): unknown[] =>
        rowsOf(db, `SELECT * FROM ${table} ORDER BY 1`)
          .filter(
            (row) => !['model', 'revision', 'centres'].includes((row as { name: string }).name),
          )
          .map(withoutChecksum);
      expect(rows(migrated), table).toEqual(rows(written));
    }
  });
});
