/**
 * A file of vectors that were computed elsewhere. It is an SQLite database that finds a text by its
 * hash, so neither the order of texts nor the size of the file matters.
 *
 *   vectors  hash: the first 16 bytes of the SHA-256 of the text in UTF-8
 *            vector: little-endian float32 factor | int16 components
 *   made_by  the model's name, dimensions and sha256
 *
 * A component is its integer times the factor. This takes half the size of float32, with an error
 * of at most 1/65,534 of the vector's greatest component. The index keeps 4 or 8 bits of a
 * component.
 */
import { hash } from 'node:crypto';
import { existsSync, statSync } from 'node:fs';
import Database from 'better-sqlite3';
import { faultOf } from '../database/sqlite/faults.ts';
import { messageOf, VerbatimError } from '../errors.ts';
import type { Embedding, ModelIdentity } from '../types.ts';

/** "VrbV" distinguishes these SQLite files from others. */
const APPLICATION_ID = 0x56726256;
const FACTOR_BYTES = 4;
const COMPONENT_BYTES = 2;
const COMPONENT_MAX = 32_767;
/** The page cache of a connection, mostly for the inner pages of the index of hashes. */
const CACHED_KB = 32 * 1024;
const LOCK_WAIT_MS = 5_000;

const tables = `
CREATE TABLE made_by (model TEXT NOT NULL, dimensions INTEGER NOT NULL, sha256 TEXT NOT NULL);
CREATE TABLE vectors (
  number INTEGER PRIMARY KEY,
  hash   BLOB NOT NULL UNIQUE,
  vector BLOB NOT NULL
);
`;

export interface VectorReader {
  /** Returns the vector of a text, undefined if the file does not have it. */
  find(text: string): Embedding | undefined;
  close(): void;
}

export interface VectorWriter {
  has(text: string): boolean;
  /** Adds the vectors of these texts in one transaction. Known texts keep their vectors. */
  add(texts: readonly string[], vectors: readonly Embedding[]): void;
  close(): void;
}

/**
 * Opens a file of vectors for reading. Throws `unreadable_input` if it is not such a file, and
 * `model_mismatch` if its vectors have other dimensions than the model's.
 */
export function openVectors(path: string, model: ModelIdentity): VectorReader {
  if (!existsSync(path)) throw unreadable(path, 'the file does not exist');
  const db = connect(path, { readonly: true, fileMustExist: true });
  return closingOnError(db, () => {
    assertVectors(db, model);
    const find = db.prepare('SELECT vector FROM vectors WHERE hash = ?').pluck();
    return {
      find(text) {
        const vector = find.get(hashOf(text)) as Buffer | undefined;
        return vector === undefined ? undefined : decode(path, vector, model.dimensions);
      },
      close: () => db.close(),
    };
  });
}

/**
 * Opens or creates a file of vectors for writing. Throws `unwritable_output`, `unreadable_input` if
 * it is not such a file, and `model_mismatch` if another model made it.
 */
export function openVectorsToAdd(path: string, model: ModelIdentity): VectorWriter {
  // The file is empty if an earlier run had no disk space for the tables.
  const isNew = (statSync(path, { throwIfNoEntry: false })?.size ?? 0) === 0;
  const db = connect(path, { timeout: LOCK_WAIT_MS });
  return closingOnError(db, () => {
    if (isNew) create(db, model);
    const madeBy = assertVectors(db, model);
    if (madeBy.sha256 !== model.sha256) throw mismatch(path, madeBy, model);
    const has = db.prepare('SELECT 1 FROM vectors WHERE hash = ?').pluck();
    const add = db.prepare('INSERT OR IGNORE INTO vectors (hash, vector) VALUES (?, ?)');
    return {
      has: (text) => has.get(hashOf(text)) !== undefined,
      add: db.transaction((texts: readonly string[], vectors: readonly Embedding[]) => {
        for (const [at, text] of texts.entries()) {
          add.run(hashOf(text), encode(vectors[at] as Embedding));
        }
      }),
      close: () => db.close(),
    };
  });
}

function connect(path: string, options: Database.Options): Database.Database {
  try {
    return new Database(path, options);
  } catch (error) {
    if (options.readonly) throw unreadable(path, messageOf(error));
    throw new VerbatimError('unwritable_output', `cannot write ${path}: ${messageOf(error)}`);
  }
}

function closingOnError<Result>(db: Database.Database, work: () => Result): Result {
  try {
    db.pragma(`cache_size = -${CACHED_KB}`);
    return work();
  } catch (error) {
    db.close();
    if (error instanceof VerbatimError) throw error;
    throw unreadable(db.name, faultOf(error) ?? messageOf(error));
  }
}

function create(db: Database.Database, { name, dimensions, sha256 }: ModelIdentity): void {
  db.transaction(() => {
    db.exec(tables);
    db.prepare('INSERT INTO made_by VALUES (?, ?, ?)').run(name, dimensions, sha256);
    db.pragma(`application_id = ${APPLICATION_ID}`);
  })();
}

/** Returns the model that made the file. Throws if its vectors have other dimensions. */
function assertVectors(db: Database.Database, model: ModelIdentity): ModelIdentity {
  if (db.pragma('application_id', { simple: true }) !== APPLICATION_ID) {
    throw unreadable(db.name, 'it is not a file of vectors; make one with: verbatim index embed');
  }
  const madeBy = db
    .prepare('SELECT model AS name, dimensions, sha256 FROM made_by')
    .get() as ModelIdentity;
  if (madeBy.dimensions !== model.dimensions) throw mismatch(db.name, madeBy, model);
  return madeBy;
}

function hashOf(text: string): Buffer {
  return hash('sha256', text, 'buffer').subarray(0, 16);
}

function encode(vector: Embedding): Buffer {
  const greatest = vector.reduce((most, component) => Math.max(most, Math.abs(component)), 0);
  const factor = greatest / COMPONENT_MAX;
  const blob = Buffer.alloc(FACTOR_BYTES + COMPONENT_BYTES * vector.length);
  blob.writeFloatLE(factor);
  for (const [at, component] of vector.entries()) {
    const whole = factor === 0 ? 0 : Math.round(component / factor);
    blob.writeInt16LE(whole, FACTOR_BYTES + COMPONENT_BYTES * at);
  }
  return blob;
}

function decode(path: string, blob: Buffer, dimensions: number): Embedding {
  const bytes = FACTOR_BYTES + COMPONENT_BYTES * dimensions;
  if (blob.length !== bytes) {
    throw unreadable(path, `one of its vectors has ${blob.length} bytes, not ${bytes}`);
  }
  const factor = blob.readFloatLE();
  return Float32Array.from(
    { length: dimensions },
    (_, at) => factor * blob.readInt16LE(FACTOR_BYTES + COMPONENT_BYTES * at),
  );
}

function unreadable(path: string, reason: string): VerbatimError {
  return new VerbatimError('unreadable_input', `cannot use the vectors in ${path}: ${reason}`);
}

function mismatch(path: string, madeBy: ModelIdentity, model: ModelIdentity): VerbatimError {
  const [its, expected] = [madeBy, model].map(
    ({ name, dimensions, sha256 }) => `${name} (${dimensions} dimensions, ${sha256.slice(0, 12)})`,
  );
  return new VerbatimError(
    'model_mismatch',
    `the vectors in ${path} are from the model ${its}, but the given model is ${expected}`,
  );
}
