import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  packSignals,
  readSignals,
  VECTORS_AT_SQL,
} from '../../../src/store/index/forward-index.ts';
import { memoryIndex } from './memory-index.ts';

describe('packSignals', () => {
  it('is undone by readSignals, wherever the blob begins', () => {
    const bytes = fc.uint8Array({ maxLength: 300 }).map((all) => Buffer.from(all));
    fc.assert(
      fc.property(bytes, bytes, fc.nat(7), (vectors, terms, offset) => {
        const moved = Buffer.concat([Buffer.alloc(offset), packSignals({ vectors, terms })]);
        const found = readSignals(moved.subarray(offset));
        expect([found.vectors.equals(vectors), found.terms.equals(terms)]).toEqual([true, true]);
      }),
    );
  });

  it('puts the vectors where SQL looks for them', () => {
    const packed = packSignals({ vectors: Buffer.from('vectors'), terms: Buffer.from('terms') });
    const read = memoryIndex().prepare('SELECT substr(?, ?, 7)').pluck();
    expect(read.get(packed, VECTORS_AT_SQL)).toEqual(Buffer.from('vectors'));
  });
});
