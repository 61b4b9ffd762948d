/** Which differences a quote may have and still be word for word. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  findExact,
  findNear,
  NEAR_SHARE_MIN,
  partsOf,
  prepareQuote,
  type QuoteMatch,
} from '../../../src/verify/quotes/match-quote.ts';

const SOURCE =
  'Tides “rise” twice a day – not once – and the shore’s well-known flora is affected (N = 12, p < 0.05). It is 10² times as large.';

function verdictOf(quote: string, source = SOURCE): QuoteMatch['verdict'] | undefined {
  const prepared = prepareQuote(quote);
  return (findExact(prepared, source) ?? findNear(prepared, source))?.verdict;
}

describe('a quote is exact with', () => {
  it.each([
    ['other quotation marks', 'Tides "rise" twice a day'],
    ['TeX quotation marks', "Tides ``rise'' twice a day"],
    ['other dashes and blanks', 'twice a day — not once—and   the\nshore'],
    ['a hyphenated line break', 'the shore’s well-\nknown flora is af-\nfected'],
    ['ligatures', 'ﬂora is aﬀected'],
    ['invisible characters', 'Ti\u00addes\u200b “rise” twice'],
    ['its own quotation marks and a period', '“not once – and the shore’s well-known flora.”'],
    ['other blanks around signs', 'affected (N=12, p<0.05)'],
    ['a soft hyphen at the end of a line', 'the shore’s well-known flora is af\u00ad\nfected'],
  ])('%s', (_, quote) => {
    expect(verdictOf(quote)).toBe('exact');
  });

  it('mu for the micro sign, on either side', () => {
    const [micro, mu] = ['grains of 5 \u00b5m or less', 'grains of 5 \u03bcm or less'];
    expect(verdictOf(micro, `We saw ${mu} in all samples.`)).toBe('exact');
    expect(verdictOf(mu, `We saw ${micro} in all samples.`)).toBe('exact');
  });

  it('soft hyphens in the source', () => {
    expect(verdictOf('flora is affected', 'The flo\u00adra is af\u00ad\nfected.')).toBe('exact');
  });

  it('a wording that is the source’s own, byte for byte', () => {
    const match = findExact(prepareQuote('"the shore\'s well-\nknown flora"'), SOURCE);
    expect(match?.wording).toBe('the shore’s well-known flora');
  });
});

describe('a quote is not exact with', () => {
  it.each([
    ['another case', 'tides “rise” twice a day – not once – and the shore’s', 'near'],
    ['another number', 'the shore’s well-known flora is affected (N = 13', 'near'],
    [
      'a power as a number',
      'flora is affected (N = 12, p < 0.05). It is 102 times as large',
      'near',
    ],
    ['a word more', 'Tides “rise” only twice a day – not once – and the shore’s flora', undefined],
    ['part of a word', 'ides “rise” twice', undefined],
    ['an ellipsis', 'Tides … is affected', undefined],
    ['nothing in common', 'completely different words here', undefined],
  ])('%s', (_, quote, verdict) => {
    expect(verdictOf(quote)).toBe(verdict);
  });
});

it('a near quote has the brackets around it that both have', () => {
  const source = 'At night, (slow) waves travel over the whole cortex (SO), and spindles follow.';
  expect(findNear(prepareQuote('(slow) waves go over the whole cortex (SO)'), source)).toEqual({
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

it('a quote with very many ellipses has no parts', () => {
  expect(partsOf(prepareQuote('a … b … c'))).toHaveLength(3);
  expect(partsOf(prepareQuote('a … '.repeat(900)))).toEqual([]);
});

it('a near quote shows what differs', () => {
  const match = findNear(
    prepareQuote('Tides “rise” thrice a day – not once – and the shore’s'),
    SOURCE,
  );
  expect(match).toMatchObject({
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
    expect(findNear(prepareQuote(quote), source)).toMatchObject({
      wording: 'Old tides rise and fall twice on every single day',
      diff,
    });
  });

  it.each([
    'Old tides rise and fall twice on every single day long',
    'How old tides rise and fall twice on every single day',
  ])('stands for no word of another sentence: %s', (quote) => {
    const lowercase = source.replace('Old', 'old');
    expect(
      findNear(prepareQuote(quote), quote.startsWith('How') ? lowercase : source),
    ).toMatchObject({
      wording: expect.stringMatching(/^old tides .* day$/i),
    });
  });
});

it('the parts between ellipses are taken apart', () => {
  const parts = partsOf(prepareQuote('“Tides … twice a day [...] flora”'));
  expect(parts.map(({ tokens }) => tokens.map(({ text }) => text).join(' '))).toEqual([
    'Tides',
    'twice a day',
    'flora',
  ]);
});

const texts = fc.array(fc.constantFrom('tides', 'rise', 'moon', 'a', 'fall,', 'and', '–', '“b”'), {
  minLength: 1,
  maxLength: 40,
});

it('any run of words is exact, and no run with another word in it', () => {
  fc.assert(
    fc.property(texts, fc.nat(), fc.nat(), (words, from, length) => {
      const start = from % words.length;
      const run = words.slice(start, start + 1 + (length % words.length));
      const quote = prepareQuote(run.join(' '));
      fc.pre(quote.tokens.some(({ isWord }) => isWord));
      const source = words.join(' ');
      expect(findExact(quote, source)?.verdict).toBe('exact');
      const changed = prepareQuote([...run, 'never'].join(' '));
      expect(findExact(changed, source)).toBeUndefined();
      const near = findNear(changed, source);
      if (near?.verdict === 'near') expect(near.share).toBeGreaterThanOrEqual(NEAR_SHARE_MIN);
    }),
  );
});
