/**
 * Loads a model folder: manifest.json and the files that it names. Each file must have the SHA-256
 * in the manifest, because the vectors of an index and of its queries must come from the same
 * model. A model may have a second encoder for queries, in a folder of its own inside.
 */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { bundledModelPath } from '../../bundle.ts';
import { messageOf, VerbatimError } from '../../errors.ts';
import type { ModelIdentity } from '../../types.ts';

/** Where pooling happens: in the model's graph, or here over the token states (mean or CLS). */
export type Pooling = 'graph' | 'mean' | 'cls';

/** A folder with weights and a tokenizer. Its identity is that of its vectors of documents. */
export interface Encoder extends ModelIdentity {
  folder: string;
  /** The most tokens of a text that the model reads, with the two special tokens. */
  tokensMax: number;
  pooling: Pooling;
  queryPrefix: string;
  documentPrefix: string;
  /**
   * The SHA-256 of its file of term embeddings, if it has one. Then its graph also returns the
   * embeddings of tokens. It is no part of the identity, because no vector of a text depends on it.
   */
  termEmbeddings?: string;
  /**
   * The SHA-256 of a second graph, if there is one: it continues from a hidden layer of the first, to
   * a vector near which the sentences are that answer a question. No part of the identity either.
   */
  answers?: string;
  /** The SHA-256 of the weights by which sentences are chosen, if the model has its own. */
  sentenceWeights?: string;
}

/** The encoder of an index's documents, and that of queries. */
export interface Model extends Encoder {
  /**
   * Embeds queries. It is the model itself, or a cheaper encoder of the same space. An index does
   * not depend on it.
   */
  queryEncoder: Encoder;
}

export const WEIGHTS_FILE = 'model.onnx';
export const TOKENIZER_FILE = 'tokenizer.json';
export const ANSWERS_FILE = 'answers.onnx';
export const TERM_EMBEDDINGS_FILE = 'term-embeddings.bin';
export const SENTENCE_WEIGHTS_FILE = 'sentence-weights.json';
const REQUIRED_FILES = [WEIGHTS_FILE, TOKENIZER_FILE];
const OPTIONAL_FILES = [TERM_EMBEDDINGS_FILE, ANSWERS_FILE, SENTENCE_WEIGHTS_FILE];

/**
 * Reads and checks a model folder; '' is the bundled model.
 * Throws `model_unusable`, which names the file and its defect.
 */
export function loadModel(folder: string): Model {
  return readModel(folder, assertIntact);
}

/**
 * Returns the same without reading the files that the manifest names: for a process whose threads load
 * the model, and so check them. Throws `model_unusable` for a manifest that cannot be used.
 */
export function describeModel(folder: string): Model {
  return readModel(folder, () => {});
}

/** Checks the files of an encoder's folder. */
type Check = (path: string, manifest: Manifest) => void;

function readModel(folder: string, check: Check): Model {
  const path = folder === '' ? bundledModelPath() : folder;
  const manifest = readManifest(path);
  const encoder = readEncoder(path, manifest, check);
  const { queryEncoder: name } = manifest;
  return {
    ...encoder,
    queryEncoder: name === undefined ? encoder : readQueryEncoder(encoder, name, check),
  };
}

function readQueryEncoder(encoder: Encoder, name: string, check: Check): Encoder {
  const path = join(encoder.folder, name);
  const manifest = readManifest(path);
  if (manifest.queryEncoder !== undefined) {
    throw unusable(path, 'manifest.json: only the outer folder may name queryEncoder');
  }
  const { dimensions } = manifest;
  if (dimensions === encoder.dimensions) return readEncoder(path, manifest, check);
  throw unusable(
    path,
    `the encoder of queries has ${dimensions} dimensions, that of documents ${encoder.dimensions}`,
  );
}

/** Throws if a file that the encoder uses is not the one in its manifest. */
function assertIntact(path: string, { files }: Manifest): void {
  for (const file of [...REQUIRED_FILES, ...OPTIONAL_FILES]) {
    const expected = files[file]?.sha256;
    if (expected === undefined) continue;
    const actual = hashFile(join(path, file));
    if (actual !== expected) {
      throw unusable(path, `${file} has the sha256 ${actual}, but manifest.json says ${expected}`);
    }
  }
}

function readEncoder(path: string, manifest: Manifest, check: Check): Encoder {
  const unnamed = REQUIRED_FILES.find((file) => manifest.files[file] === undefined);
  if (unnamed !== undefined) throw unusable(path, `manifest.json does not name ${unnamed}`);
  check(path, manifest);
  const [termEmbeddings, answers, sentenceWeights] = OPTIONAL_FILES.map(
    (file) => manifest.files[file]?.sha256,
  );
  const { name, dimensions, tokensMax, pooling, queryPrefix, documentPrefix } = manifest;
  const { compatible } = manifest;
  const vectorsSha256 = manifest.vectorsSha256 ?? manifest.files[WEIGHTS_FILE]?.sha256;
  const hashes = [vectorsSha256, manifest.files[TOKENIZER_FILE]?.sha256];
  // Everything that a vector depends on. The name is for people only.
  const identity = [...hashes, dimensions, tokensMax, pooling, queryPrefix, documentPrefix];
  return {
    folder: path,
    name,
    dimensions,
    tokensMax,
    pooling,
    queryPrefix,
    documentPrefix,
    ...(termEmbeddings !== undefined && { termEmbeddings }),
    ...(answers !== undefined && { answers }),
    ...(sentenceWeights !== undefined && { sentenceWeights }),
    ...(compatible !== undefined && { compatible }),
    sha256: createHash('sha256').update(JSON.stringify(identity)).digest('hex'),
  };
}

type Computed = 'folder' | 'sha256' | 'termEmbeddings' | 'answers' | 'sentenceWeights';

interface Manifest extends Omit<Encoder, Computed> {
  queryEncoder?: string;
  /**
   * The SHA-256 of the same graph without its other outputs, if it has any. An index belongs to the
   * graph of its vectors, so adding an output changes no index.
   */
  vectorsSha256?: string;
  files: Record<string, { sha256: string } | undefined>;
}

const fieldChecks: Record<string, (value: unknown) => boolean> = {
  name: (value) => typeof value === 'string' && value !== '',
  // sqlite-vec requires a multiple of 8 for bit vectors.
  dimensions: (value) => Number.isInteger(value) && Number(value) > 0 && Number(value) % 8 === 0,
  tokensMax: (value) => Number.isInteger(value) && Number(value) > 2,
  pooling: (value) => value === 'graph' || value === 'mean' || value === 'cls',
  queryPrefix: (value) => typeof value === 'string',
  documentPrefix: (value) => typeof value === 'string',
  // A folder inside, so that a model stays whole when it is copied.
  queryEncoder: (value) =>
    value === undefined || (typeof value === 'string' && /^[\w-][\w.-]*$/.test(value)),
  compatible: (value) => value === undefined || (Array.isArray(value) && value.every(isSha256)),
  vectorsSha256: (value) => value === undefined || isSha256(value),
  files: (value) => typeof value === 'object' && value !== null,
};

function isSha256(value: unknown): boolean {
  return typeof value === 'string' && /^[0-9a-f]{64}$/.test(value);
}

function readManifest(folder: string): Manifest {
  let manifest: Record<string, unknown>;
  try {
    manifest = JSON.parse(readFileSync(join(folder, 'manifest.json'), 'utf8'));
  } catch (error) {
    throw unusable(folder, messageOf(error));
  }
  if (typeof manifest !== 'object' || manifest === null) {
    throw unusable(folder, 'manifest.json is not a JSON object');
  }
  for (const [field, isValid] of Object.entries(fieldChecks)) {
    if (!isValid(manifest[field])) {
      throw unusable(folder, `manifest.json: ${field} is ${JSON.stringify(manifest[field])}`);
    }
  }
  return manifest as unknown as Manifest;
}

function hashFile(path: string): string {
  try {
    return createHash('sha256').update(readFileSync(path)).digest('hex');
  } catch (error) {
    throw unusable(dirname(path), messageOf(error));
  }
}

function unusable(folder: string, reason: string): VerbatimError {
  return new VerbatimError('model_unusable', `cannot use the model in ${folder}: ${reason}`);
}
