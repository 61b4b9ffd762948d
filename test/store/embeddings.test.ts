import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { normalize } from '../../src/embed/pool-tokens.ts';
import {
  cosinesWith,
  embeddingCount,
  packEmbeddings,
  toFloatBlob,
  unpackEmbeddings,
} from '../../src/store/embeddings.ts';
import { cosine } from '../ingest/index-files.ts';

const DIMENSIONS = 8;

describe('packEmbeddings', () => {
  it('keeps direction and length of any unit vectors', () => {
    fc.assert(
      fc.property(fc.array(unitVector(), { minLength: 1, maxLength: 5 }), (vectors) => {
        const blob = packEmbeddings(vectors);
        expect(embeddingCount(blob, DIMENSIONS)).toBe(vectors.length);
        const unpacked = unpackEmbeddings(blob, DIMENSIONS);
        expect(unpacked).toHaveLength(vectors.length);
        for (const [index, vector] of vectors.entries()) {
          const stored = unpacked[index] as Float32Array;
          // Half a step of the largest component in each of the dimensions, at the very most.
          expect(cosine(stored, vector)).toBeGreaterThan(1 - DIMENSIONS * (0.5 / 127) ** 2);
          expect(Math.abs(Math.hypot(...stored) - 1)).toBeLessThan(0.02);
        }
      }),
    );
  });

  it('keeps each component to half a step of the largest', () => {
    fc.assert(
      fc.property(unitVector(), (vector) => {
        const [stored] = unpackEmbeddings(packEmbeddings([vector]), DIMENSIONS);
        const step = Math.max(...vector.map(Math.abs)) / 127;
        for (const [i, component] of vector.entries()) {
          expect(Math.abs((stored?.[i] ?? 0) - component)).toBeLessThan(step * 0.5001 + 1e-7);
        }
      }),
    );
  });

  it.each([
    ['a zero vector', new Float32Array(DIMENSIONS)],
    ['a single component', Float32Array.of(1, 0, 0, 0, 0, 0, 0, 0)],
    ['a single negative component', Float32Array.of(0, 0, -1, 0, 0, 0, 0, 0)],
    ['two opposite components', Float32Array.of(0.5, -0.5, 0, 0, 0, 0, 0, 0)],
  ])('keeps %s as it is', (_, vector) => {
    const [stored] = unpackEmbeddings(packEmbeddings([vector]), DIMENSIONS);
    for (const [i, component] of vector.entries()) expect(stored?.[i]).toBeCloseTo(component, 6);
  });

  it('packs nothing into nothing', () => {
    expect(packEmbeddings([])).toHaveLength(0);
    expect(unpackEmbeddings(Buffer.alloc(0), DIMENSIONS)).toEqual([]);
  });

  it('lays scales before components, little-endian', () => {
    const blob = packEmbeddings([Float32Array.of(1, -1), Float32Array.of(0, 0.5)]);
    expect(blob.readFloatLE(0)).toBeCloseTo(1 / 127, 9);
    expect(blob.readFloatLE(4)).toBeCloseTo(0.5 / 127, 9);
    expect([...new Int8Array(blob.subarray(8))]).toEqual([127, -127, 0, 127]);
  });
});

describe('cosinesWith', () => {
  it('agrees with the unpacked vectors, wherever the blobs begin', () => {
    const blobs = fc.array(fc.array(unitVector(), { maxLength: 4 }), { maxLength: 4 });
    fc.assert(
      fc.property(blobs, unitVector(), fc.nat(7), (documents, query, offset) => {
        const cosinesOf = cosinesWith(query);
        // The earlier results must outlive the later calls.
        const found = documents.map((vectors) => {
          // SQLite's buffers do not begin where a float may.
          const moved = Buffer.concat([Buffer.alloc(offset), packEmbeddings(vectors)]);
          return cosinesOf(moved.subarray(offset));
        });
        for (const [index, vectors] of documents.entries()) {
          const stored = unpackEmbeddings(packEmbeddings(vectors), DIMENSIONS);
          expect(found[index]).toHaveLength(vectors.length);
          for (const [i, vector] of stored.entries()) {
            expect(found[index]?.[i]).toBeCloseTo(dot(vector, query), 3);
          }
        }
      }),
    );
  });

  it('takes more vectors than its memory holds at first', () => {
    const query = normalize(Float32Array.of(1, 2, 3, 4, 5, 6, 7, 8));
    const vectors = Array.from({ length: 60_000 }, (_, i) =>
      i % 2 ? query : query.map((c) => -c),
    );
    const found = cosinesWith(query)(packEmbeddings(vectors));
    expect(found).toHaveLength(vectors.length);
    expect(found.every((value, i) => Math.abs(value - (i % 2 ? 1 : -1)) < 0.01)).toBe(true);
  });

  it('is 0 for a zero vector, and for a query of zeros', () => {
    const query = normalize(Float32Array.of(1, 2, 3, 4, 5, 6, 7, 8));
    const zero = new Float32Array(DIMENSIONS);
    expect([...cosinesWith(query)(packEmbeddings([zero]))]).toEqual([0]);
    expect([...cosinesWith(zero)(packEmbeddings([query]))]).toEqual([0]);
  });
});

describe('embeddingCount', () => {
  it('is no whole number for a damaged blob', () => {
    const blob = packEmbeddings([Float32Array.of(1, 0), Float32Array.of(0, 1)]);
    expect(embeddingCount(blob, 2)).toBe(2);
    expect(Number.isInteger(embeddingCount(blob.subarray(1), 2))).toBe(false);
  });
});

describe('toFloatBlob', () => {
  it('takes only the vector’s own part of its memory', () => {
    const vectors = Float32Array.of(1, 2, 3, 4);
    const blob = toFloatBlob(vectors.subarray(1, 3));
    expect([blob.length, blob.readFloatLE(0), blob.readFloatLE(4)]).toEqual([8, 2, 3]);
  });
});

function unitVector(): fc.Arbitrary<Float32Array> {
  const component = fc.oneof(
    fc.double({ min: -1, max: 1, noNaN: true }),
    fc.constantFrom(0, 1e-6, -1e-6, 1),
  );
  return fc
    .array(component, { minLength: DIMENSIONS, maxLength: DIMENSIONS })
    .map((components) => Float32Array.from(components))
    .filter((vector) => Math.hypot(...vector) > 1e-3)
    .map(normalize);
}

function dot(a: Float32Array, b: Float32Array): number {
  return a.reduce((sum, component, i) => sum + component * (b[i] as number), 0);
}
