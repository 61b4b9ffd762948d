/** The words of a source that a near quote is shown beside. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { findNear } from '../../../src/verify/quotes/find-near.ts';
import {
  type NearMatch,
  prepareQuote,
  prepareSource,
} from '../../../src/verify/quotes/match-quote.ts';

function nearOf(quote: string, source: string): NearMatch | undefined {
  return findNear(prepareQuote(quote), prepareSource(source))?.compare();
}

it('a near quote has the brackets around it that both have', () => {
  const source = 'At night, (slow) waves travel over the whole cortex (SO), and spindles follow.';
  expect(nearOf('(slow) waves go over the whole cortex (SO)', source)).toMatchObject({
    verdict: 'near',
    wording: '(slow) waves travel over the whole cortex (SO)',
    share: 1 - 1 / 8,
    diff: [
      ['=', '(slow) waves'],
      ['-', 'go'],
      ['+', 'travel'],
      ['=', 'over the whole cortex (SO)'],
    ],
  });
});

it('a near quote shows what differs', () => {
  const source =
    'Tides “rise” twice a day – not once – and the shore’s well-known flora is affected.';
  expect(nearOf('Tides “rise” thrice a day – not once – and the shore’s', source)).toMatchObject({
    verdict: 'near',
    wording: 'Tides “rise” twice a day – not once – and the shore’s',
    diff: [
      ['=', 'Tides “rise”'],
      ['-', 'thrice'],
      ['+', 'twice'],
      ['=', 'a day – not once – and the shore’s'],
    ],
  });
});

it('the first word of a near quote stands beside its own, also if those after it were left out', () => {
  const source = 'Seas are deep. Old and very high tides rise and fall twice on every single day.';
  expect(nearOf('Old tides rise and fall twice on every single day', source)).toMatchObject({
    wording: 'Old and very high tides rise and fall twice on every single day',
    changes: [{ kind: 'omission', quoted: '', wording: 'and very high' }],
  });
});

it('a near quote may have the name of anything in JavaScript', () => {
  const source = 'Each shed has a constructor that sets all of its doors to zero before use.';
  expect(nearOf(source.replace('zero', 'one'), source)).toMatchObject({
    changes: [{ kind: 'number', quoted: 'one', wording: 'zero' }],
  });
});

describe('a wrong word at an end of a near quote', () => {
  const source = 'Sea is deep. Old tides rise and fall twice on every single day. Boats wait.';

  it.each([
    [
      'Old tides rise and fall twice on every single night',
      [
        ['=', 'Old tides rise and fall twice on every single'],
        ['-', 'night'],
        ['+', 'day'],
      ],
    ],
    [
      'New tides rise and fall twice on every single day',
      [
        ['-', 'New'],
        ['+', 'Old'],
        ['=', 'tides rise and fall twice on every single day'],
      ],
    ],
  ])('is shown beside the source’s: %s', (quote, diff) => {
    expect(nearOf(quote, source)).toMatchObject({
      wording: 'Old tides rise and fall twice on every single day',
      diff,
    });
  });

  it.each([
    'Old tides rise and fall twice on every single day long',
    'How old tides rise and fall twice on every single day',
  ])('stands for no word of another sentence: %s', (quote) => {
    const lowercase = source.replace('Old', 'old');
    expect(nearOf(quote, quote.startsWith('How') ? lowercase : source)).toMatchObject({
      wording: expect.stringMatching(/^old tides .* day$/i),
    });
  });
});

/** The most words that two texts have in common, in order: the definition, cell by cell. */
function commonWords(one: readonly string[], other: readonly string[]): number {
  const lengths = one.map(() => other.map(() => 0));
  const at = (row: number, column: number): number => lengths[row]?.[column] ?? 0;
  for (const [row, word] of one.entries()) {
    for (const [column, each] of other.entries()) {
      (lengths[row] as number[])[column] =
        word === each
          ? at(row - 1, column - 1) + 1
          : Math.max(at(row - 1, column), at(row, column - 1));
    }
  }
  return at(one.length - 1, other.length - 1);
}

const word = fc.constantFrom('tides', 'rise', 'fall', 'not', 'a', '12', '21', 'mg', 'twice');

it('the difference is all of both texts, and no longer than it must be', () => {
  fc.assert(
    fc.property(
      fc.array(word, { minLength: 12, maxLength: 40 }),
      fc.nat(),
      word,
      (words, at, other) => {
        const quote = words.with(at % words.length, other).toSpliced((at * 7) % words.length, 1);
        const near = nearOf(quote.join(' '), words.join(' '));
        if (near === undefined) return;
        const partsOf = (...kinds: string[]): string =>
          near.diff.flatMap(([kind, text]) => (kinds.includes(kind) ? text : [])).join(' ');
        expect(partsOf('=', '-')).toBe(quote.join(' '));
        expect(partsOf('=', '+')).toBe(near.wording);
        const same = partsOf('=').split(' ').filter(Boolean);
        expect(same).toHaveLength(commonWords(quote, near.wording.split(' ')));
      },
    ),
  );
});
