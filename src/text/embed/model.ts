/**
 * Loads a model folder: manifest.json and the files that it names. Each file must have the SHA-256
 * in the manifest, because the vectors of an index and of its queries must come from the same
 * model. A model may have a second encoder for queries, in a folder of its own inside.
 */
import { createHash } from 'node:crypto';
import { closeSync, openSync, readSync } from 'node:fs';
import { join } from 'node:path';
import { messageOf } from '../../errors.ts';
import { bundledModelPath } from '../../settings/bundle.ts';
import type { ModelIdentity } from '../../types.ts';
import { type Manifest, type ManifestFields, readManifest, unusable } from './manifest.ts';

/** A folder with weights and a tokenizer. Its identity is that of its vectors of documents. */
export interface Encoder extends ModelIdentity, ManifestFields {
  folder: string;
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
const OPTIONAL_FILES = [TERM_EMBEDDINGS_FILE, ANSWERS_FILE, SENTENCE_WEIGHTS_FILE];

/** Read at once. */
const HASHED_BYTES = 1 << 20;

/** The file of a graph's weights that do not fit into it, by ONNX's convention. */
export function externalWeightsOf(weights: string): string {
  return `${weights}_data`;
}

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

/** The files of a manifest that must be there: what a vector depends on. */
function requiredFiles({ weights = WEIGHTS_FILE, dense = [] }: Manifest): string[] {
  return [weights, TOKENIZER_FILE, ...dense.map(({ file }) => file)];
}

/** Throws if a file that the encoder uses is not the one in its manifest. */
function assertIntact(path: string, manifest: Manifest): void {
  const { weights = WEIGHTS_FILE, files } = manifest;
  const used = [...requiredFiles(manifest), externalWeightsOf(weights), ...OPTIONAL_FILES];
  for (const file of used) {
    const expected = files[file]?.sha256;
    if (expected === undefined) continue;
    const actual = hashModelFile(path, file);
    if (actual !== expected) {
      throw unusable(path, `${file} has the sha256 ${actual}, but manifest.json says ${expected}`);
    }
  }
}

function readEncoder(path: string, manifest: Manifest, check: Check): Encoder {
  const { files } = manifest;
  const unnamed = requiredFiles(manifest).find((file) => files[file] === undefined);
  if (unnamed !== undefined) throw unusable(path, `manifest.json does not name ${unnamed}`);
  check(path, manifest);
  return encoderOf(path, manifest);
}

/** Returns the encoder that a manifest describes, without a look at its files. */
export function encoderOf(folder: string, manifest: Manifest): Encoder {
  const { queryEncoder: _name, vectorsSha256: _hash, files, ...fields } = manifest;
  const [termEmbeddings, answers, sentenceWeights] = OPTIONAL_FILES.map(
    (file) => files[file]?.sha256,
  );
  return {
    ...fields,
    folder,
    ...(termEmbeddings !== undefined && { termEmbeddings }),
    ...(answers !== undefined && { answers }),
    ...(sentenceWeights !== undefined && { sentenceWeights }),
    sha256: identify(manifest),
  };
}

/** Hashes everything that a vector depends on. The name is for people only. */
function identify(manifest: Manifest): string {
  const { weights = WEIGHTS_FILE, files, output, outputDimensions, dense } = manifest;
  const { dimensions, tokensMax, pooling, queryPrefix, documentPrefix } = manifest;
  const hashOf = (file: string): string | undefined => files[file]?.sha256;
  const hashes = [manifest.vectorsSha256 ?? hashOf(weights), hashOf(TOKENIZER_FILE)];
  const identity = [...hashes, dimensions, tokensMax, pooling, queryPrefix, documentPrefix];
  // Models that have none of these keep the identity that they had before these fields existed.
  const more = {
    externalWeights: hashOf(externalWeightsOf(weights)),
    output,
    outputDimensions,
    dense: dense?.map(({ file, activation }) => [hashOf(file), activation]),
  };
  const whole = JSON.stringify(more) === '{}' ? identity : [...identity, more];
  return createHash('sha256').update(JSON.stringify(whole)).digest('hex');
}

/** Returns the SHA-256 of a file of a model, which may be larger than memory. Throws `model_unusable`. */
export function hashModelFile(folder: string, file: string): string {
  const hash = createHash('sha256');
  const buffer = Buffer.alloc(HASHED_BYTES);
  try {
    const descriptor = openSync(join(folder, file), 'r');
    try {
      for (let read = readSync(descriptor, buffer); read > 0; read = readSync(descriptor, buffer)) {
        hash.update(buffer.subarray(0, read));
      }
    } finally {
      closeSync(descriptor);
    }
  } catch (error) {
    throw unusable(folder, messageOf(error));
  }
  return hash.digest('hex');
}
