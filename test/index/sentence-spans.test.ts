import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { decodeSoundSpans, decodeSpans, encodeSpans } from '../../src/index/sentence-spans.ts';

const OFFSET = fc.integer({ min: 0, max: 0xffff_ffff });

describe('encodeSpans', () => {
  it('round-trips through decodeSpans', () => {
    fc.assert(
      fc.property(fc.array(fc.record({ start: OFFSET, end: OFFSET })), (spans) => {
        expect(decodeSpans(encodeSpans(spans))).toEqual(spans);
      }),
    );
  });

  it('writes pairs of little-endian uint32, and their CRC-32', () => {
    const blob = encodeSpans([{ start: 1, end: 0x0102 }]);
    expect(blob.toString('hex')).toBe('01000000020100004b7d4302');
  });

  it('encodes no spans as a checksum alone', () => {
    expect(encodeSpans([]).toString('hex')).toBe('00000000');
    expect(decodeSpans(encodeSpans([]))).toEqual([]);
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

describe('decodeSoundSpans', () => {
  const spans = [
    { start: 0, end: 8 },
    { start: 9, end: 17 },
  ];

  it('returns what was written, with a checksum and without', () => {
    expect(decodeSoundSpans(encodeSpans(spans), 17)).toEqual(spans);
    // As earlier versions wrote them.
    expect(decodeSoundSpans(encodeSpans(spans).subarray(0, 16), 17)).toEqual(spans);
  });

  it('notices each flipped bit', () => {
    for (let bit = 0; bit < 20 * 8; bit++) {
      const blob = encodeSpans(spans);
      blob[bit >> 3] = (blob[bit >> 3] as number) ^ (1 << (bit & 7));
      expect(decodeSoundSpans(blob, 17)).toBeUndefined();
    }
  });

  it.each([
    ['end behind the text', [{ start: 0, end: 18 }]],
    ['overlap', [spans[1], { start: 16, end: 17 }]],
    ['are empty', [{ start: 3, end: 3 }]],
  ])('notices spans that %s', (_, wrong) => {
    expect(decodeSoundSpans(encodeSpans(wrong as typeof spans), 17)).toBeUndefined();
  });

  it('notices a blob that was cut', () => {
    expect(decodeSoundSpans(encodeSpans(spans).subarray(0, 15), 17)).toBeUndefined();
  });
});
