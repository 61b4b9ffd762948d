/** An index in memory with a toy model, for tests without real vectors. */
import { createHash } from 'node:crypto';
import { expect, onTestFinished } from 'vitest';
import { openStore } from '../../src/database/open.ts';
import type { Connection } from '../../src/database/sqlite/connection.ts';
import { quantizeUnit } from '../../src/index/dense/embeddings.ts';
import { createIndexWriter } from '../../src/index/documents/index-writer.ts';
import type { IndexedDocument } from '../../src/index/documents/make-change.ts';
import { claimModel } from '../../src/index/index-facts.ts';
import { verifyIndex } from '../../src/index/verify/verify-index.ts';
import { prepareDocument, withVectors } from '../../src/ingest/prepare.ts';
import { normalize } from '../../src/text/embed/pool-tokens.ts';
import type { Embedding, ModelIdentity, SourceDocument } from '../../src/types.ts';

export const TOY_DIMENSIONS = 32;

export const toyModel: ModelIdentity = {
  name: 'toy',
  dimensions: TOY_DIMENSIONS,
  sha256: 'f'.repeat(64),
};

/** A unit vector that depends on the text alone. Different texts have very different vectors. */
export function toyVector(text: string): Embedding {
  const bytes = createHash('shake256', { outputLength: TOY_DIMENSIONS }).update(text).digest();
  return normalize(Float32Array.from(bytes, (byte) => byte - 127.5));
}

/** An empty index that is closed after the test. */
export function memoryIndex(dimensions = TOY_DIMENSIONS): Connection {
  return emptyIndex(':memory:', dimensions);
}

/** The same in a file, or another connection to that file. */
export function emptyIndex(path: string, dimensions = TOY_DIMENSIONS): Connection {
  const db = openStore({ path, lockWaitMs: 1000 });
  onTestFinished(() => {
    db.close();
  });
  claimModel(db, { ...toyModel, dimensions });
  return db;
}

/** A document with these fields and default values. */
export function documentOf(fields: Partial<SourceDocument>): SourceDocument {
  return { id: 'a', title: '', abstract: '', year: 0, authors: [], venue: '', ...fields };
}

/** A document ready to write, with the toy model's vectors. */
export function toyIndexed(fields: Partial<SourceDocument>): IndexedDocument {
  const source = documentOf(fields);
  const prepared = prepareDocument(source);
  return withVectors(prepared, prepared.texts.map(toyVector));
}

/** A document ready to write, with this own vector of any model. */
export function vectorIndexed(id: string, vector: Embedding): IndexedDocument {
  return { ...toyIndexed({ id, title: 'Tides' }), own: vector, units: [quantizeUnit(vector)] };
}

/** Writes documents to an index, numbered from 1. */
export function addDocuments(db: Connection, documents: readonly Partial<SourceDocument>[]): void {
  createIndexWriter(db).write(documents.map(toyIndexed));
}

/** The stored forward index entries of all documents, by id. */
export function forwardEntriesById(db: Connection): unknown[] {
  const read = 'SELECT id, packed FROM documents JOIN signals ON document = number ORDER BY id';
  return db.prepare(read).all();
}

/** Expects verifyIndex to find no problem. */
export function expectSound(db: Connection): void {
  expect(verifyIndex(db, { problemsMax: 10 }).problems).toEqual([]);
}
