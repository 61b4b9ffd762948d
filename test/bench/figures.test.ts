/** The arithmetic of the benchmark: statistics, bounds, and the hash of answers. */
import { describe, expect, it } from 'vitest';
import { hashAnswers } from '../../scripts/bench/answers-hash.ts';
import { toRows } from '../../scripts/bench/rows.ts';
import { createRandom, shuffle } from '../../scripts/measure/random.ts';
import { median, quantile } from '../../scripts/measure/statistics.ts';
import type { Answer } from '../../src/types.ts';

const hundred = shuffle(
  Array.from({ length: 100 }, (_, index) => index + 1),
  createRandom('hundred'),
);

describe('statistics', () => {
  it('returns the value that a share of the values does not exceed', () => {
    expect([0.5, 0.99, 1].map((share) => quantile(hundred, share))).toEqual([50, 99, 100]);
    expect(quantile([7], 0.99)).toBe(7);
  });

  it('returns the mean of the two middle values', () => {
    expect([median(hundred), median([3, 1, 2])]).toEqual([50.5, 2]);
  });
});

describe('toRows', () => {
  it.each([
    [14, true],
    [15, false],
  ])('judges a p50 of %d ms with an E of 4 ms: %s', (httpP50, isMet) => {
    const [, row] = toRows({ embed: 4, httpP50 });
    expect(row).toMatchObject({ name: 'httpP50', multiple: httpP50 / 4, yardstick: 'E', isMet });
  });

  it('treats larger values of a throughput as better', () => {
    const isMet = (load: number) => toRows({ embedWorkers: 100, load }).at(-1)?.isMet;
    expect([isMet(30), isMet(29)]).toEqual([true, false]);
  });

  it('omits rows that were not measured', () => {
    expect(toRows({ recall: 0.97 }).map(({ name }) => name)).toEqual(['recall']);
  });
});

describe('hashAnswers', () => {
  const result = { d: 'a', t: 'A', y: 1, a: [], s: 0.5, q: 'One.', src: 'corpus' as const };
  const hashOf = (change: Partial<Answer['results'][number]>, query = 'q') =>
    hashAnswers([{ query, answer: { results: [{ ...result, ...change }] } }]);

  it('depends on the documents, scores and sentences only', () => {
    const others = [
      hashOf({ d: 'b' }),
      hashOf({ s: 0.501 }),
      hashOf({ q: 'Two.' }),
      hashOf({}, 'r'),
    ];
    expect(new Set([hashOf({}), ...others]).size).toBe(5);
    expect(hashOf({ t: 'B', y: 2 })).toBe(hashOf({}));
  });
});
