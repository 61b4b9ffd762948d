/**
 * Dot products with WebAssembly's vector instructions: twenty times as fast as the same loop in
 * JavaScript, and a search makes some tens of thousands. One memory a thread, reused by each call.
 */
import type { Embedding } from '../types.ts';
import { type Bits, COMPONENTS_PER_BLOCK, codeRanges, paddedLength } from './codes.ts';
import { ensureBytes, instantiate, type WasmMemory } from './wasm.ts';

/** dot-products.wat, compiled; the test beside its name compiles it again and compares. */
export const COMPILED_BASE64 =
  'AGFzbQEAAAABCwFgB39/f39/f38AAwIBAAUDAQAEBxgCBm1lbW9yeQIAC2RvdFByb2R1Y3RzAAAK6QEB5gECBHsFfyAC' +
  'RQRADwtBASAFdEEBa/0PIQogACAEQQF0aiENQYACIAVuIQ8DQP0MAAAAAAAAAAAAAAAAAAAAACEHIAEhCyAAIQwDQCAL' +
  '/QAEACEIIAwgD2ohDgNAIAggCv1OIQkgByAJ/YcBIAz9AAQA/boBIAn9iAEgDP0ABBD9ugH9rgH9rgEhByAIIAX9bSEI' +
  'IAxBIGohDCAMIA5JDQALIAtBEGohCyAMIA1JDQALIAYgB/0bACAH/RsBaiAH/RsCIAf9GwNqajYCACABIANqIQEgBkEE' +
  'aiEGIAJBAWshAiACDQALCw==';

interface Exports {
  memory: WasmMemory;
  dotProducts(
    query: number,
    vectors: number,
    count: number,
    stride: number,
    length: number,
    bits: number,
    out: number,
  ): void;
}

/** Components of the query in int16: with 8 bits and 1,000 dimensions no sum overflows. */
const QUERY_MAX = 8191;

let exported: Exports | undefined;
/** Its memory, seen anew when it has grown: a view costs as much as a product of two vectors. */
let bytesInMemory = new Uint8Array(0);
let sumsInMemory = new Int32Array(0);
/** What stands in the memory now. */
let loadedQuery: Int16Array | undefined;
let loadedVectors: PackedVectors | undefined;

/**
 * Where the packed vectors lie in `bytes`. Give the same object for several queries, and the bytes
 * are copied only once; they must not change meanwhile.
 */
export interface PackedVectors {
  bytes: Uint8Array;
  /** Byte at which the first one's components start. */
  start: number;
  /** Bytes from one to the next. */
  stride: number;
  count: number;
  bits: Bits;
}

export interface DotProducts {
  /**
   * The products of the query with the vectors, still to be multiplied with each one's factor (see
   * codes.ts). The result is valid until the next call.
   */
  with(vectors: PackedVectors): Float64Array;
}

/** Takes the query that vectors are multiplied with. */
export function dotProductsOf(query: Embedding): DotProducts {
  let largest = 0;
  for (let i = 0; i < query.length; i++) largest = Math.max(largest, Math.abs(query[i] as number));
  const scale = largest === 0 ? 1 : largest / QUERY_MAX;
  const components = new Int16Array(paddedLength(query.length));
  for (let i = 0; i < query.length; i++) components[i] = Math.round((query[i] as number) / scale);
  return productsWith(components, scale);
}

/** The same for a vector that is packed in 8 bits, with its factor. */
export function dotProductsOfPacked(bytes: Uint8Array, factor: number): DotProducts {
  const signed = new Int8Array(bytes.buffer, bytes.byteOffset, bytes.length);
  return productsWith(new Int16Array(signed), factor);
}

/** `components`: the query, padded with zeros; times `scale` it is the query itself. */
function productsWith(components: Int16Array, scale: number): DotProducts {
  let sum = 0;
  for (let i = 0; i < components.length; i++) sum += components[i] as number;
  let products = new Float64Array(0);
  return {
    with(vectors) {
      const { bytes, start, stride, count, bits } = vectors;
      exported ??= instantiate(COMPILED_BASE64) as Exports;
      const { memory, dotProducts } = exported;
      const vectorsAt = components.byteLength;
      const end = start + count * stride;
      // The sums stand behind the vectors and one more block, on the next multiple of 4.
      const outAt = (vectorsAt + end - start + COMPONENTS_PER_BLOCK + 3) & ~3;
      ensureBytes(memory, outAt + 4 * count);
      if (bytesInMemory.buffer !== memory.buffer) {
        bytesInMemory = new Uint8Array(memory.buffer);
        sumsInMemory = new Int32Array(memory.buffer);
      }
      if (loadedQuery !== components) new Int16Array(memory.buffer).set(components);
      if (loadedVectors !== vectors) bytesInMemory.set(bytes.subarray(start, end), vectorsAt);
      loadedQuery = components;
      loadedVectors = vectors;
      dotProducts(0, vectorsAt, count, stride, components.length, bits, outAt);
      if (products.length < count) products = new Float64Array(count);
      const offset = codeRanges[bits].offset * sum;
      const sums = outAt / 4;
      for (let i = 0; i < count; i++) {
        products[i] = ((sumsInMemory[sums + i] as number) - offset) * scale;
      }
      return products.length === count ? products : products.subarray(0, count);
    },
  };
}
