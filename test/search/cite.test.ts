import { describe, expect, it } from 'vitest';
import { cite } from '../../src/search/cite.ts';
import { topicalWeights } from '../../src/search/sentence-weights.ts';
import { splitSentences } from '../../src/text/split-sentences.ts';
import type { Citation } from '../../src/types.ts';
import { documentOf } from '../index/memory-index.ts';
import { candidateOf } from './toy-candidates.ts';

const AUTHORS = ['A. Berg', 'B. Dahl', 'C. Elm', 'D. Furu'];

describe('cite', () => {
  it('returns exactly the fields of a result', () => {
    const document = {
      id: '10.5555/tides',
      title: 'Tides',
      abstract: 'It rose. It fell.',
      year: 1998,
      authors: AUTHORS.slice(0, 2),
      venue: 'Shore',
    };
    const [citation] = citeAll([document], { scores: [0.12345] });
    expect(citation).toEqual({
      d: '10.5555/tides',
      t: 'Tides',
      y: 1998,
      a: ['A. Berg', 'B. Dahl'],
      s: 0.123,
      q: 'It fell.',
      src: 'corpus',
    });
  });

  it.each([0, 1, 3, 4])('names at most three of %i authors', (count) => {
    const [citation] = citeAll([{ title: 'Tides', authors: AUTHORS.slice(0, count) }]);
    expect(citation?.a).toEqual(AUTHORS.slice(0, Math.min(3, count)));
  });

  it.each([
    ['no abstract', ''],
    ['an abstract of white space', ' \n'],
  ])('quotes the title of a document with %s', (_, abstract) => {
    expect(citeAll([{ title: ' Tides ', abstract }])[0]?.q).toBe(' Tides ');
  });

  it('quotes a sentence of a document without a title', () => {
    expect(citeAll([{ abstract: 'It rose.' }])[0]).toMatchObject({ t: '', q: 'It rose.' });
  });

  it.each([
    'It  rose\tand\nfell (see “Fig. 2”)…',
    'Ünïcode 😀 rose, e\u0301 fell.',
    '土壤含碳。',
    '<b>It</b> rose & fell "twice".',
  ])('quotes word for word: %j', (sentence) => {
    const [citation] = citeAll([{ abstract: `It stood.\n\n${sentence}\n\n` }]);
    expect(citation?.q).toBe(sentence);
  });

  it('quotes the chosen sentence, however many there are', () => {
    const abstract = Array.from({ length: 50 }, (_, i) => `The water rose ${i} times.`).join(' ');
    for (const chosen of [0, 31, 44, 49]) {
      const cosine = (index: number): number => (index === chosen ? 0.9 : 0);
      expect(citeAll([{ abstract }], { cosine })[0]?.q).toBe(`The water rose ${chosen} times.`);
    }
  });

  it('adds the abstract only if the request asks for it', () => {
    const documents = [{ abstract: ' It rose.\n' }, { title: 'Tides' }];
    const abstracts = citeAll(documents, { withAbstract: true }).map(({ ab }) => ab);
    expect(abstracts).toEqual([' It rose.\n', '']);
    for (const citation of citeAll(documents)) expect(citation).not.toHaveProperty('ab');
  });

  it.each([
    [0.12345, 0.123],
    [0.9996, 1],
    [0.0004, 0],
    [1, 1],
  ])('rounds the score %d to %d', (score, rounded) => {
    expect(citeAll([{ title: 'Tides' }], { scores: [score] })[0]?.s).toBe(rounded);
  });

  it('keeps the order of the ranking', () => {
    const documents = ['c', 'a', 'b'].map((title) => ({ title }));
    expect(citeAll(documents).map(({ t }) => t)).toEqual(['c', 'a', 'b']);
    expect(citeAll([])).toEqual([]);
  });
});

interface Options {
  withAbstract?: boolean;
  scores?: number[];
  /** The cosine of each sentence by its index. */
  cosine?: (index: number) => number;
}

/** Cites documents that are ranked in this order. */
function citeAll(fields: Parameters<typeof documentOf>[0][], options: Options = {}): Citation[] {
  const { withAbstract = false, scores = [], cosine = () => 0 } = options;
  const documents = fields.map((one) => {
    const document = documentOf(one);
    return { ...document, spans: splitSentences(document.abstract) };
  });
  const papers = documents.map((cited, document) => {
    const { abstract, spans } = cited;
    const cosines = [1, 1, ...spans.map((_, index) => cosine(index))];
    const candidate = candidateOf({ document, abstract, cosines });
    return { cited, candidate, score: scores[document] ?? 0 };
  });
  return cite(papers, [], { withAbstract }, { query: '', weights: topicalWeights });
}
