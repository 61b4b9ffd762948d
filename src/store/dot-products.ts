/**
 * Dot products with WebAssembly's vector instructions: twenty times as fast as the same loop in
 * JavaScript, and a search makes some thousands of them. One memory a thread, reused by each call.
 */
import type { Embedding } from '../types.ts';

/** dot-products.wat, compiled; the test beside its name compiles it again and compares. */
export const COMPILED_BASE64 =
  'AGFzbQEAAAABCQFgBX9/f39/AAMCAQAFAwEABAcYAgZtZW1vcnkCAAtkb3RQcm9kdWN0cwAACpABAY0BAgF7AX8g' +
  'AkUEQA8LA0D9DAAAAAAAAAAAAAAAAAAAAAAhBUEAIQYDQCAFIAAgBkEBdGr9AAQAIAEgBmr9AQMA/boB/a4BIQUg' +
  'BkEIaiEGIAYgA0kNAAsgBCAF/RsAIAX9GwFqIAX9GwIgBf0bA2pqNgIAIAEgA2ohASAEQQRqIQQgAkEBayECIAIN' +
  'AAsL';

interface Memory {
  readonly buffer: ArrayBuffer;
  grow(pages: number): number;
}

/** The part of the global that is used here; the types of Node do not have it. */
interface WebAssemblyRuntime {
  Module: new (bytes: Uint8Array) => object;
  Instance: new (module: object) => { exports: unknown };
}

interface Exports {
  memory: Memory;
  dotProducts(query: number, vectors: number, count: number, length: number, out: number): void;
}

const PAGE_BYTES = 64 * 1024;
/** Components of the query in int16: with int8 vectors of 2,000 dimensions no sum overflows. */
const QUERY_MAX = 8191;

let exported: Exports | undefined;

export interface DotProducts {
  /**
   * The dot products of the query with `count` int8 vectors at the start of `vectors`. The result
   * is valid until the next call.
   */
  with(vectors: Int8Array, count: number): Int32Array;
  /** Multiply a result by it to have the product with the unit query. */
  scale: number;
}

/** Takes the query. Only the last one taken on a thread may be used: they share the memory. */
export function dotProductsOf(query: Embedding): DotProducts {
  exported ??= instantiate();
  const { memory, dotProducts } = exported;
  const length = query.length;
  let largest = 0;
  for (const component of query) largest = Math.max(largest, Math.abs(component));
  const scale = largest === 0 ? 1 : largest / QUERY_MAX;
  const quantized = new Int16Array(memory.buffer, 0, length);
  for (let i = 0; i < length; i++) quantized[i] = Math.round((query[i] as number) / scale);
  const vectorsAt = 2 * length;
  return {
    scale,
    with(vectors, count) {
      // The sums stand behind the vectors, on the next multiple of 4.
      const outAt = (vectorsAt + count * length + 3) & ~3;
      ensureBytes(memory, outAt + 4 * count);
      new Int8Array(memory.buffer, vectorsAt).set(vectors.subarray(0, count * length));
      dotProducts(0, vectorsAt, count, length, outAt);
      return new Int32Array(memory.buffer, outAt, count);
    },
  };
}

function instantiate(): Exports {
  const { Module, Instance } = (globalThis as unknown as { WebAssembly: WebAssemblyRuntime })
    .WebAssembly;
  return new Instance(new Module(Buffer.from(COMPILED_BASE64, 'base64'))).exports as Exports;
}

function ensureBytes(memory: Memory, bytes: number): void {
  const missing = bytes - memory.buffer.byteLength;
  if (missing > 0) memory.grow(Math.ceil(missing / PAGE_BYTES));
}
