import { describe, expect, it } from 'vitest';
import { splitSentences } from '../../src/ingest/split-sentences.ts';
import { type CiteOptions, cite } from '../../src/search/cite.ts';
import type { StoredDocument } from '../../src/store/documents.ts';
import type { Citation, SearchRequest } from '../../src/types.ts';
import { documentOf } from '../store/memory-index.ts';

const AUTHORS = ['A. Berg', 'B. Dahl', 'C. Elm', 'D. Furu'];

describe('cite', () => {
  it('has exactly the fields of the specification', () => {
    const document = {
      ...{ id: '10.5555/tides', title: 'Tides', abstract: 'It rose. It fell.', year: 1998 },
      ...{ authors: AUTHORS.slice(0, 2), venue: 'Shore' },
    };
    const [citation] = citeAll([document], { scores: [0.12345] });
    expect(citation).toEqual({
      ...{ d: '10.5555/tides', t: 'Tides', y: 1998, a: ['A. Berg', 'B. Dahl'], s: 0.123 },
      ...{ q: 'It fell.', src: 'corpus' },
    });
  });

  it.each([0, 1, 3, 4])('names the first three of %i authors', (count) => {
    const [citation] = citeAll([{ title: 'Tides', authors: AUTHORS.slice(0, count) }]);
    expect(citation?.a).toEqual(AUTHORS.slice(0, Math.min(3, count)));
  });

  it.each([
    ['no abstract', ''],
    ['an abstract of white space', ' \n'],
  ])('quotes a document with %s by its title', (_, abstract) => {
    expect(citeAll([{ title: ' Tides ', abstract }])[0]?.q).toBe(' Tides ');
  });

  it('quotes a document without title by a sentence', () => {
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

  it('adds the abstract only where it is asked for', () => {
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

  it('keeps the order of the ranking, up to the limit', () => {
    const documents = ['c', 'a', 'b'].map((title) => ({ title }));
    expect(citeAll(documents, { limit: 2 }).map(({ t }) => t)).toEqual(['c', 'a']);
    expect(citeAll(documents, { limit: 9 }).map(({ t }) => t)).toEqual(['c', 'a', 'b']);
    expect(citeAll([])).toEqual([]);
  });

  it('quotes a document the same, however many results are asked for', () => {
    // The weight of a word depends on how many of the candidates have it.
    const documents = Array.from({ length: 60 }, (_, i) => ({
      abstract: `Mice slept ${i} hours. ${i < 4 ? 'Rats' : 'Zebrafish'} slept for long.`,
    }));
    const options = { words: ['mice', 'zebrafish'], cosine: (i: number) => (i === 0 ? 0.05 : 0) };
    const all = citeAll(documents, { ...options, limit: 50 }).map(({ q }) => q);
    expect(new Set(all.map((quote) => quote.slice(0, 4))).size).toBeGreaterThan(1);
    for (const limit of [1, 2, 19, 20, 21, 49]) {
      const some = citeAll(documents, { ...options, limit }).map(({ q }) => q);
      expect(some).toEqual(all.slice(0, limit));
    }
  });
});

interface Options extends Partial<Omit<SearchRequest, 'query'>> {
  scores?: number[];
  words?: string[];
  /** The cosine of each sentence by its index. */
  cosine?: (index: number) => number;
}

/** Cites documents that are ranked in this order. */
function citeAll(documents: Parameters<typeof documentOf>[0][], options: Options = {}): Citation[] {
  const { limit = 10, withAbstract = false, scores = [], words = [], cosine = () => 0 } = options;
  const stored: StoredDocument[] = documents.map((fields) => {
    const document = documentOf(fields);
    return { ...document, spans: splitSentences(document.abstract) };
  });
  const signals = { lexical: 0, documentCosine: 0, bestCosine: 0 };
  const citeOptions: CiteOptions = {
    request: { query: '', limit, withAbstract },
    words,
    ranked: stored.map((_, document) => ({ ...signals, document, score: scores[document] ?? 0 })),
    candidates: new Map(
      stored.map(({ spans }, document) => [
        document,
        {
          cosines: Float64Array.from([0, 0, ...spans.keys()], (i, at) => (at < 2 ? 1 : cosine(i))),
        },
      ]),
    ),
    documents: {
      read: (document) => stored[document] as StoredDocument,
      readEmbeddings: () => Buffer.alloc(0),
    },
  };
  return cite(citeOptions);
}
