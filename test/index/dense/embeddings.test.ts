import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  cosinesBetweenOwn,
  cosinesOf,
  cosinesOfAll,
  cosinesWithOwn,
  decodeEmbeddings,
  dequantizeOwn,
  dequantizeUnit,
  embeddingCount,
  encodeEmbeddings,
  FIRST_SENTENCE,
  meanOfOwn,
  ownVectorOf,
  quantizeUnit,
  toFloatBlob,
  unitsOf,
} from '../../../src/index/dense/embeddings.ts';
import type { Embedding } from '../../../src/types.ts';
import { dotProductsOf } from '../../../src/vectors/dot-products.ts';
import { meanVector } from '../../../src/vectors/mean-vector.ts';
import { ANY_DIMENSIONS, dot, unitVector, vectorSource } from '../../support/vectors.ts';

/** An own vector, units, and a query, all of one length. */
const ANY_DOCUMENT = ANY_DIMENSIONS.chain((dimensions) =>
  fc.tuple(
    fc.array(unitVector(dimensions), { minLength: 1, maxLength: 5 }),
    unitVector(dimensions),
  ),
);

/** Encodes the first vector as the own one and the others as units. */
function encoded([own, ...units]: readonly Embedding[]): Buffer {
  return encodeEmbeddings(own as Embedding, units.map(quantizeUnit));
}

describe('encodeEmbeddings', () => {
  it('encodes every vector in its position', () => {
    const draw = vectorSource(1, 384);
    for (const count of [1, 2, 3, 40]) {
      const vectors = Array.from({ length: count }, draw);
      const blob = encoded(vectors);
      expect(embeddingCount(blob, 384)).toBe(count);
      const decoded = decodeEmbeddings(blob, 384);
      expect(decoded).toHaveLength(count);
      for (const [index, vector] of vectors.entries()) {
        // 8 bits for the own vector, 4 for the others.
        const least = index === 0 ? 0.9999 : 0.985;
        const stored = decoded[index] as Float32Array;
        expect(dot(stored, vector) / Math.hypot(...stored)).toBeGreaterThan(least);
      }
    }
  });

  it('keeps each component of any own vector within one step', () => {
    fc.assert(
      fc.property(ANY_DIMENSIONS.chain(unitVector), (vector) => {
        const blob = encodeEmbeddings(vector, []);
        const stored = dequantizeOwn(ownVectorOf(blob, vector.length));
        const step = Math.max(...vector.map(Math.abs)) / 127;
        for (const [i, component] of vector.entries()) {
          expect(Math.abs((stored[i] as number) - component)).toBeLessThanOrEqual(step + 1e-6);
        }
      }),
    );
  });

  it('writes the documented layout', () => {
    const dimensions = 64;
    const vectors = [1, 2, 3].map((at) => {
      const vector = new Float32Array(dimensions);
      vector[at] = 1;
      return vector;
    });
    const blob = encoded(vectors);
    expect(blob).toHaveLength(4 + 64 + 2 * 4 + 2 * 32);
    expect(blob.readFloatLE(0)).toBeCloseTo(1 / 127, 7);
    expect(new Int8Array(blob.subarray(4, 68))[1]).toBe(127);
    for (const unit of [0, 1]) {
      const start = 76 + unit * 32;
      const largest = blob[start + FIRST_SENTENCE + unit] as number;
      expect(largest & 15).toBe(15);
      // The product of the vector with its code times the factor is 1.
      expect(blob.readFloatLE(68 + 4 * unit) * (15 - 7.5)).toBeCloseTo(1, 5);
    }
  });
});

describe('unitsOf', () => {
  it('returns the encoded units, which encode to the same bytes again', () => {
    fc.assert(
      fc.property(ANY_DOCUMENT, ([[own, ...vectors], other]) => {
        const units = vectors.map(quantizeUnit);
        const found = unitsOf(encodeEmbeddings(own as Embedding, units), other.length);
        expect(found.map(({ bytes, ...rest }) => ({ ...rest, bytes: [...bytes] }))).toEqual(
          units.map(({ bytes, ...rest }) => ({ ...rest, bytes: [...bytes] })),
        );
        // Together with others and in another order.
        const again = unitsOf(
          encodeEmbeddings(other, [...found].reverse()),
          other.length,
        ).reverse();
        expect(again.map(({ factor }) => factor)).toEqual(units.map(({ factor }) => factor));
        for (const [index, { bytes }] of again.entries()) {
          expect(Buffer.compare(bytes, units[index]?.bytes as Uint8Array)).toBe(0);
        }
      }),
    );
  });

  it('is needed because quantizing a dequantized vector can yield other codes', () => {
    const unit = quantizeUnit(Float32Array.from({ length: 64 }, (_, i) => (i === 0 ? 1 : 0)));
    const again = quantizeUnit(dequantizeUnit(unit));
    expect(Buffer.compare(again.bytes, unit.bytes)).not.toBe(0);
  });
});

describe('cosinesOf', () => {
  it('agrees with the decoded vectors wherever the blob begins', () => {
    fc.assert(
      fc.property(ANY_DOCUMENT, fc.nat(7), ([vectors, query], offset) => {
        // SQLite's buffers are not aligned for floats.
        const moved = Buffer.concat([Buffer.alloc(offset, 255), encoded(vectors)]);
        const blob = moved.subarray(offset);
        const cosines = cosinesOf(dotProductsOf(query), blob, query.length);
        const expected = decodeEmbeddings(blob, query.length).map((one) => dot(one, query));
        expect(cosines).toHaveLength(vectors.length);
        for (const [index, cosine] of expected.entries()) {
          expect(Math.abs((cosines[index] as number) - cosine)).toBeLessThan(0.01);
        }
      }),
    );
  });

  it('returns a result that stays valid after the next call', () => {
    const draw = vectorSource(2, 64);
    const [a, b] = [encoded([draw(), draw()]), encoded([draw(), draw()])];
    const query = dotProductsOf(draw());
    const first = cosinesOf(query, a, 64);
    const before = [...first];
    cosinesOf(query, b, 64);
    expect([...first]).toEqual(before);
  });

  it('returns the same for several blobs together', () => {
    const draw = vectorSource(5, 100);
    const blobs = [1, 4, 2].map((count) => encoded(Array.from({ length: count }, draw)));
    const query = dotProductsOf(draw());
    const joined = Buffer.concat([Buffer.alloc(3), ...blobs]);
    let end = 3;
    const parts = blobs.map((blob) => {
      end += blob.length;
      return joined.subarray(end - blob.length, end);
    });
    const expected = blobs.map((blob) => cosinesOf(query, blob, 100));
    expect(cosinesOfAll(query, parts, 100)).toEqual(expected);
    // Some blobs lie in another memory.
    expect(cosinesOfAll(query, [parts[0], blobs[1], parts[2]] as Buffer[], 100)).toEqual(expected);
    expect(cosinesOfAll(query, [], 100)).toEqual([]);
  });

  it('is 0 for zero vectors and for a zero query', () => {
    const [zero, one] = [new Float32Array(17), vectorSource(3, 17)()];
    const all = [
      cosinesOf(dotProductsOf(one), encoded([zero, zero]), 17),
      cosinesOf(dotProductsOf(zero), encoded([one, one]), 17),
    ].flatMap((cosines) => [...cosines]);
    expect(all.map(Math.abs)).toEqual([0, 0, 0, 0]);
  });
});

describe('cosinesBetweenOwn and meanOfOwn', () => {
  it('agree with a plain loop', () => {
    fc.assert(
      fc.property(ANY_DOCUMENT, ([vectors, query]) => {
        const dimensions = query.length;
        const own = [...vectors, query].map((vector) =>
          ownVectorOf(encodeEmbeddings(vector, []), dimensions),
        );
        const between = cosinesBetweenOwn(own);
        for (const [row, one] of own.entries()) {
          const cosines = cosinesWithOwn(dotProductsOf(dequantizeOwn(one)), own);
          for (const [column, other] of own.entries()) {
            const cosine = dot(dequantizeOwn(one), dequantizeOwn(other));
            expect(cosines[column]).toBeCloseTo(cosine, 2);
            expect(between[row * own.length + column]).toBeCloseTo(cosine, 4);
          }
        }
      }),
    );
  });

  it('compute the weighted mean of the decoded vectors', () => {
    const weights = fc.array(fc.double({ min: 0.1, max: 1, noNaN: true }), { minLength: 20 });
    fc.assert(
      fc.property(ANY_DOCUMENT, weights, ([vectors, query], all) => {
        const own = vectors.map((one) => ownVectorOf(encodeEmbeddings(one, []), query.length));
        const weighed = own.map((one, i) => dequantizeOwn(one).map((c) => c * (all[i] as number)));
        // If vectors cancel each other out, the direction is a matter of rounding.
        const sum = Array.from({ length: query.length }, (_, i) =>
          weighed.reduce((total, vector) => total + (vector[i] as number), 0),
        );
        fc.pre(Math.hypot(...sum) > 0.01);
        const expected = meanVector(weighed);
        const mean = meanOfOwn(own, all);
        expect(mean).toHaveLength(expected.length);
        for (const [i, component] of expected.entries()) expect(mean[i]).toBeCloseTo(component, 4);
      }),
    );
  });

  it('return nothing for no vectors', () => {
    const query = dotProductsOf(Float32Array.of(1, 0));
    expect(cosinesWithOwn(query, [])).toHaveLength(0);
    expect(cosinesBetweenOwn([])).toHaveLength(0);
    expect(meanOfOwn([], [])).toHaveLength(0);
  });
});

describe('embeddingCount', () => {
  it('is not an integer for a damaged blob', () => {
    const blob = encoded([Float32Array.of(1, 0), Float32Array.of(0, 1)]);
    expect(embeddingCount(blob, 2)).toBe(2);
    expect(Number.isInteger(embeddingCount(blob.subarray(1), 2))).toBe(false);
    expect(embeddingCount(Buffer.alloc(0), 2)).toBeLessThan(1);
  });
});

describe('toFloatBlob', () => {
  it('copies only the vector’s part of its memory', () => {
    const vectors = Float32Array.of(1, 2, 3, 4);
    const blob = toFloatBlob(vectors.subarray(1, 3));
    expect([blob.length, blob.readFloatLE(0), blob.readFloatLE(4)]).toEqual([8, 2, 3]);
  });
});
