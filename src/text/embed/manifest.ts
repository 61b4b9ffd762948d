/** Reads and checks the manifest.json of a model folder. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { messageOf, VerbatimError } from '../../errors.ts';

/**
 * Where pooling happens: in the model's graph, or here over the token states (their mean, the first, or
 * the last).
 */
export type Pooling = 'graph' | 'mean' | 'cls' | 'last';

/** What a manifest says of how a text becomes a vector. */
export interface ManifestFields {
  name: string;
  /** Of the vectors of the index, a multiple of 8. */
  dimensions: number;
  /** The most tokens of a text that the model reads, with its special tokens. */
  tokensMax: number;
  pooling: Pooling;
  queryPrefix: string;
  documentPrefix: string;
  /** The SHA-256 of models whose vectors lie in the same space. */
  compatible?: readonly string[];
  /** The graph, as a path inside the folder. */
  weights?: string;
  /** The output of the graph that is pooled; its first one otherwise. */
  output?: string;
  /** Of what is pooled, if the vectors of the index have fewer (Kusupati et al., "Matryoshka", 2022). */
  outputDimensions?: number;
  /** 1 if a vector would depend on the other texts of its run, as with weights that scale activations. */
  textsPerRun?: number;
  /** Layers between pooling and the vector. */
  dense?: readonly DenseFile[];
  /** Codes of the languages that the model reads; English if absent. */
  languages?: typeof MULTILINGUAL | readonly string[];
}

export interface DenseFile {
  /** A safetensors file with `linear.weight` and, if it has one, `linear.bias`. */
  file: string;
  activation: 'identity' | 'tanh';
}

export interface Manifest extends ManifestFields {
  queryEncoder?: string;
  /**
   * The SHA-256 of the same graph without its other outputs, if it has any. An index belongs to the
   * graph of its vectors, so adding an output changes no index.
   */
  vectorsSha256?: string;
  files: Record<string, { sha256: string } | undefined>;
}

/** The model reads every language that the program tells from others. */
export const MULTILINGUAL = 'multilingual';
export const MANIFEST_FILE = 'manifest.json';
/** sqlite-vec takes no more than 8,192 bits; more than this is slow, and answers no better. */
export const DIMENSIONS_MAX = 1_024;

/** Whether vectors can have so many components: sqlite-vec requires a multiple of 8 for bit vectors. */
export function areDimensions(value: number): boolean {
  return Number.isInteger(value) && value > 0 && value % 8 === 0 && value <= DIMENSIONS_MAX;
}

const isOptional =
  (isValid: (value: unknown) => boolean) =>
  (value: unknown): boolean =>
    value === undefined || isValid(value);

/** A path inside the folder, so that a model stays whole when it is copied. */
function isInside(value: unknown): boolean {
  return typeof value === 'string' && /^[\w-][\w.-]*(\/[\w-][\w.-]*)*$/.test(value);
}

const fieldChecks: Record<string, (value: unknown) => boolean> = {
  name: (value) => typeof value === 'string' && value !== '',
  dimensions: (value) => areDimensions(value as number),
  tokensMax: (value) => Number.isInteger(value) && Number(value) > 2,
  pooling: (value) => ['graph', 'mean', 'cls', 'last'].includes(value as string),
  queryPrefix: (value) => typeof value === 'string',
  documentPrefix: (value) => typeof value === 'string',
  queryEncoder: isOptional((value) => isInside(value) && !String(value).includes('/')),
  compatible: isOptional((value) => Array.isArray(value) && value.every(isSha256)),
  vectorsSha256: isOptional(isSha256),
  weights: isOptional(isInside),
  output: isOptional((value) => typeof value === 'string'),
  outputDimensions: isOptional((value) => Number.isInteger(value) && Number(value) > 0),
  textsPerRun: isOptional((value) => Number.isInteger(value) && Number(value) > 0),
  dense: isOptional((value) => Array.isArray(value) && value.every(isDenseFile)),
  languages: isOptional((value) => value === MULTILINGUAL || areLanguages(value)),
  files: (value) => typeof value === 'object' && value !== null,
};

/** Whether a value is a list of codes of languages, with at least one. */
export function areLanguages(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.length > 0 && value.every((one) => /^[a-z]{2,3}$/.test(one));
}

function isDenseFile(value: Partial<DenseFile> | null): boolean {
  return isInside(value?.file) && ['identity', 'tanh'].includes(String(value?.activation));
}

function isSha256(value: unknown): boolean {
  return typeof value === 'string' && /^[0-9a-f]{64}$/.test(value);
}

/** Throws `model_unusable`, which names the field that is wrong. */
export function readManifest(folder: string): Manifest {
  let manifest: Record<string, unknown>;
  try {
    manifest = JSON.parse(readFileSync(join(folder, MANIFEST_FILE), 'utf8'));
  } catch (error) {
    throw unusable(folder, messageOf(error));
  }
  if (typeof manifest !== 'object' || manifest === null) {
    throw unusable(folder, `${MANIFEST_FILE} is not a JSON object`);
  }
  for (const [field, isValid] of Object.entries(fieldChecks)) {
    if (!isValid(manifest[field])) {
      throw unusable(folder, `${MANIFEST_FILE}: ${field} is ${JSON.stringify(manifest[field])}`);
    }
  }
  return manifest as unknown as Manifest;
}

/** Returns the error for a folder that is no model, with what is wrong with it. */
export function unusable(folder: string, reason: string): VerbatimError {
  return new VerbatimError('model_unusable', `cannot use the model in ${folder}: ${reason}`);
}
