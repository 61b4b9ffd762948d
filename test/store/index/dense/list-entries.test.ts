import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  memberBytes,
  membersOf,
  packMember,
  withoutMembers,
} from '../../../../src/store/index/dense/list-entries.ts';
import { unpack } from '../../../../src/vectors/codes.ts';
import { ANY_DIMENSIONS, dot, near, unitVector, vectorSource } from '../../../support/vectors.ts';

const DOCUMENT = fc.nat(2 ** 32 - 1);

describe('packMember', () => {
  it('holds the document, and the difference from the centre', () => {
    const pair = ANY_DIMENSIONS.chain((n) => fc.tuple(unitVector(n), unitVector(n)));
    fc.assert(
      fc.property(pair, DOCUMENT, ([vector, centre], document) => {
        const record = packMember(document, vector, centre);
        expect(record).toHaveLength(memberBytes(vector.length));
        expect(membersOf(record, vector.length)).toEqual([document]);
        const difference = vector.map((component, i) => component - (centre[i] as number));
        // The product of a vector with its own code is exact.
        expect(dot(differenceOf(record, vector.length), difference)).toBeCloseTo(
          dot(difference, difference),
          3,
        );
      }),
    );
  });

  it('tells the cosine of a query better the nearer the vector is to the centre', () => {
    const draw = vectorSource(1, 384);
    const error = (distance: number): number => {
      let squares = 0;
      for (let i = 0; i < 100; i++) {
        const [centre, query] = [draw(), draw()];
        let vector = draw();
        for (let step = 0; step < distance; step++) vector = near(centre, vector);
        const record = packMember(1, vector, centre);
        const estimate = dot(centre, query) + dot(differenceOf(record, 384), query);
        squares += (estimate - dot(vector, query)) ** 2;
      }
      return Math.sqrt(squares / 100);
    };
    const errors = [error(0), error(1), error(2)] as const;
    expect(errors[1]).toBeLessThan(errors[0]);
    expect(errors[2]).toBeLessThan(errors[1]);
    expect(errors[1]).toBeLessThan(0.02);
  });

  it('is the same for a vector that is its centre, as the first one of a cell is', () => {
    const vector = vectorSource(2, 17)();
    expect(differenceOf(packMember(5, vector, vector), 17).every((c) => Math.abs(c) === 0)).toBe(
      true,
    );
  });
});

describe('withoutMembers', () => {
  it('leaves out these records and no other', () => {
    const documents = fc.uniqueArray(DOCUMENT, { maxLength: 12 });
    const [vector, centre] = [vectorSource(3, 17)(), vectorSource(4, 17)()];
    fc.assert(
      fc.property(documents, documents, fc.array(fc.boolean()), (all, others, flags) => {
        const records = all.map((document) => packMember(document, vector, centre));
        const gone = new Set([...all.filter((_, i) => flags[i]), ...others]);
        const kept = records.filter((_, i) => !gone.has(all[i] as number));
        expect(withoutMembers(Buffer.concat(records), gone, 17)).toEqual(Buffer.concat(kept));
      }),
    );
  });
});

/** What a record says of the difference from the centre. */
function differenceOf(record: Buffer, dimensions: number): Float32Array {
  return unpack(record, 8, { bits: 2, factor: record.readFloatLE(4), dimensions });
}
