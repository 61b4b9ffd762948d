import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { COVERAGE_WEIGHT, scoreBestUnit, sentenceCoverage } from '../../src/search/score-units.ts';
import { candidateOf, type ToyCandidate } from './toy-candidates.ts';

const TITLE = 'Sleep of mice';
const ABSTRACT = 'We asked about sleep. Mice slept less. They remembered little.';
const SHARES = { sleep: 0.2, mice: 0.3, remember: 0.5 };
const FIFTY = Array.from({ length: 50 }, (_, i) => `Sentence ends${i}.`).join(' ');

describe('scoreBestUnit', () => {
  it.each<[what: string, fields: ToyCandidate, expected: number]>([
    ['the title of a document without an abstract', { title: TITLE, cosines: [0.9, 0.4] }, 0.4],
    [
      'the title with its coverage',
      { title: TITLE, cosines: [0.9, 0.4], shares: SHARES },
      0.4 + 0.5 * COVERAGE_WEIGHT,
    ],
    ['a negative cosine', { title: TITLE, cosines: [0.9, -0.4] }, -0.4],
    [
      'the sentence with the highest cosine',
      { abstract: ABSTRACT, cosines: [0.9, 0, 0.1, 0.3, 0.2] },
      0.3,
    ],
    [
      'a sentence with coverage over one with a higher cosine',
      {
        abstract: ABSTRACT,
        cosines: [0.9, 0, 0.1, 0.3 + COVERAGE_WEIGHT / 10, 0.3],
        shares: { remember: 1 },
      },
      0.3 + COVERAGE_WEIGHT,
    ],
    [
      'coverage of the title for the title only',
      {
        title: TITLE,
        abstract: 'It rose.',
        cosines: [0.9, 0.2, 0.2 + COVERAGE_WEIGHT],
        shares: SHARES,
      },
      0.2 + COVERAGE_WEIGHT,
    ],
  ])('takes %s', (_, fields, expected) => {
    expect(scoreBestUnit(candidateOf(fields))).toBeCloseTo(expected, 12);
  });

  it('agrees with the written-out formula', () => {
    const cosine = fc.double({ min: -1, max: 1, noNaN: true });
    const words = fc.subarray(['sleep', 'slept', 'mice', 'remember', 'little', 'absent']);
    fc.assert(
      fc.property(words, fc.array(cosine, { minLength: 5, maxLength: 5 }), (chosen, cosines) => {
        const shares = Object.fromEntries(chosen.map((word) => [word, 1 / chosen.length]));
        const units = [TITLE, ...ABSTRACT.split(/(?<=\.) /)];
        const stems = ['sleep', 'slept', 'mice', 'remember', 'little'];
        const has = (unit: string, word: string): boolean =>
          stems.includes(word) && new RegExp(`\\b${word}`, 'i').test(unit);
        const scores = units.map((unit, i) => {
          const count = chosen.filter((word) => has(unit, word)).length;
          return (
            (cosines[i + 1] as number) +
            (count === 0 ? 0 : (COVERAGE_WEIGHT * count) / chosen.length)
          );
        });
        const candidate = candidateOf({ title: TITLE, abstract: ABSTRACT, cosines, shares });
        expect(scoreBestUnit(candidate)).toBeCloseTo(Math.max(...scores), 10);
      }),
    );
  });
});

describe('sentenceCoverage', () => {
  it('sums the shares of the terms in the sentence', () => {
    const candidate = candidateOf({ title: TITLE, abstract: ABSTRACT, shares: SHARES });
    const coverages = [0, 1, 2, 3].map((sentence) => sentenceCoverage(candidate, sentence));
    expect(coverages).toEqual([0.2, 0.3, 0.5, 0]);
  });

  it('treats all sentences from the thirty-second on as one', () => {
    const shares = { ends0: 0.1, ends30: 0.2, ends31: 0.3, ends49: 0.4 };
    const candidate = candidateOf({ abstract: FIFTY, shares });
    const covered = Array.from({ length: 50 }, (_, i) => sentenceCoverage(candidate, i));
    expect([covered[0], covered[1], covered[30]]).toEqual([0.1, 0, 0.2]);
    for (const coverage of covered.slice(31)) expect(coverage).toBeCloseTo(0.7, 12);
  });

  it.each([1, 8, 9, 16, 17, 32])('distinguishes %i sentences', (count) => {
    const sentences = Array.from({ length: count }, (_, i) => `Sentence ends${i}.`);
    for (const at of sentences.keys()) {
      const candidate = candidateOf({
        abstract: sentences.join(' '),
        shares: { [`ends${at}`]: 1 },
      });
      const covered = sentences.map((_, i) => sentenceCoverage(candidate, i));
      expect(covered).toEqual(sentences.map((_, i) => (i === at ? 1 : 0)));
    }
  });
});
