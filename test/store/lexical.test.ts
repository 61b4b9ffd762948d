import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { queryWords } from '../../src/search/query-words.ts';
import { createLexicalRetriever } from '../../src/store/lexical.ts';
import type { Ranking } from '../../src/types.ts';
import { addDocuments, memoryIndex } from './memory-index.ts';

const DOCUMENTS = [
  { id: '1', title: 'Stars and planets', abstract: 'Each star was observed for a year.' },
  { id: '2', title: 'Café culture', abstract: 'Naïve visitors drank coffee near the stars.' },
  { id: '3', title: 'NEAR and NOT', abstract: 'AND OR title abstract rank.' },
  { id: '4', title: '土壤 含碳', abstract: 'Почва хранит углерод.' },
  { id: '5', title: 'Numbers', abstract: 'p53 rose by 3.14 in IL-6 treated mice.' },
];

describe('the lexical retriever', () => {
  it.each<[what: string, words: string[], documents: number[]]>([
    ['no word', [], []],
    ['a word that no text has', ['zebra'], []],
    ['another form of a word', ['observing'], [1]],
    ['a plural', ['planet'], [1]],
    ['any case', ['PLANETS'], [1]],
    ['a word without its accent', ['cafe'], [2]],
    ['a word with an accent too many', ['coffée'], [2]],
    ['any of several words', ['planet', 'coffee'], [1, 2]],
    ['Chinese as it stands between blanks', ['土壤'], [4]],
    ['Cyrillic', ['почва'], [4]],
    ['a gene', ['p53'], [5]],
  ])('finds %s', (_, words, documents) => {
    expect(numbersOf(retrieve(words)).sort()).toEqual(documents);
  });

  it.each<[what: string, word: string, documents: number[]]>([
    ['AND', 'AND', [1, 3]],
    ['OR', 'OR', [3]],
    ['NOT', 'NOT', [3]],
    ['NEAR', 'NEAR', [2, 3]],
    ['a group of NEAR', 'NEAR(star year)', []],
    ['a prefix', 'plan*', []],
    ['a column', 'title', [3]],
    ['a column filter', 'title: star', []],
    ['a first-token mark', '^stars', [1, 2]],
    ['a quote', '"', []],
    ['a word in quotes', '"planets"', [1]],
    ['a quote inside', 'plan"ets', []],
    ['an injection', '"; DROP TABLE documents; --', []],
    ['brackets', '(', []],
    ['a plus', '+', []],
    ['a lone accent', '\u0301', []],
    ['an emoji', '😀', []],
    ['nothing', '', []],
  ])('takes %s as text', (_, word, documents) => {
    expect(numbersOf(retrieve([word])).sort()).toEqual(documents);
  });

  it('finds the others where one of the words is no word to it', () => {
    expect(numbersOf(retrieve(['😀', 'planet', '']))).toEqual([1]);
  });

  it('never fails, whatever the question is', () => {
    const db = memoryIndex();
    addDocuments(db, DOCUMENTS);
    const retriever = createLexicalRetriever(db);
    const piece = fc.constantFrom('"', "'", '*', ':', '(', ')', ' ', '-', '\0', 'NEAR', 'AND', 'a');
    const text = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.array(piece).map((pieces) => pieces.join('')),
    );
    fc.assert(
      fc.property(text, (question) => {
        expect(Array.isArray(retriever.retrieve(queryWords(question, 64), 10))).toBe(true);
      }),
      { numRuns: 500 },
    );
  });

  it('weighs a word in the title more than one in the abstract', () => {
    const db = memoryIndex();
    addDocuments(db, [
      { id: 'abstract', title: 'Plain title here', abstract: 'It shows a comet.' },
      { id: 'title', title: 'It shows comet', abstract: 'Plain title here now.' },
      { id: 'neither', title: 'Plain title here', abstract: 'It shows nothing.' },
    ]);
    const ranking = createLexicalRetriever(db).retrieve(['comet'], 10);
    expect(numbersOf(ranking)).toEqual([2, 1]);
    expect(ranking[0]?.score).toBeGreaterThan(ranking[1]?.score ?? 0);
  });

  it('weighs a rare word more than a common one', () => {
    const db = memoryIndex();
    const common = Array.from({ length: 9 }, (_, i) => ({ id: `${i}`, title: 'comet' }));
    addDocuments(db, [...common, { id: 'rare', title: 'quasar' }]);
    expect(numbersOf(createLexicalRetriever(db).retrieve(['comet', 'quasar'], 1))).toEqual([10]);
  });

  it('sorts by score, ties by document, and keeps to the limit', () => {
    const db = memoryIndex();
    addDocuments(
      db,
      Array.from({ length: 20 }, (_, i) => ({ id: `${i}`, title: i % 2 ? 'comet' : 'comet tail' })),
    );
    const ranking = createLexicalRetriever(db).retrieve(['comet'], 12);
    expect(numbersOf(ranking)).toEqual([2, 4, 6, 8, 10, 12, 14, 16, 18, 20, 1, 3]);
    for (const { score } of ranking) expect(score).toBeGreaterThan(0);
  });
});

function retrieve(words: readonly string[]): Ranking {
  const db = memoryIndex();
  addDocuments(db, DOCUMENTS);
  return createLexicalRetriever(db).retrieve(words, 10);
}

function numbersOf(ranking: Ranking): number[] {
  return ranking.map(({ document }) => document);
}
