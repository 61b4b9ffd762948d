import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import wabt from 'wabt';
import { COMPILED_BASE64, dotProductsOf } from '../../src/store/dot-products.ts';

const DIMENSIONS = 384;
const source = resolve(import.meta.dirname, '../../src/store/dot-products.wat');

describe('dot products', () => {
  it('are computed by the code that stands in dot-products.wat', async () => {
    const module = (await wabt()).parseWat(join(source), readFileSync(source, 'utf8'), {
      simd: true,
    });
    expect(Buffer.from(module.toBinary({}).buffer).toString('base64')).toBe(COMPILED_BASE64);
  });

  it('agree with the plain loop, whatever the vectors and however many', () => {
    const component = fc.integer({ min: -127, max: 127 });
    const vector = fc.array(component, { minLength: DIMENSIONS, maxLength: DIMENSIONS });
    fc.assert(
      fc.property(vector, fc.array(vector, { maxLength: 9 }), (query, vectors) => {
        const products = dotProductsOf(Float32Array.from(query));
        const sums = products.with(Int8Array.from(vectors.flat()), vectors.length);
        expect(sums.length).toBe(vectors.length);
        for (const [index, other] of vectors.entries()) {
          const expected = query.reduce((sum, value, i) => sum + value * (other[i] as number), 0);
          // The query is rounded to 14 bits: half a step a component, times at most 127.
          const bound = DIMENSIONS * 127 * products.scale * 0.5 + 1e-6;
          expect(Math.abs((sums[index] as number) * products.scale - expected)).toBeLessThan(bound);
        }
      }),
      { numRuns: 50 },
    );
  });

  it('do not overflow with the largest components that there can be', () => {
    const largest = new Float32Array(1024).fill(1 / 32);
    const products = dotProductsOf(largest);
    const sums = products.with(new Int8Array(1024).fill(127), 1);
    expect((sums[0] as number) * products.scale).toBeCloseTo(127 * 32, 0);
  });

  it('grow their memory for a document of a thousand sentences', () => {
    const query = new Float32Array(DIMENSIONS).fill(1);
    const sums = dotProductsOf(query).with(new Int8Array(2000 * DIMENSIONS).fill(1), 2000);
    expect(new Set(sums).size).toBe(1);
    expect(sums.length).toBe(2000);
  });
});
