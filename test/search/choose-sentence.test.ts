import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { rankSentences } from '../../src/search/choose-sentence.ts';
import { topicalWeights, weightsFor } from '../../src/search/sentence-weights.ts';
import { splitSentences } from '../../src/text/split-sentences.ts';
import { candidateOf } from './toy-candidates.ts';

const weights = weightsFor(topicalWeights, '');
const { coverage = 0, positionRoot = 0, length: lengthWeight = 0 } = topicalWeights.always;
const LONGER = `It rose with ${'every new '.repeat(200)}day. It rose.`;
const TEXT = 'Rats woke very early. Mice slept less. They remembered little.';
const EVEN = 'We asked sleep. Mice slept out. They rose away.';
const FIFTY = Array.from({ length: 50 }, (_, i) => `Sentence e${i} ended.`).join(' ');

interface Row {
  what: string;
  text?: string;
  /** The cosines of the sentences with the query. */
  cosines: number[];
  shares?: Record<string, number>;
  chosen: number;
}

const ROWS: Row[] = [
  { what: 'no sentence of an empty text', text: '', cosines: [], chosen: -1 },
  { what: 'the only sentence', text: 'It rose.', cosines: [-0.9], chosen: 0 },
  { what: 'the sentence with the highest cosine', cosines: [0.2, 0.9, 0.3], chosen: 1 },
  { what: 'the last of sentences with the same cosine', cosines: [0.5, 0.5, 0.5], chosen: 2 },
  { what: 'an earlier sentence with a much higher cosine', cosines: [0.7, 0.5, 0.5], chosen: 0 },
  { what: 'a later sentence despite a slightly lower cosine', cosines: [0.6, 0.5, 0.5], chosen: 2 },
  {
    what: 'the longer of two sentences with the same cosine',
    text: LONGER,
    cosines: [0.5, 0.5],
    chosen: 0,
  },
  {
    what: 'the sentence with the query’s words',
    cosines: [0.5, 0.5, 0.5],
    shares: { mice: 1 },
    chosen: 1,
  },
  {
    what: 'a sentence with the stem of a query word',
    cosines: [0.6, 0.5, 0.5],
    shares: { remembers: 1 },
    chosen: 2,
  },
  {
    what: 'a sentence with a much higher cosine over one with a query word',
    cosines: [0.9, 0.5, 0.5],
    shares: { remembers: 1 },
    chosen: 0,
  },
  {
    what: 'the sentence with the rarer word',
    text: EVEN,
    cosines: [0.5, 0.4, 0],
    shares: { asked: 0.1, mice: 0.9 },
    chosen: 1,
  },
  { what: 'the last sentence if cosines are missing', cosines: [], chosen: 2 },
  { what: 'the last of fifty similar sentences', text: FIFTY, cosines: [], chosen: 49 },
  {
    what: 'the sentence with the highest cosine beyond the mask',
    text: FIFTY,
    cosines: Array.from({ length: 50 }, (_, i) => (i === 40 ? 0.6 : 0.5)),
    shares: { e49: 1 },
    chosen: 40,
  },
  {
    what: 'a sentence within the mask by its word',
    text: FIFTY,
    cosines: Array.from({ length: 50 }, () => 0.5),
    shares: { e30: 1 },
    chosen: 30,
  },
];

function choose(text: string, cosines: number[], shares: Record<string, number> = {}): number {
  // The cosines of the document and the title come first and must not matter.
  const candidate = candidateOf({ abstract: text, cosines: [1, 1, ...cosines], shares });
  const document = { candidate, abstract: text, spans: splitSentences(text) };
  return rankSentences(document, weights)[0]?.index ?? -1;
}

describe('rankSentences', () => {
  it.each<[what: string, cosines: number[], chosen: number]>([
    ['a finding over a closer announcement', [0.7, 0.8, 0.6, 0.5], 2],
    ['an announcement that is much closer', [0.4, 0.9, 0.5, 0.4], 1],
    ['a finding over background', [0.7, 0.3, 0.65, 0.4], 2],
    ['a plain sentence over an announcement', [0.2, 0.7, 0.2, 0.6], 3],
  ])('chooses %s', (_, cosines, chosen) => {
    const text =
      'Despite recent progress, tides surprise. We propose a model of tides. ' +
      'We show that the moon moves them. The sea rose and fell.';
    expect(choose(text, cosines)).toBe(chosen);
  });

  it.each(ROWS)('chooses $what', ({ text = TEXT, cosines, shares, chosen }) => {
    expect(choose(text, cosines, shares)).toBe(chosen);
  });

  it('chooses the earlier of two sentences with the same score', () => {
    // The cosine of sentence 0 exactly offsets the position of sentence 2.
    expect(choose('It rose. It rose. It rose.', [positionRoot, 0, 0])).toBe(0);
  });

  it('agrees with the written-out formula for any cosines', () => {
    const cosine = fc.double({ min: -1, max: 1, noNaN: true });
    const share = fc.double({ min: 0, max: 1, noNaN: true });
    const sentence = fc.record({ cosine, share, length: fc.integer({ min: 5, max: 60 }) });
    fc.assert(
      fc.property(fc.array(sentence, { minLength: 1, maxLength: 20 }), (sentences) => {
        const texts = sentences.map(({ length }, i) => `Q${i} ${'z'.repeat(length)}.`);
        const spans = splitSentences(texts.join(' '));
        expect(spans).toHaveLength(texts.length);
        const shares = Object.fromEntries(sentences.map((one, i) => [`q${i}`, one.share]));
        const cosines = sentences.map((one) => one.cosine);
        const scores = sentences.map(
          (one, i) =>
            one.cosine +
            coverage * one.share +
            positionRoot * Math.sqrt(i / Math.max(1, sentences.length - 1)) +
            lengthWeight * Math.log(texts[i]?.length ?? 0),
        );
        const chosen = choose(texts.join(' '), cosines, shares);
        expect(scores[chosen]).toBeCloseTo(Math.max(...scores), 12);
      }),
    );
  });
});
