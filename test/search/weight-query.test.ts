import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { inverseDocumentFrequency, smoothedDocumentFrequency } from '../../src/search/bm25.ts';
import {
  IDF_EXPONENT,
  parseQuery,
  type QueryTerm,
  weightQuery,
} from '../../src/search/weight-query.ts';
import { termOf } from '../../src/text/terms.ts';
import { statisticsOf } from './toy-candidates.ts';

const TEXTS = [
  'Mice sleep. Sleeping mice dream.',
  'Statins inhibit an enzyme.',
  'Il6 inhibits sleep.',
  'IL-6 and TNF-alpha.',
  ...Array.from({ length: 6 }, (_, i) => `Mice ${'run '.repeat(i)}`),
];
const statistics = statisticsOf(TEXTS);

function termsOf(query: string, termsMax = 64): QueryTerm[] {
  return weightQuery(parseQuery(query, termsMax), statistics).terms;
}

describe('weightQuery', () => {
  it.each<[what: string, query: string, words: string[]]>([
    ['nothing', '', []],
    ['only marks', '?! — "" 😀', []],
    [
      'words without stop words',
      'Do statins inhibit the enzyme?',
      ['statins', 'inhibit', 'enzyme'],
    ],
    ['stop words if there are no others', 'to be or not to be', ['to', 'be', 'or', 'not']],
    ['one word per stem', 'inhibits inhibition inhibit', ['inhibits']],
    ['words without accents', 'Café cafe', ['cafe']],
    ['a mixed word and its parts', 'il6', ['il6', 'il', '6']],
    ['parts that were joined', 'IL-6', ['il', '6']],
    ['each part once', '6 il6 il', ['6', 'il6', 'il']],
    [
      'operators as words',
      'mice AND (sleep* NEAR title:x)',
      ['mice', 'sleep', 'near', 'title', 'x'],
    ],
  ])('takes %s', (_, query, words) => {
    expect(termsOf(query).map(({ word }) => word)).toEqual(words);
  });

  it.each<[what: string, query: string, termsMax: number, words: string[]]>([
    ['a word that a hyphen splits', 'IL-6 in mice', 64, ['il6']],
    ['no word that the index does not have', 'IL-7', 64, []],
    ['no word that is already a term', 'IL-6 or il6', 64, []],
    ['no word without a part among the terms', 'mice IL-6', 1, []],
  ])('also looks up %s', (_, query, termsMax, words) => {
    const { joined } = weightQuery(parseQuery(query, termsMax), statistics);
    expect(joined.map(({ word }) => word)).toEqual(words);
  });

  it('gives a joined word the weights of its parts', () => {
    const { terms, joined } = weightQuery(parseQuery('IL-6', 64), statistics);
    const [il, six] = terms as [QueryTerm, QueryTerm];
    const weight = il.weight + six.weight;
    expect(joined).toEqual([{ word: 'il6', term: termOf('il6'), frequency: 1, weight }]);
  });

  it('weights terms by their rarity', () => {
    const [mice, statins, unknown] = termsOf('mice statins zebrafish') as [
      ...[QueryTerm, QueryTerm, QueryTerm],
    ];
    expect([mice.frequency, statins.frequency, unknown.frequency]).toEqual([7, 1, 0]);
    const terms = [mice, statins, unknown];
    const smoothed = terms.map((one) => smoothedDocumentFrequency(one.frequency, TEXTS.length));
    const sum = smoothed.reduce((total, value) => total + value, 0);
    for (const [i, { frequency, weight, share }] of terms.entries()) {
      const idf = inverseDocumentFrequency(frequency, TEXTS.length);
      expect(weight).toBeCloseTo(idf ** IDF_EXPONENT, 15);
      expect(share).toBeCloseTo((smoothed[i] as number) / sum, 12);
    }
    // One rare word outweighs several common ones by more than their frequencies alone say.
    expect(unknown.weight / statins.weight).toBeGreaterThan(
      inverseDocumentFrequency(0, TEXTS.length) / inverseDocumentFrequency(1, TEXTS.length),
    );
  });

  it('counts all words with the same stem', () => {
    expect(termsOf('inhibition')).toMatchObject([{ term: termOf('inhibits'), frequency: 2 }]);
  });

  it('keeps the first `termsMax` terms', () => {
    expect(termsOf('mice sleep statins', 2).map(({ word }) => word)).toEqual(['mice', 'sleep']);
    expect(termsOf('il6 mice', 2).map(({ word }) => word)).toEqual(['il6', 'il']);
    const long = Array.from({ length: 500 }, (_, i) => `w${i}`)
      .join(' ')
      .slice(0, 2000);
    expect(long).toHaveLength(2000);
    expect(termsOf(long)).toHaveLength(64);
    expect(termsOf('a'.repeat(2000))).toHaveLength(1);
  });

  it('gives equal shares in an empty index', () => {
    const { terms } = weightQuery(parseQuery('mice sleep', 64), statisticsOf([]));
    expect(terms.map(({ share }) => share)).toEqual([0.5, 0.5]);
  });

  it('gives positive weights, and shares that add up to 1, for any query', () => {
    const word = fc.constantFrom('mice', 'il6', 'the', 'Sleep', 'x9y', 'zebra', '—', 'à', '\ud83d');
    fc.assert(
      fc.property(
        fc.array(word, { maxLength: 12 }),
        fc.integer({ min: 1, max: 9 }),
        (words, most) => {
          const terms = termsOf(words.join(' '), most);
          expect(terms.length).toBeLessThanOrEqual(most);
          expect(new Set(terms.map(({ term }) => term)).size).toBe(terms.length);
          const sum = terms.reduce((total, { share }) => total + share, 0);
          if (terms.length > 0) expect(sum).toBeCloseTo(1, 12);
          for (const { weight, share } of terms) expect(Math.min(weight, share)).toBeGreaterThan(0);
        },
      ),
    );
  });
});
