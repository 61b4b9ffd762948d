/** An index in memory with a toy model, for tests that need no real vectors. */
import { createHash } from 'node:crypto';
import { expect, onTestFinished } from 'vitest';
import { normalize } from '../../../src/embed/pool-tokens.ts';
import { prepareDocument, withVectors } from '../../../src/ingest/prepare.ts';
import type { Connection } from '../../../src/store/database/connection.ts';
import { packUnit } from '../../../src/store/index/dense/embeddings.ts';
import {
  createIndexWriter,
  type IndexedDocument,
} from '../../../src/store/index/documents/index-writer.ts';
import { claimModel } from '../../../src/store/index/index-facts.ts';
import { verifyIndex } from '../../../src/store/index/verify/verify.ts';
import { openStore } from '../../../src/store/open.ts';
import type { Embedding, ModelIdentity, SourceDocument } from '../../../src/types.ts';

export const TOY_DIMENSIONS = 32;

export const toyModel: ModelIdentity = {
  name: 'toy',
  dimensions: TOY_DIMENSIONS,
  sha256: 'f'.repeat(64),
};

/** A unit vector that depends on the text alone; other texts have quite another one. */
export function toyVector(text: string): Embedding {
  const bytes = createHash('shake256', { outputLength: TOY_DIMENSIONS }).update(text).digest();
  return normalize(Float32Array.from(bytes, (byte) => byte - 127.5));
}

/** An empty index that is closed when the test has finished. */
export function memoryIndex(dimensions = TOY_DIMENSIONS): Connection {
  return emptyIndex(':memory:', dimensions);
}

/** The same in a file, or one more connection to it. */
export function emptyIndex(path: string, dimensions = TOY_DIMENSIONS): Connection {
  const db = openStore({ path, lockWaitMs: 1000 });
  onTestFinished(() => {
    db.close();
  });
  claimModel(db, { ...toyModel, dimensions });
  return db;
}

/** A document of which only these fields matter. */
export function documentOf(fields: Partial<SourceDocument>): SourceDocument {
  return { id: 'a', title: '', abstract: '', year: 0, authors: [], venue: '', ...fields };
}

/** Ready to be written, with the toy model's vectors. */
export function toyIndexed(fields: Partial<SourceDocument>): IndexedDocument {
  const source = documentOf(fields);
  const prepared = prepareDocument(source);
  return withVectors(prepared, prepared.texts.map(toyVector));
}

/** Ready to be written, of any model, with this as its own vector. */
export function vectorIndexed(id: string, vector: Embedding): IndexedDocument {
  return { ...toyIndexed({ id, title: 'Tides' }), own: vector, units: [packUnit(vector)] };
}

/** Writes documents into an index; their numbers count from 1. */
export function addDocuments(db: Connection, documents: readonly Partial<SourceDocument>[]): void {
  createIndexWriter(db).write(documents.map(toyIndexed));
}

/** Vectors and terms of all documents, by their ids, as they are stored. */
export function signalsById(db: Connection): unknown[] {
  const read = 'SELECT id, packed FROM documents JOIN signals ON document = number ORDER BY id';
  return db.prepare(read).all();
}

/** Expects verifyIndex to find nothing. */
export function expectSound(db: Connection): void {
  expect(verifyIndex(db, { problemsMax: 10 }).problems).toEqual([]);
}
