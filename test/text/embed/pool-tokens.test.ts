import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Pooling } from '../../../src/text/embed/manifest.ts';
import { normalize, pool } from '../../../src/text/embed/pool-tokens.ts';

/** Two texts of three tokens in two dimensions. The second has one token of padding. */
const STATES = [
  [3, 4, 1, 0, 0, 1],
  [0, 5, 2, 5, 100, 100],
];
const MASK = [
  [1, 1, 1],
  [1, 1, 0],
];

describe('pool', () => {
  it.each<[pooling: Pooling, output: number[], vectors: number[][]]>([
    [
      'graph',
      [3, 4, 0, -2],
      [
        [3, 4],
        [0, -2],
      ],
    ],
    [
      'cls',
      STATES.flat(),
      [
        [3, 4],
        [0, 5],
      ],
    ],
    [
      'mean',
      STATES.flat(),
      [
        [4 / 3, 5 / 3],
        [1, 5],
      ],
    ],
    [
      'last',
      STATES.flat(),
      [
        [0, 1],
        [2, 5],
      ],
    ],
  ])('returns %s', (pooling, output, expected) => {
    const vectors = pool(Float32Array.from(output), {
      texts: 2,
      tokens: 3,
      dimensions: 2,
      pooling,
      mask: Int32Array.from(MASK.flat()),
    });
    for (const [text, vector] of expected.entries()) {
      for (const [i, component] of vector.entries()) {
        expect(vectors[text]?.[i]).toBeCloseTo(component, 6);
      }
    }
  });

  it.each<Pooling>(['graph', 'cls', 'mean', 'last'])(
    'gives %s vectors a memory of their own',
    (pooling) => {
      const output = Float32Array.of(3, 4);
      const options = { texts: 1, tokens: 1, dimensions: 2, pooling, mask: Int32Array.of(1) };
      const [vector] = pool(output, options);
      output.fill(0);
      expect([...(vector ?? [])].map((component) => component.toFixed(2))).toEqual([
        ...['3.00', '4.00'],
      ]);
      expect(vector?.buffer.byteLength).toBe(8);
    },
  );
});

describe('normalize', () => {
  it('scales to unit length and keeps the direction', () => {
    const components = fc.array(fc.double({ min: -1e3, max: 1e3, noNaN: true }), { minLength: 1 });
    fc.assert(
      fc.property(components, (values) => {
        const before = Float32Array.from(values);
        const length = Math.hypot(...before);
        fc.pre(length > 1e-6);
        const after = normalize(before.slice());
        expect(Math.hypot(...after)).toBeCloseTo(1, 5);
        for (const [i, value] of before.entries()) expect(after[i]).toBeCloseTo(value / length, 5);
      }),
    );
  });

  it('leaves a zero vector unchanged', () => {
    expect([...normalize(new Float32Array(3))]).toEqual([0, 0, 0]);
  });
});
