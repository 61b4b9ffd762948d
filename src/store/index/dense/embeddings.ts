/**
 * The blob that holds all vectors of a document:
 *
 *   own: float32 factor | 8 bits a component     n float32 factors | n vectors, 4 bits a component
 *
 * The document's own vector first, then the title's, then the sentences' in their order. Factors
 * are little-endian; codes.ts tells how a vector is packed. Measured: half a byte a component costs
 * a thousandth of nDCG@10, and saves half of the file and of what a search reads.
 */
import type { Embedding } from '../../../types.ts';
import { type Bits, pack, packedBytes, unpack } from '../../../vectors/codes.ts';
import {
  createBlock,
  type DotProducts,
  type PackedVectors,
  pairProducts,
  type VectorBlock,
} from '../../../vectors/dot-products.ts';
import { meanVector } from '../../../vectors/mean-vector.ts';
import { viewOf } from '../blob-view.ts';
import { VECTORS_AT_SQL } from '../forward-index.ts';

const FACTOR_BYTES = 4;
const OWN_BITS: Bits = 8;
const UNIT_BITS: Bits = 4;

/** The document's own vector in its signals, as sqlite-vec takes it; its bytes are a parameter. */
export const OWN_VECTOR_SQL = `substr(packed, ${VECTORS_AT_SQL + FACTOR_BYTES}, ?)`;

/** The position of the first sentence's vector. */
export const FIRST_SENTENCE = 2;

/**
 * The vector of a title or a sentence as it is stored. It is packed once and then handed on as it
 * is, also from one version of a document to the next: to pack what was unpacked may give other codes.
 */
export interface PackedUnit {
  bytes: Uint8Array;
  factor: number;
  dimensions: number;
}

export function packUnit(vector: Embedding): PackedUnit {
  const bytes = new Uint8Array(packedBytes(vector.length, UNIT_BITS));
  const factor = pack(vector, UNIT_BITS, bytes, 0);
  return { bytes, factor, dimensions: vector.length };
}

export function unpackUnit({ bytes, factor, dimensions }: PackedUnit): Embedding {
  return unpack(bytes, 0, { bits: UNIT_BITS, factor, dimensions });
}

/** A document's own vector and its units, all of the same dimensions, in one blob. */
export function packEmbeddings(own: Embedding, units: readonly PackedUnit[]): Buffer {
  const { unitsAt, unitBytes } = layout(own.length);
  const blob = Buffer.alloc(unitsAt + units.length * (FACTOR_BYTES + unitBytes));
  blob.writeFloatLE(pack(own, OWN_BITS, blob, FACTOR_BYTES), 0);
  for (const [index, { bytes, factor }] of units.entries()) {
    blob.writeFloatLE(factor, unitsAt + index * FACTOR_BYTES);
    blob.set(bytes, unitsAt + units.length * FACTOR_BYTES + index * unitBytes);
  }
  return blob;
}

/** How many vectors a blob holds; not a whole number where the blob is damaged. */
export function embeddingCount(blob: Uint8Array, dimensions: number): number {
  const { unitsAt, unitBytes } = layout(dimensions);
  return 1 + (blob.length - unitsAt) / (FACTOR_BYTES + unitBytes);
}

/** The cosines of the query with each vector of a blob, in their order. */
export function cosinesOf(query: DotProducts, blob: Uint8Array, dimensions: number): Float64Array {
  return cosinesOfAll(query, [blob], dimensions)[0] as Float64Array;
}

/**
 * The same of several blobs, each by itself. Those that lie in one memory are copied at once for it,
 * and the cosines lie in one as well: making a memory takes longer than filling it.
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

/** A document's own vector as it is stored. */
export interface OwnVector {
  bytes: Uint8Array;
  factor: number;
  dimensions: number;
}

/** The own vector in a blob. */
export function ownVectorOf(blob: Buffer, dimensions: number): OwnVector {
  const bytes = blob.subarray(FACTOR_BYTES, layout(dimensions).unitsAt);
  return { bytes, factor: blob.readFloatLE(0), dimensions };
}

export function unpackOwn({ bytes, factor, dimensions }: OwnVector): Embedding {
  return unpack(bytes, 0, { bits: OWN_BITS, factor, dimensions });
}

/** The cosines of a query with each of these. */
export function cosinesWithOwn(query: DotProducts, own: readonly OwnVector[]): Float64Array {
  const cosines = query.with(sideBySide(own));
  for (const [index, { factor }] of own.entries()) {
    cosines[index] = (cosines[index] as number) * factor;
  }
  return cosines;
}

/** The cosines of each of these with each: as many rows as vectors. */
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

/** The mean of vectors with such weights, at unit length. */
export function meanOfOwn(own: readonly OwnVector[], weights: readonly number[]): Embedding {
  const sum = new Float32Array(own[0]?.dimensions ?? 0);
  for (const [index, { bytes, factor }] of own.entries()) {
    // Codes of 8 bits stand in the order of the components.
    const codes = new Int8Array(bytes.buffer, bytes.byteOffset, sum.length);
    const scale = factor * (weights[index] as number);
    for (let i = 0; i < sum.length; i++) sum[i] = (sum[i] as number) + scale * (codes[i] as number);
  }
  return meanVector([sum]);
}

function sideBySide(own: readonly OwnVector[]): PackedVectors {
  const stride = own[0]?.bytes.length ?? 0;
  const bytes = new Uint8Array(own.length * stride);
  for (const [index, vector] of own.entries()) bytes.set(vector.bytes, index * stride);
  return { block: createBlock(bytes), start: 0, stride, count: own.length, bits: OWN_BITS };
}

/** The units in a blob, still in its memory. */
export function unitsOf(blob: Buffer, dimensions: number): PackedUnit[] {
  const { unitsAt, unitBytes } = layout(dimensions);
  const units = Math.floor(embeddingCount(blob, dimensions)) - 1;
  return Array.from({ length: units }, (_, unit) => {
    const start = unitsAt + units * FACTOR_BYTES + unit * unitBytes;
    const factor = blob.readFloatLE(unitsAt + unit * FACTOR_BYTES);
    return { bytes: blob.subarray(start, start + unitBytes), factor, dimensions };
  });
}

/** All vectors of a blob, for checks. */
export function unpackEmbeddings(blob: Buffer, dimensions: number): Embedding[] {
  const own = unpackOwn(ownVectorOf(blob, dimensions));
  return [own, ...unitsOf(blob, dimensions).map(unpackUnit)];
}

function layout(dimensions: number): { unitsAt: number; unitBytes: number } {
  return {
    unitsAt: FACTOR_BYTES + packedBytes(dimensions, OWN_BITS),
    unitBytes: packedBytes(dimensions, UNIT_BITS),
  };
}

/** A vector as a float32 blob. */
export function toFloatBlob(vector: Embedding): Buffer {
  return Buffer.from(vector.buffer, vector.byteOffset, vector.byteLength);
}
