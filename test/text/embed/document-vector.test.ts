import { describe, expect, it } from 'vitest';
import { documentVector, TITLE_SHARE } from '../../../src/text/embed/document-vector.ts';
import { normalize } from '../../../src/text/embed/pool-tokens.ts';

const [X, Y, Z] = [Float32Array.of(1, 0, 0), Float32Array.of(0, 1, 0), Float32Array.of(0, 0, 1)];
const REST = 1 - TITLE_SHARE;

describe('documentVector', () => {
  it.each<
    [what: string, title: Float32Array | undefined, sentences: Float32Array[], sum: number[]]
  >([
    ['title and mean of the sentences', X, [Y, Z], [TITLE_SHARE, REST / 2, REST / 2]],
    ['one sentence', X, [Y], [TITLE_SHARE, REST, 0]],
    ['the same sentence several times', X, [Y, Y, Y], [TITLE_SHARE, REST, 0]],
    ['the title alone', X, [], [1, 0, 0]],
    ['the sentences alone', undefined, [Y, Z], [0, 1, 1]],
  ])('weighs %s', (_, title, sentences, sum) => {
    const expected = normalize(Float32Array.from(sum));
    const vector = documentVector(title, sentences);
    for (const [i, component] of expected.entries()) expect(vector[i]).toBeCloseTo(component, 6);
    expect(Math.hypot(...vector)).toBeCloseTo(1, 6);
  });

  it('does not change its arguments', () => {
    const [title, sentence] = [X.slice(), Y.slice()];
    documentVector(title, [sentence]);
    expect([title, sentence]).toEqual([X, Y]);
    expect(documentVector(title, [])).not.toBe(title);
  });

  it('returns no NaN if vectors cancel each other out', () => {
    const opposite = X.map((component) => -component);
    expect(documentVector(undefined, [X, opposite]).every(Number.isFinite)).toBe(true);
    expect(
      documentVector(
        X.map(() => 0),
        [],
      ).every(Number.isFinite),
    ).toBe(true);
  });

  it('refuses a document without title and sentences', () => {
    expect(() => documentVector(undefined, [])).toThrow(
      'a document must have a title or a sentence',
    );
  });
});
