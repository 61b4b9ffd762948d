/**
 * Dot products with WebAssembly's vector instructions: twenty times as fast as the same loop in
 * JavaScript, and a search makes some tens of thousands.
 */
import type { Embedding } from '../types.ts';
import { type Bits, COMPONENTS_PER_BLOCK, codeRanges, paddedLength } from './codes.ts';
import { ensureBytes, instantiate, viewsOf, type WasmMemory } from './wasm.ts';

/** dot-products.wat, compiled; the test beside its name compiles it again and compares. */
export const COMPILED_BASE64 =
  'AGFzbQEAAAABEwJgB39/f39/f38AYAV/f39/fwADAwIAAQUDAQAEBycDBm1lbW9yeQIAC2RvdFByb2R1Y3RzAAAMcGFpclBy' +
  'b2R1Y3RzAAEK1AMC5gECBHsFfyACRQRADwtBASAFdEEBa/0PIQogACAEQQF0aiENQYACIAVuIQ8DQP0MAAAAAAAAAAAAAAAA' +
  'AAAAACEHIAEhCyAAIQwDQCAL/QAEACEIIAwgD2ohDgNAIAggCv1OIQkgByAJ/YcBIAz9AAQA/boBIAn9iAEgDP0ABBD9ugH9' +
  'rgH9rgEhByAIIAX9bSEIIAxBIGohDCAMIA5JDQALIAtBEGohCyAMIA1JDQALIAYgB/0bACAH/RsBaiAH/RsCIAf9GwNqajYC' +
  'ACABIANqIQEgBkEEaiEGIAJBAWshAiACDQALC+kBAwV/A3sBfwJAA0AgBSABTw0BIAAgBSACbGohByAFIQYDQCAAIAYgAmxq' +
  'IQj9DAAAAAAAAAAAAAAAAAAAAAAhCkEAIQkDQCAHIAlq/QAEACELIAggCWr9AAQAIQwgCiAL/YcBIAz9hwH9ugEgC/2IASAM' +
  '/YgB/boB/a4B/a4BIQogCUEQaiEJIAkgA0kNAAsgCv0bACAK/RsBaiAK/RsCIAr9GwNqaiENIAQgBSABbCAGakECdGogDTYC' +
  'ACAEIAYgAWwgBWpBAnRqIA02AgAgBkEBaiEGIAYgAUkNAAsgBUEBaiEFDAALCws=';

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
  pairProducts(vectors: number, count: number, stride: number, length: number, out: number): void;
}

/** Components of the query in int16: with 8 bits and 1,000 dimensions no sum overflows. */
const QUERY_MAX = 8191;
/** What stands in a module's memory begins at a multiple of it. */
const ALIGNMENT_BYTES = 16;

/**
 * Bytes that packed vectors lie in, which must not change. They are copied into a module's memory
 * where they are not there yet; so give the same block for several products.
 */
export interface VectorBlock {
  readonly bytes: Uint8Array;
  readonly module: Module;
}

/** Where vectors lie in a block. */
export interface PackedVectors {
  block: VectorBlock;
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

/** The WebAssembly module, and what stands in its memory: a block and behind it a query. */
interface Module {
  exports: Exports;
  viewsNow: () => { bytes: Uint8Array; words: Int32Array };
  block: VectorBlock | undefined;
  query: Int16Array | undefined;
}

/** Two a thread: what is asked for again and again must not give way to what is not. */
let passing: Module | undefined;
let staying: Module | undefined;

/** A block that is in memory until the products of another one are asked for. */
export function createBlock(bytes: Uint8Array): VectorBlock {
  passing ??= openModule();
  return { bytes, module: passing };
}

/** A block that is in memory until those of another one of this kind are asked for. */
export function createStayingBlock(bytes: Uint8Array): VectorBlock {
  staying ??= openModule();
  return { bytes, module: staying };
}

/** Prepares a query of any length. */
export function dotProductsOf(query: Embedding): DotProducts {
  let largest = 0;
  for (let i = 0; i < query.length; i++) largest = Math.max(largest, Math.abs(query[i] as number));
  const scale = largest === 0 ? 1 : largest / QUERY_MAX;
  const components = new Int16Array(paddedLength(query.length));
  let sum = 0;
  for (let i = 0; i < query.length; i++) {
    const component = Math.round((query[i] as number) / scale);
    components[i] = component;
    sum += component;
  }
  let products = new Float64Array(0);
  return {
    with({ block, start, stride, count, bits }) {
      const { module } = block;
      const queryAt = load(block);
      const outAt = queryAt + components.byteLength;
      ensureBytes(module.exports.memory, outAt + 4 * count);
      const { bytes, words } = module.viewsNow();
      if (module.query !== components) {
        bytes.set(new Uint8Array(components.buffer), queryAt);
        module.query = components;
      }
      module.exports.dotProducts(queryAt, start, count, stride, components.length, bits, outAt);
      if (products.length < count) products = new Float64Array(count);
      const offset = codeRanges[bits].offset * sum;
      const sums = outAt / 4;
      for (let i = 0; i < count; i++) {
        products[i] = ((words[sums + i] as number) - offset) * scale;
      }
      return products.length === count ? products : products.subarray(0, count);
    },
  };
}

/**
 * The products of each of the vectors, of 8 bits, with each, still to be multiplied with both
 * factors: as many rows as vectors. Valid until the next call.
 */
export function pairProducts({ block, start, stride, count }: PackedVectors): Int32Array {
  const { module } = block;
  const outAt = load(block);
  ensureBytes(module.exports.memory, outAt + 4 * count * count);
  module.query = undefined;
  module.exports.pairProducts(start, count, stride, stride, outAt);
  const { words } = module.viewsNow();
  return words.subarray(outAt / 4, outAt / 4 + count * count);
}

/** Sees to it that the block is in the memory of its module. Returns the first byte behind it. */
function load(block: VectorBlock): number {
  const { module, bytes } = block;
  // The last vector may be read as a whole block of components.
  const end = bytes.length + COMPONENTS_PER_BLOCK;
  const behind = Math.ceil(end / ALIGNMENT_BYTES) * ALIGNMENT_BYTES;
  if (module.block === block) return behind;
  ensureBytes(module.exports.memory, behind);
  module.viewsNow().bytes.set(bytes);
  module.block = block;
  module.query = undefined;
  return behind;
}

function openModule(): Module {
  const exports = instantiate(COMPILED_BASE64) as Exports;
  const viewsNow = viewsOf(exports.memory, (buffer) => ({
    bytes: new Uint8Array(buffer),
    words: new Int32Array(buffer),
  }));
  return { exports, viewsNow, block: undefined, query: undefined };
}
