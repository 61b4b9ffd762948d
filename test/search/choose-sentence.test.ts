import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { splitSentences } from '../../src/ingest/split-sentences.ts';
import { chooseSentence, stemWeights } from '../../src/search/choose-sentence.ts';

const LONGER = `It rose with ${'every new '.repeat(200)}day. It rose.`;
const TEXT = 'We asked about sleep. Mice slept less. They remembered little.';

interface Row {
  what: string;
  text?: string;
  cosines: number[];
  words?: string[];
  chosen: number;
}

const ROWS: Row[] = [
  { what: 'no sentence of an empty text', text: '', cosines: [], chosen: -1 },
  { what: 'the only one', text: 'It rose.', cosines: [-0.9], chosen: 0 },
  { what: 'the nearest', cosines: [0.2, 0.9, 0.3], chosen: 1 },
  { what: 'the later of two that are as near', cosines: [0.5, 0.5, 0.5], chosen: 2 },
  { what: 'an earlier one that is clearly nearer', cosines: [0.66, 0.5, 0.5], chosen: 0 },
  { what: 'a later one against a small lead', cosines: [0.6, 0.5, 0.5], chosen: 2 },
  { what: 'a longer one of two that are as near', text: LONGER, cosines: [0.5, 0.5], chosen: 0 },
  { what: 'the one with the query’s words', cosines: [0.5, 0.5, 0.5], words: ['mice'], chosen: 1 },
  { what: 'words by their stem', cosines: [0.6, 0.5, 0.5], words: ['remembers'], chosen: 2 },
  {
    what: 'a much nearer one against words',
    cosines: [0.9, 0.5, 0.5],
    words: ['remembers'],
    chosen: 0,
  },
  { what: 'the last where cosines are missing', cosines: [], chosen: 2 },
];

describe('chooseSentence', () => {
  it.each(ROWS)('takes $what', ({ text = TEXT, cosines, words = [], chosen }) => {
    const spans = splitSentences(text);
    const weights = stemWeights(words, [text]);
    expect(chooseSentence({ text, spans, cosines, weights })).toBe(chosen);
  });

  it('takes the earlier of two that tie', () => {
    const text = 'It rose. It rose. It rose.';
    const spans = splitSentences(text);
    // Sentence 0 makes up for the place of sentence 2 exactly.
    const cosines = [0.15, 0, 0];
    expect(chooseSentence({ text, spans, cosines, weights: new Map() })).toBe(0);
  });

  it('weighs a rare word more than a common one', () => {
    const text = 'Mice moved. Zebrafish moved.';
    const texts = [text, 'Mice ate.', 'Mice slept.', 'Mice ran.'];
    const weights = stemWeights(['mice', 'zebrafish'], texts);
    const choose = (cosines: number[]): number =>
      chooseSentence({ text, spans: splitSentences(text), cosines, weights });
    expect(weights.get('zebraf')).toBeGreaterThan(weights.get('mice') ?? 0);
    expect(choose([0.5, 0.4])).toBe(1);
    expect(choose([0.9, 0.4])).toBe(0);
  });

  it('takes one of the sentences, whatever the cosines', () => {
    const cosine = fc.double({ min: -1, max: 1, noNaN: true });
    fc.assert(
      fc.property(fc.array(cosine, { minLength: 1, maxLength: 6 }), (cosines) => {
        const text = cosines.map((_, i) => `Sentence ${i} ends.`).join(' ');
        const spans = splitSentences(text);
        const chosen = chooseSentence({ text, spans, cosines, weights: new Map() });
        const scores = cosines.map(
          (c, i) => c + 0.15 * Math.sqrt(i / Math.max(1, cosines.length - 1)),
        );
        // All sentences have as many words, so that their length decides nothing.
        expect(scores[chosen]).toBeCloseTo(Math.max(...scores), 12);
      }),
    );
  });
});

describe('stemWeights', () => {
  it('weighs by the inverse share of the texts that have the stem', () => {
    const weights = stemWeights(['inhibits', 'sleep'], ['inhibition', 'It inhibits.', 'Sleep', '']);
    expect([...weights.keys()]).toEqual(['inhibi', 'sleep']);
    expect(weights.get('inhibi')).toBeCloseTo(Math.log(1 + 4 / 3), 12);
    expect(weights.get('sleep')).toBeCloseTo(Math.log(1 + 4 / 2), 12);
  });

  it('counts a text once, however often it has the stem', () => {
    const once = stemWeights(['sleep'], ['sleep', 'a']);
    expect(stemWeights(['sleep'], ['sleep sleeping SLEEP', 'a'])).toEqual(once);
  });

  it('has no weights without words, and 0 without texts', () => {
    expect(stemWeights([], ['sleep']).size).toBe(0);
    expect(stemWeights(['sleep'], []).get('sleep')).toBe(0);
  });
});
