import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { inverseDocumentFrequency } from '../../src/search/bm25.ts';
import {
  bm25Parameters,
  FEEDBACK_DOCUMENTS,
  STEEPNESS,
  scoreFeedback,
} from '../../src/search/pseudo-relevance-feedback.ts';
import { stopTerms, termsOf } from '../../src/text/terms.ts';
import type { Embedding } from '../../src/types.ts';
import { toyVector } from '../index/memory-index.ts';
import { cosineOf, rankedOf, statisticsOf } from './toy-candidates.ts';

const WORDS = ['mice', 'sleep', 'enzyme', 'tide', 'moon', 'cell', 'soil', 'light', 'the', 'x'];

/** The feedback for documents with these scores and titles, in an index of them and others. */
function feedbackOf(rows: readonly [score: number, title: string][], others: string[] = []) {
  const ranked = rows.map(([score, title], i) => rankedOf({ document: i + 1, title, score }));
  const statistics = statisticsOf([...rows.map(([, title]) => title), ...others]);
  return scoreFeedback(ranked, statistics);
}

/** The feature of the expansion terms, written out with texts and maps. */
function termShares(rows: readonly [score: number, title: string][], others: string[]): number[] {
  const texts = rows.map(([, title]) => termsOf(title));
  const all = [...texts, ...others.map((text) => termsOf(text))];
  const mean = all.flat().length / all.length;
  const saturated = (terms: number[], term: number): number => {
    const { k1, b, title } = bm25Parameters;
    const occurrences = title * terms.filter((one) => one === term).length;
    const norm = 1 - b + (b * terms.length) / mean;
    return (occurrences * (k1 + 1)) / (occurrences + k1 * norm);
  };
  const weights = new Map<number, number>();
  for (const [i, terms] of texts.slice(0, FEEDBACK_DOCUMENTS).entries()) {
    const weight = Math.exp(STEEPNESS * ((rows[i]?.[0] ?? 0) - (rows[0]?.[0] ?? 0)));
    for (const term of new Set(terms)) {
      weights.set(term, (weights.get(term) ?? 0) + weight * saturated(terms, term));
    }
  }
  const expansion = [...weights]
    .map(([term, weight]) => {
      const frequency = all.filter((terms) => terms.includes(term)).length;
      const idf = inverseDocumentFrequency(frequency, all.length);
      return { term, frequency, weight: weight * idf };
    })
    .filter(({ term, frequency }) => frequency > 1 && !stopTerms.has(term));
  const sums = texts.map((terms) =>
    expansion.reduce((sum, { term, weight }) => sum + weight * saturated(terms, term), 0),
  );
  return sums.map((sum) => sum / Math.max(Number.MIN_VALUE, ...sums));
}

describe('the expansion-term feature', () => {
  const others = ['moon rock', 'soil', 'cell light'];

  it('is positive for a document that shares a term with the top documents', () => {
    const [, same, other] = feedbackOf(
      [
        [0.9, 'enzyme inhibition'],
        [0.1, 'enzyme kinetics'],
        [0.1, 'tide tables'],
      ],
      others,
    );
    expect(same?.terms).toBeGreaterThan(0);
    expect(other?.terms).toBe(0);
  });

  it.each([
    ['stop words', 'enzyme which within', 'tide which within'],
    ['single letters and digits', 'enzyme x 7', 'tide x 7'],
    ['terms of a single document', 'enzyme zebrafish', 'tide tables'],
  ])('ignores %s', (_, best, unrelated) => {
    const [, , last] = feedbackOf(
      [
        [0.9, best],
        [0.8, 'enzyme'],
        [0.1, unrelated],
      ],
      others,
    );
    expect(last?.terms).toBe(0);
  });

  it('is 0 for all documents if there is no expansion term', () => {
    const rows: [number, string][] = [
      [0.9, 'the which'],
      [0.8, 'the which'],
    ];
    expect(feedbackOf(rows, others).map(({ terms }) => terms)).toEqual([0, 0]);
    expect(feedbackOf([[0.9, '']]).map(({ terms }) => terms)).toEqual([0]);
  });

  it('uses the top documents only', () => {
    const top = Array.from({ length: FEEDBACK_DOCUMENTS }, (): [number, string] => [0.9, 'enzyme']);
    const rows: [number, string][] = [...top, [0.9, 'tide'], [0.8, 'tide']];
    expect(feedbackOf(rows, others).map(({ terms }) => terms)).toEqual([...top.map(() => 1), 0, 0]);
  });

  it('agrees with the written-out formula for any titles', () => {
    const title = fc.array(fc.constantFrom(...WORDS), { maxLength: 6 }).map((w) => w.join(' '));
    const row = fc.tuple(fc.double({ min: 0, max: 1, noNaN: true }), title);
    const rowsOf = fc.array(row, { minLength: 1, maxLength: 9 });
    fc.assert(
      fc.property(rowsOf, fc.array(title, { maxLength: 4 }), (unsorted, extra) => {
        const rows = unsorted.sort(([a], [b]) => b - a);
        const expected = termShares(rows, extra);
        for (const [i, { terms }] of feedbackOf(rows, extra).entries()) {
          expect(terms).toBeCloseTo(expected[i] as number, 9);
        }
      }),
    );
  });
});

describe('the centroid feature', () => {
  const CLOSE = 2;
  const statistics = statisticsOf([]);

  it('is the cosine with the score-weighted centroid of the top documents', () => {
    const scores = [0.9, 0.88, 0.85, 0.5, 0.2, 0.2, 0.1];
    const vectors = scores.map((_, i) => toyVector(`feedback ${i}`));
    const ranked = vectors.map((own, i) => rankedOf({ own, document: i, score: scores[i] ?? 0 }));
    const mean = new Float32Array(32) as Embedding;
    for (const [i, vector] of vectors.slice(0, FEEDBACK_DOCUMENTS).entries()) {
      const weight = Math.exp(STEEPNESS * ((scores[i] as number) - 0.9));
      for (const at of mean.keys()) mean[at] = (mean[at] ?? 0) + weight * (vector[at] ?? 0);
    }
    const unit = mean.map((component) => component / Math.hypot(...mean));
    for (const [i, { vector }] of scoreFeedback(ranked, statistics).entries()) {
      expect(vector).toBeCloseTo(cosineOf(vectors[i] as Embedding, unit), CLOSE);
    }
  });

  it('is 1 for a single document', () => {
    const [feedback] = scoreFeedback([rankedOf({ score: 0.3 })], statistics);
    expect(feedback?.vector).toBeCloseTo(1, CLOSE);
  });

  it('stays in range for two opposite vectors', () => {
    const own = toyVector('one');
    const ranked = [own, own.map((component) => -component)].map((vector, document) =>
      rankedOf({ own: vector, document, score: 0.5 }),
    );
    for (const { vector } of scoreFeedback(ranked, statistics)) {
      expect(Math.abs(vector)).toBeLessThanOrEqual(1.01);
    }
  });

  it('is empty for no documents', () => {
    expect(scoreFeedback([], statistics)).toEqual([]);
  });
});
