import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  type Bits,
  codeRanges,
  dequantize,
  paddedLength,
  quantize,
  quantizedBytes,
} from '../../src/vectors/quantization.ts';
import { ANY_DIMENSIONS, anyVector, dot, vectorSource } from '../support/vectors.ts';

const BITS: readonly Bits[] = [2, 4, 8];
const ANY_BITS = fc.constantFrom(...BITS);
const ANY_PACKED = fc.tuple(ANY_DIMENSIONS.chain(anyVector), ANY_BITS, fc.nat(40));

describe('paddedLength and quantizedBytes', () => {
  it.each([
    [1, 64, [16, 32, 64]],
    [64, 64, [16, 32, 64]],
    [65, 128, [32, 64, 128]],
    [384, 384, [96, 192, 384]],
  ])('pads %i components to %i', (dimensions, padded, bytes) => {
    expect(paddedLength(dimensions)).toBe(padded);
    expect(BITS.map((bits) => quantizedBytes(dimensions, bits))).toEqual(bytes);
  });
});

describe('quantize', () => {
  it('writes the codes in the documented layout and touches no other byte', () => {
    fc.assert(
      fc.property(ANY_PACKED, ([vector, bits, start]) => {
        const bytes = quantizedBytes(vector.length, bits);
        const out = new Uint8Array(start + bytes + 3);
        quantize(vector, bits, out, start);
        const codes = plainCodes(vector, bits);
        const expected = new Uint8Array(out.length);
        for (const [i, code] of codes.entries()) {
          const perBlock = (16 * 8) / bits;
          const at = start + 16 * Math.floor(i / perBlock) + (i % 16);
          const shift = bits * Math.floor((i % perBlock) / 16);
          expected[at] = (expected[at] as number) + ((code & (2 ** bits - 1)) << shift);
        }
        expect([...out]).toEqual([...expected]);
      }),
    );
  });

  it('makes the product of a vector with its own code exact', () => {
    fc.assert(
      fc.property(ANY_PACKED, ([vector, bits, start]) => {
        const squares = dot(vector, vector);
        expect(dot(vector, thereAndBack(vector, bits, start))).toBeCloseTo(squares, 4);
      }),
    );
  });

  it('keeps each component within one step with 8 bits', () => {
    fc.assert(
      fc.property(ANY_DIMENSIONS.chain(anyVector), (vector) => {
        const stored = thereAndBack(vector, 8, 0);
        const step = Math.max(...vector.map(Math.abs)) / 127;
        // Half a step by rounding, and half because the factor differs from the step.
        for (const [i, component] of vector.entries()) {
          expect(Math.abs((stored[i] as number) - component)).toBeLessThanOrEqual(step + 1e-7);
        }
      }),
    );
  });

  it.each([
    [2, 0.92],
    [4, 0.985],
    [8, 0.9999],
  ] as const)(
    'keeps the direction of normally distributed components with %i bits to a cosine of %f',
    (bits, least) => {
      const draw = vectorSource(1, 384);
      for (let i = 0; i < 50; i++) {
        const vector = draw();
        const stored = thereAndBack(vector, bits, 0);
        expect(dot(vector, stored) / Math.hypot(...stored)).toBeGreaterThan(least);
      }
    },
  );

  it.each(BITS)('turns a zero vector into a zero vector with %i bits', (bits) => {
    const zero = new Float32Array(65);
    expect(quantize(zero, bits, new Uint8Array(quantizedBytes(65, bits)), 0)).toBe(0);
    expect(thereAndBack(zero, bits, 0).every((component) => Math.abs(component) === 0)).toBe(true);
  });
});

function thereAndBack(vector: Float32Array, bits: Bits, start: number): Float32Array {
  const out = new Uint8Array(start + quantizedBytes(vector.length, bits));
  const factor = quantize(vector, bits, out, start);
  return dequantize(out, start, { bits, factor, dimensions: vector.length });
}

/** The nearest code of each component; no codes for a zero vector. */
function plainCodes(vector: Float32Array, bits: Bits): number[] {
  const { least, most, offset } = codeRanges[bits];
  const deviation = Math.sqrt(dot(vector, vector) / vector.length);
  const largest = Math.max(...vector.map(Math.abs));
  const step = { 2: 0.9957 * deviation, 4: 0.3352 * deviation, 8: largest / 127 }[bits];
  if (step === 0) return [];
  return [...vector].map((component) =>
    Math.min(most, Math.max(least, Math.round(component / step + offset))),
  );
}
