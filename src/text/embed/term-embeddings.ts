/**
 * The table of a model's term embeddings: what each index term means by itself, as the mean of its
 * occurrences in training texts. A search compares them with the query's words, which are embedded
 * in their context. models/training/term_embeddings.py writes the file:
 *
 *   header      uint32 terms | uint32 dimensions | float32 scale
 *   terms       uint32 each, in ascending order
 *   embeddings  int8 each; times scale, a row is a unit vector
 *
 * Numbers are little-endian.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { messageOf, VerbatimError } from '../../errors.ts';
import { COMPONENTS_PER_BLOCK } from '../../vectors/quantization.ts';
import type { Term } from '../terms.ts';
import { type Encoder, TERM_EMBEDDINGS_FILE } from './model.ts';

const HEADER_BYTES = 12;
const TERM_BYTES = 4;
/** Slots per term of the hash table. With half of them free, most terms are in their first slot. */
const SLOTS_PER_TERM = 2;
const FREE = -1;

export interface TermEmbeddings {
  /** The number of terms. */
  size: number;
  dimensions: number;
  /** Turns a product with codes into one with embeddings. */
  scale: number;
  /** The row of a term's embedding, or -1. */
  rowOf(term: Term): number;
  /** All embeddings [size × dimensions], row after row, in a buffer of their own. */
  codes: Int8Array;
}

/** Reads the table of an encoder, if it has one. Throws `model_unusable`. */
export function readTermEmbeddings({
  folder,
  termEmbeddings,
}: Pick<Encoder, 'folder' | 'termEmbeddings'>): TermEmbeddings | undefined {
  if (termEmbeddings === undefined) return undefined;
  const path = join(folder, TERM_EMBEDDINGS_FILE);
  try {
    return parseTermEmbeddings(readFileSync(path));
  } catch (error) {
    const message = `cannot read the term embeddings in ${path}: ${messageOf(error)}`;
    throw new VerbatimError('model_unusable', message, { cause: error });
  }
}

/** Reads the contents of such a file. Throws an error that says what is wrong with it. */
export function parseTermEmbeddings(file: Buffer): TermEmbeddings {
  if (file.length < HEADER_BYTES) throw new Error('the file is cut off');
  const size = file.readUInt32LE(0);
  const dimensions = file.readUInt32LE(4);
  // Products are computed in whole blocks.
  if (dimensions === 0 || dimensions % COMPONENTS_PER_BLOCK !== 0) {
    throw new Error(`${dimensions} is not a multiple of ${COMPONENTS_PER_BLOCK} dimensions`);
  }
  const codesAt = HEADER_BYTES + size * TERM_BYTES;
  const expected = codesAt + size * dimensions;
  if (file.length !== expected) {
    throw new Error(`the file has ${file.length} bytes instead of ${expected}`);
  }
  const terms = Uint32Array.from({ length: size }, (_, row) =>
    file.readUInt32LE(HEADER_BYTES + row * TERM_BYTES),
  );
  // A copy: the buffer of a small file may hold other things too.
  const codes = new Int8Array(file.subarray(codesAt));
  return { size, dimensions, scale: file.readFloatLE(8), codes, rowOf: createLookUp(terms) };
}

/** Open addressing with linear probing (Knuth, volume 3, 6.4). Terms are hashes already. */
function createLookUp(terms: Uint32Array): TermEmbeddings['rowOf'] {
  const slots = 2 ** Math.ceil(Math.log2(Math.max(1, terms.length) * SLOTS_PER_TERM));
  const rows = new Int32Array(slots).fill(FREE);
  const last = slots - 1;
  for (const [row, term] of terms.entries()) {
    let at = term & last;
    while (rows[at] !== FREE) at = (at + 1) & last;
    rows[at] = row;
  }
  return (term) => {
    for (let at = term & last; ; at = (at + 1) & last) {
      const row = rows[at] as number;
      if (row === FREE || terms[row] === term) return row;
    }
  };
}
