/**
 * Loads a model folder: manifest.json and the files that it names. Each file must have the SHA-256
 * in the manifest, because the vectors of an index and of its queries must come from the same
 * model.
 */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { bundledModelPath } from '../bundle.ts';
import { messageOf, VerbatimError } from '../errors.ts';
import type { ModelIdentity } from '../types.ts';

/** Where pooling happens: in the model's graph, or here over the token states (mean or CLS). */
export type Pooling = 'graph' | 'mean' | 'cls';

export interface Model extends ModelIdentity {
  folder: string;
  /** The most tokens of a text that the model reads, with the two special tokens. */
  tokensMax: number;
  pooling: Pooling;
  queryPrefix: string;
  documentPrefix: string;
}

export const WEIGHTS_FILE = 'model.onnx';
export const TOKENIZER_FILE = 'tokenizer.json';

/**
 * Reads and checks a model folder; '' is the bundled model.
 * Throws `model_unusable`, which names the file and its defect.
 */
export function loadModel(folder: string): Model {
  const path = folder === '' ? bundledModelPath() : folder;
  const manifest = readManifest(path);
  for (const file of [WEIGHTS_FILE, TOKENIZER_FILE]) {
    const expected = manifest.files[file]?.sha256;
    if (expected === undefined) throw unusable(path, `manifest.json does not name ${file}`);
    const actual = hashFile(join(path, file));
    if (actual !== expected) {
      throw unusable(path, `${file} has the sha256 ${actual}, but manifest.json says ${expected}`);
    }
  }
  const { name, dimensions, tokensMax, pooling, queryPrefix, documentPrefix } = manifest;
  const hashes = [WEIGHTS_FILE, TOKENIZER_FILE].map((file) => manifest.files[file]?.sha256);
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
    sha256: createHash('sha256').update(JSON.stringify(identity)).digest('hex'),
  };
}

interface Manifest extends Omit<Model, 'folder' | 'sha256'> {
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
  files: (value) => typeof value === 'object' && value !== null,
};

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
