import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { extendPostings } from '../../../src/index/lexical/extend-postings.ts';
import {
  createLexicalRetriever,
  type WeightedWord,
  type WordMatches,
} from '../../../src/index/lexical/lexical-retrieval.ts';
import { createStatisticsReader } from '../../../src/index/lexical/term-statistics.ts';
import { queryWords } from '../../../src/text/query-words.ts';
import { termOf, termsOf } from '../../../src/text/terms.ts';
import { addDocuments, memoryIndex } from '../memory-index.ts';

const DOCUMENTS = [
  { id: '1', title: 'Stars and planets', abstract: 'Each star was observed for a year.' },
  { id: '2', title: 'Café culture', abstract: 'Naïve visitors drank coffee near the stars.' },
  { id: '3', title: 'NEAR and NOT', abstract: 'AND OR title abstract rank.' },
  { id: '4', title: '土壤 含碳', abstract: 'Почва хранит углерод и йод.' },
  { id: '5', title: 'Numbers', abstract: 'p53 rose by 3.14 in IL-6 treated mice.' },
  { id: '6', title: '한국 논문', abstract: 'Άλφα हिन्दी がん.' },
];
const LARGE = { postingsMax: 1_000_000 };

describe('createLexicalRetriever', () => {
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
    expect(retrieve(words)).toEqual(documents);
  });

  it.each([
    ['йод', 4],
    ['한국', 6],
    ['άλφα', 6],
    ['άλφα', 6],
    ['がん', 6],
  ])('finds a text by a question with its word %s', (question, document) => {
    expect(retrieve(queryWords(question, 64))).toEqual([document]);
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
  ])('treats %s as plain text', (_, word, documents) => {
    expect(retrieve([word])).toEqual(documents);
  });

  it('finds the other words if FTS5 cannot search one of them', () => {
    expect(retrieve(['😀', 'planet', ''])).toEqual([1]);
  });

  it('finds documents in the postings by words and parts of words in every script', () => {
    const db = memoryIndex();
    addDocuments(db, DOCUMENTS);
    for (const _ of extendPostings(db));
    const find = (word: string): number[] =>
      Array.from(createLexicalRetriever(db, LARGE).retrieve([weighed(word)]).documents);
    for (const [word, document] of [
      ['p', 5],
      ['p53', 5],
      ['йод', 4],
      ['άλφα', 6],
    ] as const) {
      expect(find(word)).toEqual([document]);
    }
    expect(find('star')).toEqual([1, 2]);
  });

  it('finds documents behind the watermark after any number of matches before it', () => {
    const db = memoryIndex();
    const parts = 4;
    const indexedUpTo = parts * 65_536 - 1;
    const all = Buffer.from(Uint16Array.from({ length: 65_536 }, (_, i) => i).buffer);
    const add = db.prepare('INSERT INTO postings (term, part, documents) VALUES (?, ?, ?)');
    for (let part = 0; part < parts; part++) add.run(termOf('tide'), part, all);
    db.prepare("UPDATE index_facts SET value = ? WHERE name = 'listed'").run(indexedUpTo);
    db.prepare(
      `INSERT INTO documents (number, id, title, abstract, year, authors, venue, content_hash,
         sentence_spans) VALUES (?, 'last', '', '', 0, '[]', '', x'', x'')`,
    ).run(indexedUpTo);
    addDocuments(db, [{ id: 'late', title: 'tide' }]);
    const { documents } = createLexicalRetriever(db, LARGE).retrieve([weighed('tide')]);
    expect(documents).toHaveLength(indexedUpTo + 2);
    expect(documents[indexedUpTo + 1]).toBe(indexedUpTo + 1);
  });

  it('never throws, whatever the question is', () => {
    const db = memoryIndex();
    addDocuments(db, DOCUMENTS);
    const retriever = createLexicalRetriever(db, LARGE);
    // The last character is a letter in today's Unicode but not in the version that FTS5 knows.
    const signs = ['"', "'", '*', ':', '(', ')', ' ', '-', '\0', 'NEAR', 'AND', 'a', '\u19b0'];
    const piece = fc.constantFrom(...signs);
    const text = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.array(piece).map((pieces) => pieces.join('')),
    );
    fc.assert(
      fc.property(text, (question) => {
        const { documents } = retriever.retrieve(queryWords(question, 64).map(weighed));
        expect(documents.length).toBeLessThanOrEqual(DOCUMENTS.length);
      }),
      { numRuns: 500 },
    );
  });
});

describe.each([
  ['without postings', 0],
  ['with postings of some', 0.5],
  ['with postings of all', 1],
])('the lexical retriever, against the texts themselves, %s,', (_, postingsShare) => {
  const WORDS = ['comet', 'comets', 'quasar', 'tide', 'tides', 'moon', 'shore', 'wave', 'zebra'];
  const text = fc.array(fc.constantFrom(...WORDS.slice(0, -1)), { maxLength: 6 });
  const texts = fc.array(fc.tuple(text, text), { maxLength: 15 });
  const asked = fc.uniqueArray(fc.constantFrom(...WORDS), { selector: termOf });

  it('finds exactly the documents that contain the words, with the sums of their weights', () => {
    fc.assert(
      fc.property(texts, asked, (all, question) => {
        const { db, has } = indexOf(all, postingsShare);
        const words = question.map((word, i) => ({ ...weighed(word), weight: 2 ** i }));
        const expected = new Map<number, number>();
        for (const { word, weight } of words) {
          for (const document of has(word)) {
            expected.set(document, (expected.get(document) ?? 0) + weight);
          }
        }
        expect(weightsIn(createLexicalRetriever(db, LARGE).retrieve(words))).toEqual(expected);
      }),
      { numRuns: 40 },
    );
  });

  it('walks the rarest words and never exceeds its budget', () => {
    fc.assert(
      fc.property(texts, asked, fc.integer({ min: 1, max: 12 }), (all, question, postingsMax) => {
        const { db, has, frequencyOf } = indexOf(all, postingsShare);
        const words = question.map((word, i) => ({
          word,
          term: termOf(word),
          weight: 2 ** i,
          frequency: frequencyOf(word),
        }));
        const found = createLexicalRetriever(db, { postingsMax }).retrieve(words);
        const rarest = [...words].sort(
          (a, b) => a.frequency - b.frequency || (a.word < b.word ? -1 : 1),
        );
        const expected = new Map<number, number>();
        let left = postingsMax;
        for (const { word, weight } of rarest) {
          const documents = has(word);
          if (documents.length > left && left < postingsMax) break;
          // The budget cuts off a first word that exceeds it alone.
          for (const document of documents.slice(0, left)) {
            expected.set(document, (expected.get(document) ?? 0) + weight);
          }
          left -= documents.length;
          if (left <= 0) break;
        }
        expect(weightsIn(found)).toEqual(expected);
        // Ascending and without duplicates.
        expect(Array.from(found.documents)).toEqual([...expected.keys()].sort((a, b) => a - b));
        for (let document = 0; document <= all.length + 1; document++) {
          expect(found.isFound(document)).toBe(expected.has(document));
        }
        expect(found.documents.length).toBeLessThanOrEqual(postingsMax);
      }),
      { numRuns: 40 },
    );
  });
});

/** The numbers of the found documents, in their order. */
function retrieve(words: readonly string[]): number[] {
  const db = memoryIndex();
  addDocuments(db, DOCUMENTS);
  const found = createLexicalRetriever(db, LARGE).retrieve(words.map(weighed));
  return Array.from(found.documents);
}

/** The weight of each document. */
function weightsIn({ documents, weights }: WordMatches): Map<number, number> {
  return new Map(Array.from(documents, (document, i) => [document, weights[i] as number]));
}

function weighed(word: string): WeightedWord {
  return { word, term: termOf(word), frequency: 1, weight: 1 };
}

/**
 * An index of texts, title and abstract each, and which of them have a word, by the texts. So many
 * of them, as a share, are in the postings.
 */
function indexOf(texts: readonly [title: string[], abstract: string[]][], postingsShare: number) {
  const db = memoryIndex();
  const documents = texts.map(([title, abstract], i) => ({
    id: `${i}`,
    title: ['the', ...title].join(' '),
    abstract: abstract.join(' '),
  }));
  const indexedUpTo = Math.floor(postingsShare * documents.length);
  addDocuments(db, documents.slice(0, indexedUpTo));
  for (const _ of extendPostings(db));
  addDocuments(db, documents.slice(indexedUpTo));
  const terms = texts.map((parts) => new Set(termsOf(parts.flat().join(' '))));
  const statistics = createStatisticsReader(db)();
  return {
    db,
    has: (word: string): number[] =>
      terms.flatMap((all, index) => (all.has(termOf(word)) ? [index + 1] : [])),
    frequencyOf: (word: string): number => statistics.frequencyOf(termOf(word)),
  };
}
