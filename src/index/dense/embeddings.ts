/**
 * The blob with all vectors of a document: its own vector, then those of its units. A *unit* is a
 * piece of text with a vector of its own: the title, or a sentence of the abstract.
 *
 *   float32 factor | own vector, 8 bits per component | n float32 factors | n units, 4 bits each
 *
 * The units are the title and the sentences in their order. Factors are little-endian, and
 * quantization.ts describes the codes. Measured: 4 bits instead of 8 cost 0.001 nDCG@10 and halve
 * both the file and the bytes that a search reads.
 */
import type { Embedding } from '../../types.ts';
import {
  createBlock,
  type DotProducts,
  pairProducts,
  type QuantizedVectors,
  type VectorBlock,
} from '../../vectors/dot-products.ts';
import { meanVector } from '../../vectors/mean-vector.ts';
import { type Bits, dequantize, quantize, quantizedBytes } from '../../vectors/quantization.ts';
import { viewOf } from '../blob-view.ts';
import { VECTORS_AT_SQL } from '../forward-index.ts';

const FACTOR_BYTES = 4;
const OWN_BITS: Bits = 8;
const UNIT_BITS: Bits = 4;

/** Selects the own vector from a forward index entry for sqlite-vec. Its length is a parameter. */
export const OWN_VECTOR_SQL = `substr(packed, ${VECTORS_AT_SQL + FACTOR_BYTES}, ?)`;

/** The position of the first sentence's vector, behind the own vector and the title's. */
export const FIRST_SENTENCE = 2;

/**
 * The stored vector of a unit. It is quantized once and then copied, also from one version of a
 * document to the next, because quantizing a dequantized vector can yield other codes.
 */
export interface QuantizedUnit {
  bytes: Uint8Array;
  factor: number;
  dimensions: number;
}

export function quantizeUnit(vector: Embedding): QuantizedUnit {
  const bytes = new Uint8Array(quantizedBytes(vector.length, UNIT_BITS));
  const factor = quantize(vector, UNIT_BITS, bytes, 0);
  return { bytes, factor, dimensions: vector.length };
}

export function dequantizeUnit({ bytes, factor, dimensions }: QuantizedUnit): Embedding {
  return dequantize(bytes, 0, { bits: UNIT_BITS, factor, dimensions });
}

/** Encodes a document's own vector and its units, all of the same dimensions. */
export function encodeEmbeddings(own: Embedding, units: readonly QuantizedUnit[]): Buffer {
  const { unitsAt, unitBytes } = layout(own.length);
  const blob = Buffer.alloc(unitsAt + units.length * (FACTOR_BYTES + unitBytes));
  blob.writeFloatLE(quantize(own, OWN_BITS, blob, FACTOR_BYTES), 0);
  for (const [index, { bytes, factor }] of units.entries()) {
    blob.writeFloatLE(factor, unitsAt + index * FACTOR_BYTES);
    blob.set(bytes, unitsAt + units.length * FACTOR_BYTES + index * unitBytes);
  }
  return blob;
}

/** Returns the number of vectors in a blob. It is not an integer if the blob is damaged. */
export function embeddingCount(blob: Uint8Array, dimensions: number): number {
  const { unitsAt, unitBytes } = layout(dimensions);
  return 1 + (blob.length - unitsAt) / (FACTOR_BYTES + unitBytes);
}

/** Returns the cosines of the query with each vector of a blob, in their order. */
export function cosinesOf(query: DotProducts, blob: Uint8Array, dimensions: number): Float64Array {
  return cosinesOfAll(query, [blob], dimensions)[0] as Float64Array;
}

/**
 * Does the same for several blobs. Blobs that share a memory are copied together, and their cosines
 * share one too, because allocating memory takes longer than filling it.
 */
export function cosinesOfAll(
  query: DotProducts,
  blobs: readonly Uint8Array[],
  dimensions: number,
): Float64Array[] {
  const counts = blobs.map((blob) => Math.floor(embeddingCount(blob, dimensions)));
  const all = new Float64Array(counts.reduce((sum, count) => sum + count, 0));
  const { unitsAt, unitBytes } = layout(dimensions);
  let block: VectorBlock | undefined;
  let end = 0;
  return blobs.map((blob, index) => {
    if (block?.bytes.buffer !== blob.buffer) block = createBlock(new Uint8Array(blob.buffer));
    const units = (counts[index] as number) - 1;
    const view = viewOf(blob);
    const at = blob.byteOffset;
    const first = end;
    const ownAt = at + FACTOR_BYTES;
    const own = query.with({ block, start: ownAt, stride: unitsAt, count: 1, bits: OWN_BITS });
    all[end++] = (own[0] as number) * view.getFloat32(at, true);
    const factorsAt = at + unitsAt;
    const start = factorsAt + units * FACTOR_BYTES;
    const products = query.with({ block, start, stride: unitBytes, count: units, bits: UNIT_BITS });
    for (let unit = 0; unit < units; unit++) {
      const factor = view.getFloat32(factorsAt + unit * FACTOR_BYTES, true);
      all[end++] = (products[unit] as number) * factor;
    }
    return all.subarray(first, end);
  });
}

/** The stored own vector of a document. */
export interface OwnVector {
  bytes: Uint8Array;
  factor: number;
  dimensions: number;
}

/** Returns the own vector in a blob, in the blob's memory. */
export function ownVectorOf(blob: Buffer, dimensions: number): OwnVector {
  const bytes = blob.subarray(FACTOR_BYTES, layout(dimensions).unitsAt);
  return { bytes, factor: blob.readFloatLE(0), dimensions };
}

export function dequantizeOwn({ bytes, factor, dimensions }: OwnVector): Embedding {
  return dequantize(bytes, 0, { bits: OWN_BITS, factor, dimensions });
}

/** Returns the cosines of a query with own vectors. */
export function cosinesWithOwn(query: DotProducts, own: readonly OwnVector[]): Float64Array {
  const cosines = query.with(sideBySide(own));
  for (const [index, { factor }] of own.entries()) {
    cosines[index] = (cosines[index] as number) * factor;
  }
  return cosines;
}

/** Returns the cosines of all pairs of own vectors, row by row. */
export function cosinesBetweenOwn(own: readonly OwnVector[]): Float64Array {
  const cosines = new Float64Array(pairProducts(sideBySide(own)));
  let at = 0;
  for (const { factor } of own) {
    for (const other of own) {
      cosines[at] = (cosines[at] as number) * factor * other.factor;
      at++;
    }
  }
  return cosines;
}

/** Returns the weighted mean of own vectors at unit length. */
export function meanOfOwn(own: readonly OwnVector[], weights: readonly number[]): Embedding {
  const sum = new Float32Array(own[0]?.dimensions ?? 0);
  for (const [index, { bytes, factor }] of own.entries()) {
    // Codes of 8 bits are in the order of the components.
    const codes = new Int8Array(bytes.buffer, bytes.byteOffset, sum.length);
    const scale = factor * (weights[index] as number);
    for (let i = 0; i < sum.length; i++) sum[i] = (sum[i] as number) + scale * (codes[i] as number);
  }
  return meanVector([sum]);
}

function sideBySide(own: readonly OwnVector[]): QuantizedVectors {
  const stride = own[0]?.bytes.length ?? 0;
  const bytes = new Uint8Array(own.length * stride);
  for (const [index, vector] of own.entries()) bytes.set(vector.bytes, index * stride);
  return { block: createBlock(bytes), start: 0, stride, count: own.length, bits: OWN_BITS };
}

/** Returns the units in a blob, in the blob's memory. */
export function unitsOf(blob: Buffer, dimensions: number): QuantizedUnit[] {
  const { unitsAt, unitBytes } = layout(dimensions);
  const units = Math.floor(embeddingCount(blob, dimensions)) - 1;
  return Array.from({ length: units }, (_, unit) => {
    const start = unitsAt + units * FACTOR_BYTES + unit * unitBytes;
    const factor = blob.readFloatLE(unitsAt + unit * FACTOR_BYTES);
    return { bytes: blob.subarray(start, start + unitBytes), factor, dimensions };
  });
}

/** Decodes all vectors of a blob, for checks. */
export function decodeEmbeddings(blob: Buffer, dimensions: number): Embedding[] {
  const own = dequantizeOwn(ownVectorOf(blob, dimensions));
  return [own, ...unitsOf(blob, dimensions).map(dequantizeUnit)];
}

function layout(dimensions: number): { unitsAt: number; unitBytes: number } {
  return {
    unitsAt: FACTOR_BYTES + quantizedBytes(dimensions, OWN_BITS),
    unitBytes: quantizedBytes(dimensions, UNIT_BITS),
  };
}

/** Encodes a vector as a float32 blob. */
export function toFloatBlob(vector: Embedding): Buffer {
  return Buffer.from(vector.buffer, vector.byteOffset, vector.byteLength);
}
