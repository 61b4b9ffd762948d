import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  documentsOf,
  encodeListEntry,
  listEntryBytes,
  withoutEntries,
} from '../../../src/index/dense/list-entries.ts';
import { dequantize } from '../../../src/vectors/quantization.ts';
import { ANY_DIMENSIONS, dot, near, unitVector, vectorSource } from '../../support/vectors.ts';

const DOCUMENT = fc.nat(2 ** 32 - 1);

describe('encodeListEntry', () => {
  it('encodes the document and the residual', () => {
    const pair = ANY_DIMENSIONS.chain((n) => fc.tuple(unitVector(n), unitVector(n)));
    fc.assert(
      fc.property(pair, DOCUMENT, ([vector, centroid], document) => {
        const entry = encodeListEntry(document, vector, centroid);
        expect(entry).toHaveLength(listEntryBytes(vector.length));
        expect(documentsOf(entry, vector.length)).toEqual([document]);
        const difference = vector.map((component, i) => component - (centroid[i] as number));
        // A vector's product with its own code is exact.
        expect(dot(differenceOf(entry, vector.length), difference)).toBeCloseTo(
          dot(difference, difference),
          3,
        );
      }),
    );
  });

  it('approximates cosines better for vectors nearer to the centroid', () => {
    const draw = vectorSource(1, 384);
    const error = (distance: number): number => {
      let squares = 0;
      for (let i = 0; i < 100; i++) {
        const [centroid, query] = [draw(), draw()];
        let vector = draw();
        for (let step = 0; step < distance; step++) vector = near(centroid, vector);
        const entry = encodeListEntry(1, vector, centroid);
        const estimate = dot(centroid, query) + dot(differenceOf(entry, 384), query);
        squares += (estimate - dot(vector, query)) ** 2;
      }
      return Math.sqrt(squares / 100);
    };
    const errors = [error(0), error(1), error(2)] as const;
    expect(errors[1]).toBeLessThan(errors[0]);
    expect(errors[2]).toBeLessThan(errors[1]);
    expect(errors[1]).toBeLessThan(0.02);
  });

  it('encodes a vector that equals its centroid', () => {
    const vector = vectorSource(2, 17)();
    expect(
      differenceOf(encodeListEntry(5, vector, vector), 17).every((c) => Math.abs(c) === 0),
    ).toBe(true);
  });
});

describe('withoutEntries', () => {
  it('removes these entries and no others', () => {
    const documents = fc.uniqueArray(DOCUMENT, { maxLength: 12 });
    const [vector, centroid] = [vectorSource(3, 17)(), vectorSource(4, 17)()];
    fc.assert(
      fc.property(documents, documents, fc.array(fc.boolean()), (all, others, flags) => {
        const entries = all.map((document) => encodeListEntry(document, vector, centroid));
        const gone = new Set([...all.filter((_, i) => flags[i]), ...others]);
        const kept = entries.filter((_, i) => !gone.has(all[i] as number));
        expect(withoutEntries(Buffer.concat(entries), gone, 17)).toEqual(Buffer.concat(kept));
      }),
    );
  });
});

/** The residual that an entry encodes. */
function differenceOf(entry: Buffer, dimensions: number): Float32Array {
  return dequantize(entry, 8, { bits: 2, factor: entry.readFloatLE(4), dimensions });
}
