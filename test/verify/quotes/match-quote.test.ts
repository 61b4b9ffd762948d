/** Which differences a quote may have and still be word for word. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { findNear } from '../../../src/verify/quotes/find-near.ts';
import {
  findExact,
  mayBeNear,
  NEAR_SHARE_MIN,
  partsOf,
  prepareQuote,
  prepareSource,
} from '../../../src/verify/quotes/match-quote.ts';

const SOURCE =
  'Tides “rise” twice a day – not once – and the shore’s well-known flora is affected (N = 12, p < 0.05). It is 10² times as large.';

function verdictOf(quote: string, text = SOURCE): 'exact' | 'near' | undefined {
  const [prepared, source] = [prepareQuote(quote), prepareSource(text)];
  return (findExact(prepared, source) ?? findNear(prepared, source)?.compare())?.verdict;
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
    ['a space that does not break, and full-width forms', 'ａffected\u00a0（N ＝ １２'],
  ])('%s', (_, quote) => {
    expect(verdictOf(quote)).toBe('exact');
  });

  it('mu for the micro sign, on either side', () => {
    const [micro, mu] = ['grains of 5 \u00b5m or less', 'grains of 5 \u03bcm or less'];
    expect(verdictOf(micro, `We saw ${mu} in all samples.`)).toBe('exact');
    expect(verdictOf(mu, `We saw ${micro} in all samples.`)).toBe('exact');
  });

  it.each([
    ['25 °C', '25 ℃'],
    ['the weight p', 'the weight 𝑝'],
    ['ϕ is an angle', 'φ is an angle'],
  ])('other code points for the same: %s', (one, other) => {
    expect(verdictOf(one, `Here ${other} stands.`)).toBe('exact');
    expect(verdictOf(other, `Here ${one} stands.`)).toBe('exact');
  });

  it('soft hyphens in the source', () => {
    expect(verdictOf('flora is affected', 'The flo\u00adra is af\u00ad\nfected.')).toBe('exact');
  });

  it('a wording that is the source’s own, byte for byte', () => {
    const match = findExact(
      prepareQuote('"the shore\'s well-\nknown flora"'),
      prepareSource(SOURCE),
    );
    expect(match?.wording).toBe('the shore’s well-known flora');
  });
});

describe('a quote is not exact with', () => {
  it.each([
    ['10² times', '102 times'],
    ['3½ times', '31/2 times'],
    ['xⁿ grows', 'xn grows'],
    ['CO₂ falls', 'CO2 falls'],
    ['10⁻⁵ molar', '10−5 molar'],
  ])('raised or lowered characters as plain ones: %s', (one, other) => {
    expect(verdictOf(one, `Here ${other}.`)).not.toBe('exact');
    expect(verdictOf(other, `Here ${one}.`)).not.toBe('exact');
  });

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

it('a quote with very many ellipses has no parts', () => {
  expect(partsOf(prepareQuote('a … b … c'))).toHaveLength(3);
  expect(partsOf(prepareQuote('a … '.repeat(900)))).toEqual([]);
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
      const source = prepareSource(words.join(' '));
      expect(findExact(quote, source)?.verdict).toBe('exact');
      const changed = prepareQuote([...run, 'never'].join(' '));
      expect(findExact(changed, source)).toBeUndefined();
      const near = findNear(changed, source);
      if (near !== undefined) expect(near.share).toBeGreaterThanOrEqual(NEAR_SHARE_MIN);
    }),
  );
});

it('what is near or exact may be near by its letters, whatever its words are made of', () => {
  const letters = [...'abcABC012äİΣﬁＡ½²µक', '\u0300', '\u093f', '\u00ad', '\u200b'];
  const word = fc
    .array(fc.constantFrom(...letters), { minLength: 1, maxLength: 4 })
    .map((own) => own.join(''));
  const space = fc.constantFrom(' ', '\n', '-', '-\n', ', ', '.', '…', '’', '\u00ad\n', ' “');
  const text = fc.array(fc.tuple(word, space), { minLength: 1, maxLength: 24 });
  const joined = (parts: readonly [string, string][]): string => parts.flat().join('');
  fc.assert(
    fc.property(text, fc.nat(), fc.nat(), fc.option(word), (parts, from, length, changed) => {
      const run = parts.slice(from % parts.length).slice(0, 1 + (length % parts.length));
      if (changed !== null && run.length > 1) run[1] = [changed, ' '];
      const [quote, source] = [prepareQuote(joined(run)), prepareSource(joined(parts))];
      const isFound = findExact(quote, source) ?? findNear(quote, source);
      if (quote.tokens.length > 0 && isFound) expect(mayBeNear(quote, source)).toBe(true);
    }),
    { numRuns: 2_000 },
  );
});
