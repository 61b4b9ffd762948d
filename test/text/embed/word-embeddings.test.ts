import { describe, expect, it } from 'vitest';
import { embedWords } from '../../../src/text/embed/word-embeddings.ts';

describe('embedWords', () => {
  it('joins the tokens of a word and takes their mean direction', () => {
    const tokens = ['[CLS]', 'tide', 'photo', '##syn', '##thesis', '[SEP]'];
    const vectors = Float32Array.of(
      ...[1, 0],
      ...[3, 4],
      ...[2, 0],
      ...[0, 1],
      ...[-2, 1],
      ...[0, 0],
    );
    const words = embedWords(tokens, vectors, 2);
    expect(words.map(({ word }) => word)).toEqual(['[CLS]', 'tide', 'photosynthesis', '[SEP]']);
    const [first, second, third, last] = words.map(({ embedding }) => [...embedding]);
    expect(first).toEqual([1, 0]);
    expect(second?.[0]).toBeCloseTo(0.6, 6);
    expect(second?.[1]).toBeCloseTo(0.8, 6);
    expect(third).toEqual([0, 1]);
    expect(last).toEqual([0, 0]);
  });

  it('does not change the vectors', () => {
    const vectors = Float32Array.of(3, 4, 6, 8);
    embedWords(['tide', '##s'], vectors, 2);
    expect([...vectors]).toEqual([3, 4, 6, 8]);
  });

  it('takes a first token that goes on with nothing as a word', () => {
    expect(embedWords(['##s'], Float32Array.of(1), 1)).toMatchObject([{ word: '##s' }]);
    expect(embedWords([], new Float32Array(0), 64)).toEqual([]);
  });
});
