/**
 * The blob that holds all vectors of one document, and its arithmetic.
 *
 *   | scale 0 .. scale n-1      | vector 0        | vector 1     | ... | vector n-1   |
 *   | n float32, little-endian  | dimensions int8 | ...                              |
 *
 * Vector 0 is the document's own, vector 1 the title's, the rest are the sentences in their order.
 * Component = int8 · scale; the scale is the largest component / 127, so that nothing is clipped
 * whatever the model. Measured: int8 costs nothing in ranking and a quarter of the space.
 */
import type { Embedding } from '../types.ts';
import { dotProductsOf } from './dot-products.ts';

const SCALE_BYTES = 4;
const INT8_MAX = 127;

/** The position of the first sentence's vector. */
export const FIRST_SENTENCE = 2;

/** Packs unit vectors, all of the same length, into one blob. */
export function packEmbeddings(vectors: readonly Embedding[]): Buffer {
  const dimensions = vectors[0]?.length ?? 0;
  const blob = Buffer.alloc(vectors.length * (SCALE_BYTES + dimensions));
  for (const [index, vector] of vectors.entries()) {
    let largest = 0;
    for (const component of vector) largest = Math.max(largest, Math.abs(component));
    const scale = largest / INT8_MAX;
    blob.writeFloatLE(scale, index * SCALE_BYTES);
    const start = vectors.length * SCALE_BYTES + index * dimensions;
    for (let i = 0; i < dimensions; i++) {
      blob.writeInt8(scale === 0 ? 0 : Math.round((vector[i] ?? 0) / scale), start + i);
    }
  }
  return blob;
}

/** How many vectors a blob holds; not a whole number where the blob is damaged. */
export function embeddingCount(blob: Uint8Array, dimensions: number): number {
  return blob.length / (SCALE_BYTES + dimensions);
}

/**
 * Returns a function that gives the cosine of the query with each vector of a blob, in their order.
 * Only the last query taken on a thread may be used: see dot-products.ts.
 */
export function cosinesWith(query: Embedding): (blob: Uint8Array) => Float64Array {
  const products = dotProductsOf(query);
  return (blob) => {
    const count = Math.floor(embeddingCount(blob, query.length));
    const view = new DataView(blob.buffer, blob.byteOffset, blob.byteLength);
    const start = blob.byteOffset + count * SCALE_BYTES;
    const vectors = new Int8Array(blob.buffer, start, count * query.length);
    const sums = products.with(vectors, count);
    return Float64Array.from(
      sums,
      (sum, index) => sum * products.scale * view.getFloat32(index * SCALE_BYTES, true),
    );
  };
}

/** The vectors of a blob as float, for checks and exports. */
export function unpackEmbeddings(blob: Uint8Array, dimensions: number): Embedding[] {
  const count = Math.floor(embeddingCount(blob, dimensions));
  const view = new DataView(blob.buffer, blob.byteOffset, blob.byteLength);
  return Array.from({ length: count }, (_, index) => {
    const scale = view.getFloat32(index * SCALE_BYTES, true);
    const start = count * SCALE_BYTES + index * dimensions;
    return Float32Array.from({ length: dimensions }, (_, i) => view.getInt8(start + i) * scale);
  });
}

/** A vector as the float32 blob that sqlite-vec's functions take. */
export function toFloatBlob(vector: Embedding): Buffer {
  return Buffer.from(vector.buffer, vector.byteOffset, vector.byteLength);
}
