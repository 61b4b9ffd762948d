import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { decodeSpans, encodeSpans } from '../../../src/store/index/sentence-spans.ts';

const OFFSET = fc.integer({ min: 0, max: 0xffff_ffff });

describe('encodeSpans', () => {
  it('round-trips through decodeSpans', () => {
    fc.assert(
      fc.property(fc.array(fc.record({ start: OFFSET, end: OFFSET })), (spans) => {
        expect(decodeSpans(encodeSpans(spans))).toEqual(spans);
      }),
    );
  });

  it('writes pairs of little-endian uint32', () => {
    expect(encodeSpans([{ start: 1, end: 0x0102 }]).toString('hex')).toBe('0100000002010000');
  });

  it('encodes no spans as an empty blob', () => {
    expect(encodeSpans([])).toHaveLength(0);
    expect(decodeSpans(Buffer.alloc(0))).toEqual([]);
  });
});

describe('decodeSpans', () => {
  it('ignores a truncated pair', () => {
    const blob = encodeSpans([
      { start: 0, end: 8 },
      { start: 9, end: 17 },
    ]);
    expect(decodeSpans(blob.subarray(0, 15))).toEqual([{ start: 0, end: 8 }]);
  });
});
