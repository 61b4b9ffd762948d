/** Sentences: spans of the text itself, in order, apart from each other, and never blank. */
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { splitSentences } from '../../../src/text/split-sentences.ts';
import type { FuzzTarget } from '../run-target.ts';
import { strangeText } from './strange-text.ts';

export const sentences: FuzzTarget = {
  name: 'sentences',
  description: 'the division of abstracts into the sentences that are quoted',
  share: 0.3,
  async open() {
    const end = fc.constantFrom('. ', '? ', '! ', '.', ' ', '\n\n', '...', '.) ', '." ', '。');
    const text = fc
      .array(fc.tuple(strangeText, end), { maxLength: 6 })
      .map((parts) => parts.flat().join(''));
    const property = fc.property(text, (abstract) => {
      let before = 0;
      for (const { start, end } of splitSentences(abstract)) {
        assert.ok(start >= before && end > start && end <= abstract.length, 'spans overlap');
        assert.notEqual(abstract.slice(start, end).trim(), '', 'a sentence is blank');
        before = end;
      }
    });
    return { property };
  },
};
