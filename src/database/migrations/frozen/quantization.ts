/**
 * Scalar quantization as step 3 writes it. A frozen copy: it never changes, also where today's code
 * in src/vectors/ does, because the steps after it expect exactly these bytes.
 *
 * component = factor * (code - offset). Codes of 8 bits are signed and have no offset; codes of 2
 * and 4 bits are unsigned. Packed in blocks of 16 bytes: byte n of a block holds component n in its
 * lowest bits, component 16 + n in the next ones, and so on.
 */
type Bits = 2 | 4 | 8;

const BLOCK_BYTES = 16;
/** Components of a block of 2 bits. Vectors are padded to a multiple of it. */
const COMPONENTS_PER_BLOCK = 64;

/** The smallest and the largest code, and what is subtracted from codes. */
const ranges = {
  2: { least: 0, most: 3, offset: 1.5 },
  4: { least: 0, most: 15, offset: 7.5 },
  8: { least: -127, most: 127, offset: 0 },
} as const;

/** Steps in standard deviations. */
const bestSteps = { 2: 0.9957, 4: 0.3352 } as const;

/** Bytes of a quantized vector, without its factor. */
export function quantizedBytes(dimensions: number, bits: Bits): number {
  const padded = Math.ceil(dimensions / COMPONENTS_PER_BLOCK) * COMPONENTS_PER_BLOCK;
  return (padded * bits) / 8;
}

/** Writes the codes into `out` from byte `start` on, which must be zero; returns the factor. */
export function quantize(vector: Float32Array, bits: Bits, out: Uint8Array, start: number): number {
  const { least, most, offset } = ranges[bits];
  const step = stepOf(vector, bits);
  if (step === 0) return 0;
  const mask = 2 ** bits - 1;
  let squares = 0;
  let products = 0;
  let at = start;
  let shift = 0;
  for (let i = 0; i < vector.length; i++) {
    const component = vector[i] as number;
    const code = Math.min(most, Math.max(least, Math.round(component / step + offset)));
    squares += component * component;
    products += component * (code - offset);
    out[at] = (out[at] as number) | ((code & mask) << shift);
    at++;
    if ((i + 1) % BLOCK_BYTES !== 0) continue;
    shift = (shift + bits) % 8;
    if (shift !== 0) at -= BLOCK_BYTES;
  }
  return Math.fround(squares / products);
}

/** A vector of 8 bits a component. */
export function dequantize(codes: Uint8Array, factor: number, dimensions: number): Float32Array {
  const signed = new Int8Array(codes.buffer, codes.byteOffset, dimensions);
  return Float32Array.from(signed, (code) => factor * code);
}

function stepOf(vector: Float32Array, bits: Bits): number {
  let squares = 0;
  let largest = 0;
  for (const component of vector) {
    squares += component * component;
    largest = Math.max(largest, Math.abs(component));
  }
  if (bits === 8) return largest / ranges[bits].most;
  return Math.sqrt(squares / vector.length) * bestSteps[bits];
}
