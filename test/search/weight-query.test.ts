import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type QueryTerm, weightQuery } from '../../src/search/weight-query.ts';
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

function weigh(query: string, termsMax = 64): QueryTerm[] {
  return weightQuery(query, statistics, termsMax).terms;
}

describe('weighQuery', () => {
  it.each<[what: string, query: string, words: string[]]>([
    ['nothing', '', []],
    ['only marks', '?! — "" 😀', []],
    [
      'words without the common ones',
      'Do statins inhibit the enzyme?',
      ['statins', 'inhibit', 'enzyme'],
    ],
    ['only common words', 'to be or not to be', ['to', 'be', 'or', 'not']],
    ['one of the words of a stem', 'inhibits inhibition inhibit', ['inhibits']],
    ['accents as none', 'Café cafe', ['cafe']],
    ['a mixed word and its deps', 'il6', ['il6', 'il', '6']],
    ['deps that were joined', 'IL-6', ['il', '6']],
    ['deps but once', '6 il6 il', ['6', 'il6', 'il']],
    [
      'operators as words',
      'mice AND (sleep* NEAR title:x)',
      ['mice', 'sleep', 'near', 'title', 'x'],
    ],
  ])('takes %s', (_, query, words) => {
    expect(weigh(query).map(({ word }) => word)).toEqual(words);
  });

  it.each<[what: string, query: string, termsMax: number, words: string[]]>([
    ['what a hyphen deps', 'IL-6 in mice', 64, ['il6']],
    ['nothing that the index does not have', 'IL-7', 64, []],
    ['nothing that is a term already', 'IL-6 or il6', 64, []],
    ['nothing of which no part is among the terms', 'mice IL-6', 1, []],
  ])('looks up besides %s', (_, query, termsMax, words) => {
    const { joined } = weightQuery(query, statistics, termsMax);
    expect(joined.map(({ word }) => word)).toEqual(words);
  });

  it('takes what is looked up besides for its deps', () => {
    const { terms, joined } = weightQuery('IL-6', statistics, 64);
    const [il, six] = terms as [QueryTerm, QueryTerm];
    const weight = il.weight + six.weight;
    expect(joined).toEqual([{ word: 'il6', term: termOf('il6'), frequency: 1, weight }]);
  });

  it('weighs by rarity', () => {
    const [mice, statins, unknown] = weigh('mice statins zebrafish') as [
      ...[QueryTerm, QueryTerm, QueryTerm],
    ];
    expect([mice.frequency, statins.frequency, unknown.frequency]).toEqual([7, 1, 0]);
    // In more than half of the documents: almost nothing, but not nothing.
    expect(mice.weight).toBeCloseTo(1e-6 ** 1.5, 15);
    expect(statins.weight).toBeCloseTo(Math.log(9.5 / 1.5) ** 1.5, 12);
    expect(unknown.weight).toBeCloseTo(Math.log(10.5 / 0.5) ** 1.5, 12);
    const smoothed = [Math.log(1 + 3.5 / 7.5), Math.log(1 + 9.5 / 1.5), Math.log(1 + 10.5 / 0.5)];
    const sum = smoothed.reduce((total, value) => total + value, 0);
    for (const [i, { share }] of [mice, statins, unknown].entries()) {
      expect(share).toBeCloseTo((smoothed[i] as number) / sum, 12);
    }
  });

  it('counts a word that others share the stem of with them', () => {
    expect(weigh('inhibition')).toMatchObject([{ term: termOf('inhibits'), frequency: 2 }]);
  });

  it('knows no more terms than it may, the first ones', () => {
    expect(weigh('mice sleep statins', 2).map(({ word }) => word)).toEqual(['mice', 'sleep']);
    expect(weigh('il6 mice', 2).map(({ word }) => word)).toEqual(['il6', 'il']);
    const long = Array.from({ length: 500 }, (_, i) => `w${i}`)
      .join(' ')
      .slice(0, 2000);
    expect(long).toHaveLength(2000);
    expect(weigh(long)).toHaveLength(64);
    expect(weigh('a'.repeat(2000))).toHaveLength(1);
  });

  it('weighs the words of an empty index alike', () => {
    const { terms } = weightQuery('mice sleep', statisticsOf([]), 64);
    expect(terms.map(({ share }) => share)).toEqual([0.5, 0.5]);
  });

  it('gives shares that make 1, and weights above zero, for any question', () => {
    const word = fc.constantFrom('mice', 'il6', 'the', 'Sleep', 'x9y', 'zebra', '—', 'à', '\ud83d');
    fc.assert(
      fc.property(
        fc.array(word, { maxLength: 12 }),
        fc.integer({ min: 1, max: 9 }),
        (words, most) => {
          const terms = weigh(words.join(' '), most);
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
