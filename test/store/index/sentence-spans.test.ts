import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { packSpans, unpackSpans } from '../../../src/store/index/sentence-spans.ts';

const OFFSET = fc.integer({ min: 0, max: 0xffff_ffff });

describe('packSpans', () => {
  it('is undone by unpackSpans', () => {
    fc.assert(
      fc.property(fc.array(fc.record({ start: OFFSET, end: OFFSET })), (spans) => {
        expect(unpackSpans(packSpans(spans))).toEqual(spans);
      }),
    );
  });

  it('lays out pairs of little-endian uint32', () => {
    expect(packSpans([{ start: 1, end: 0x0102 }]).toString('hex')).toBe('0100000002010000');
  });

  it('packs nothing into nothing', () => {
    expect(packSpans([])).toHaveLength(0);
    expect(unpackSpans(Buffer.alloc(0))).toEqual([]);
  });
});

describe('unpackSpans', () => {
  it('leaves out a pair that is cut short', () => {
    const blob = packSpans([
      { start: 0, end: 8 },
      { start: 9, end: 17 },
    ]);
    expect(unpackSpans(blob.subarray(0, 15))).toEqual([{ start: 0, end: 8 }]);
  });
});
