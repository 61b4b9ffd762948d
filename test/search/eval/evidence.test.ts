import { describe, expect, it } from 'vitest';
import { evaluateEvidence } from '../../../src/search/eval/evidence.ts';

const EVIDENCE = [
  { query: 'q1', document: 'a', sentences: ['It rose.', 'It fell by half.'] },
  { query: 'q1', document: 'b', sentences: ['It stood.'] },
  { query: 'q2', document: 'a', sentences: ['It sank.'] },
];

describe('evaluateEvidence', () => {
  it.each<
    [what: string, quotes: Record<string, Record<string, string>>, pairs: number, share: number]
  >([
    ['nothing found', {}, 0, 0],
    ['no annotated pair found', { q1: { c: 'It rose.' }, q3: { a: 'It rose.' } }, 0, 0],
    ['the first sentence', { q1: { a: 'It rose.' } }, 1, 1],
    ['another sentence', { q1: { a: 'It fell by half.' } }, 1, 1],
    ['the wrong sentence', { q1: { a: 'It sank.' } }, 1, 0],
    ['the sentence of another query', { q2: { a: 'It rose.' } }, 1, 0],
    ['a sentence that was cut earlier', { q1: { a: 'It fell by' } }, 1, 1],
    ['a sentence that was cut later', { q1: { b: 'In fact: It stood. It did.' } }, 1, 1],
    ['other white space', { q1: { a: ' It\n\trose. ' } }, 1, 1],
    ['some of each', { q1: { a: 'It rose.', b: 'It fell.' }, q2: { a: 'It sank.' } }, 3, 2 / 3],
  ])('measures %s', (_, quotes, pairs, share) => {
    const found = new Map(
      Object.entries(quotes).map(([query, byDocument]) => [
        query,
        new Map(Object.entries(byDocument).map(([id, quote]) => [id, [quote]])),
      ]),
    );
    const measure = evaluateEvidence(found, EVIDENCE);
    expect(measure.pairs).toBe(pairs);
    expect(measure.share).toBeCloseTo(share, 12);
  });

  it('measures precision and recall of several quotes', () => {
    const found = new Map([
      [
        'q1',
        new Map([
          ['a', ['It rose.', 'It sank.', 'It fell by half.']],
          ['b', ['It fell.']],
        ]),
      ],
    ]);
    // Two of four quotes are evidence, and two of three annotated sentences are quoted.
    expect(evaluateEvidence(found, EVIDENCE)).toEqual({
      pairs: 2,
      share: 1 / 2,
      precision: 2 / 4,
      recall: 2 / 3,
      f1: expect.closeTo(4 / 7, 12),
    });
  });

  it('counts a pair without a quote', () => {
    const found = new Map([['q1', new Map([['a', []]])]]);
    expect(evaluateEvidence(found, EVIDENCE)).toMatchObject({ pairs: 1, share: 0, f1: 0 });
  });
});
