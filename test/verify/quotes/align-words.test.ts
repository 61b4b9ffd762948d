/** How much work it is to find the nearest run. */
import { expect, it } from 'vitest';
import { alignWords } from '../../../src/verify/quotes/align-words.ts';
import { createRandom } from '../../support/random.ts';

const SHARE_MIN = 0.85;

it('compares few pairs of words in a text of many words', () => {
  const random = createRandom(1);
  const source = Array.from({ length: 16_000 }, () => `word-${random.below(1000)}`);
  const [start, end] = [15_000, 15_600];
  const quote = source.slice(start, end).map((word, at) => (at % 20 === 7 ? 'other' : word));
  const quarter = (quote.length * source.length) / 4;
  expect(alignWords(quote, source, SHARE_MIN, quarter)).toMatchObject({ start, end, share: 0.95 });
});

it('looks at no more than the beginning of a text that repeats few words', () => {
  const repeated = Array<string>(50_000).fill('so');
  const quote = [...Array<string>(1000).fill('so'), 'far'];
  const most = alignWords(quote, [...repeated, 'far'], SHARE_MIN);
  expect(most?.share).toBeCloseTo(1000 / 1001);
  expect(most?.end).toBeLessThan(repeated.length);
  expect(alignWords(quote, [...repeated.slice(0, 5000), 'far'], SHARE_MIN)?.share).toBe(1);
});
