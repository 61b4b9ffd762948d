import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  COMPILED_BASE64,
  createBlock,
  createResidentBlock,
  dotProductsOf,
  pairProducts,
} from '../../src/vectors/dot-products.ts';
import {
  type Bits,
  codeRanges,
  dequantize,
  quantize,
  quantizedBytes,
} from '../../src/vectors/quantization.ts';
import { ANY_DIMENSIONS, anyVector, compileText, dot, unitVector } from '../support/vectors.ts';

const DIMENSIONS = 384;

/** Any bytes as vectors: also codes that quantizing never makes, and garbage in the padding. */
const ANY_CASE = fc
  .record({
    dimensions: ANY_DIMENSIONS,
    bits: fc.constantFrom<Bits>(2, 4, 8),
    count: fc.nat(6),
    start: fc.nat(20),
    gap: fc.nat(9),
  })
  .chain((shape) => {
    const stride = quantizedBytes(shape.dimensions, shape.bits) + shape.gap;
    const length = shape.start + shape.count * stride;
    const bytes = fc.uint8Array({ minLength: length, maxLength: length });
    return fc.tuple(fc.constant({ ...shape, stride }), anyVector(shape.dimensions), bytes);
  });

describe('dot products', () => {
  it('are computed by the module that dot-products.wat compiles to', async () => {
    expect(await compileText('dot-products.wat')).toBe(COMPILED_BASE64);
  });

  it('equal those of a plain loop for any vectors, counts and layouts', () => {
    fc.assert(
      fc.property(ANY_CASE, ([{ dimensions, bits, count, start, stride }, query, bytes]) => {
        const block = createBlock(bytes);
        const products = dotProductsOf(query).with({ block, start, stride, count, bits });
        expect(products.length).toBe(count);
        const { most, offset } = codeRanges[bits];
        const largest = Math.max(...query.map(Math.abs));
        // The query is rounded to 14 bits, which is half a step per component, times the largest
        // code. A signed byte can be greater by one.
        const bound = (dimensions * (most + 1 - offset) * 0.5 * largest) / 8191 + 1e-5;
        for (let i = 0; i < count; i++) {
          const vector = dequantize(bytes, start + i * stride, { bits, factor: 1, dimensions });
          expect(Math.abs((products[i] as number) - dot(query, vector))).toBeLessThanOrEqual(bound);
        }
      }),
      { numRuns: 300 },
    );
  });

  it('equal those of a plain loop exactly for pairs of quantized vectors', () => {
    const some = ANY_DIMENSIONS.chain((n) => fc.array(unitVector(n), { maxLength: 5 }));
    fc.assert(
      fc.property(some, fc.nat(20), (vectors, start) => {
        const dimensions = vectors[0]?.length ?? 0;
        const stride = quantizedBytes(dimensions, 8);
        const bytes = new Uint8Array(start + vectors.length * stride);
        for (const [i, vector] of vectors.entries()) quantize(vector, 8, bytes, start + i * stride);
        const codes = vectors.map((_, i) =>
          dequantize(bytes, start + i * stride, { bits: 8, factor: 1, dimensions }),
        );
        const block = createBlock(bytes);
        const layout = { block, start, stride, count: vectors.length, bits: 8 as const };
        expect([...pairProducts(layout)]).toEqual(
          codes.flatMap((a) => codes.map((b) => dot(a, b))),
        );
      }),
    );
  });

  it('belong to the given block, in whatever order blocks alternate', () => {
    const query = dotProductsOf(new Float32Array(64).fill(1));
    const blocks = [1, 2, 3, 4].map((value, at) => {
      const bytes = new Uint8Array(64 * (at + 1)).fill(value);
      return at % 2 === 0 ? createBlock(bytes) : createResidentBlock(bytes);
    });
    for (const turn of [0, 1, 0, 2, 1, 3, 2, 0, 3, 3, 1]) {
      const block = blocks[turn] as (typeof blocks)[number];
      const layout = { block, start: 64 * turn, stride: 64, count: 1, bits: 8 as const };
      // Products of pairs overwrite the query in memory.
      if (turn === 2) expect([...pairProducts(layout)]).toEqual([9 * 64]);
      expect(query.with(layout)[0]).toBeCloseTo(64 * (turn + 1), 3);
    }
  });

  it('belong to the given query, in whatever order queries alternate', () => {
    const queries = [1, -1, 0.5].map((value) => new Float32Array(64).fill(value));
    const products = queries.map(dotProductsOf);
    const block = createBlock(new Uint8Array(64).fill(2));
    for (const turn of [0, 1, 0, 2, 2, 1, 0]) {
      const [product] =
        products[turn]?.with({ block, start: 0, stride: 64, count: 1, bits: 8 }) ?? [];
      expect(product).toBeCloseTo(128 * (queries[turn]?.[0] ?? 0), 3);
    }
  });

  it('do not overflow with the largest possible components', () => {
    const largest = new Float32Array(1024).fill(1 / 32);
    for (const [code, sum] of [
      [127, 127 * 32],
      [-128, -128 * 32],
    ] as const) {
      const block = createBlock(new Uint8Array(1024).fill(code));
      const [product] = dotProductsOf(largest).with({
        block,
        start: 0,
        stride: 1024,
        count: 1,
        bits: 8,
      });
      expect(product).toBeCloseTo(sum, 0);
    }
  });

  it('grow the memory for a document of a thousand sentences and keep the query', () => {
    const products = dotProductsOf(new Float32Array(DIMENSIONS).fill(1));
    for (const count of [1, 5000]) {
      const block = createBlock(new Uint8Array(count * DIMENSIONS).fill(1));
      const found = products.with({ block, start: 0, stride: DIMENSIONS, count, bits: 8 });
      expect(found.length).toBe(count);
      expect(found.every((product) => Math.abs(product - DIMENSIONS) < 1e-6)).toBe(true);
    }
  });
});
