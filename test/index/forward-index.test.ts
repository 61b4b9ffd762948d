import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  decodeForwardEntry,
  encodeForwardEntry,
  VECTORS_AT_SQL,
} from '../../src/index/forward-index.ts';
import { memoryIndex } from './memory-index.ts';

describe('encodeForwardEntry', () => {
  it('round-trips through decodeForwardEntry wherever the blob begins', () => {
    const bytes = fc.uint8Array({ maxLength: 300 }).map((all) => Buffer.from(all));
    fc.assert(
      fc.property(bytes, bytes, fc.nat(7), (vectors, terms, offset) => {
        const moved = Buffer.concat([Buffer.alloc(offset), encodeForwardEntry({ vectors, terms })]);
        const found = decodeForwardEntry(moved.subarray(offset));
        expect([found.vectors.equals(vectors), found.terms.equals(terms)]).toEqual([true, true]);
      }),
    );
  });

  it('writes the vectors where SQL expects them', () => {
    const blob = encodeForwardEntry({
      vectors: Buffer.from('vectors'),
      terms: Buffer.from('terms'),
    });
    const read = memoryIndex().prepare('SELECT substr(?, ?, 7)').pluck();
    expect(read.get(blob, VECTORS_AT_SQL)).toEqual(Buffer.from('vectors'));
  });
});
