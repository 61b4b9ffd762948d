/** The whole pipeline over an index in memory, with a toy embedder. */
import { describe, expect, it } from 'vitest';
import type { Embedder } from '../../src/embed/embedder.ts';
import { createSearchParts, type SearchLimits, search } from '../../src/search/search.ts';
import type { Store } from '../../src/store/open.ts';
import type { SearchRequest, SourceDocument } from '../../src/types.ts';
import { addDocuments, memoryIndex, toyVector } from '../store/memory-index.ts';

const DOCUMENTS: Partial<SourceDocument>[] = [
  { id: 'tides', title: 'Tides', abstract: 'The moon pulls the sea. Water rises twice a day.' },
  { id: 'sleep', title: 'Sleep', abstract: 'Mice slept less. Memory fell after a short night.' },
  { id: 'yeast', title: 'Yeast', abstract: 'Cells stopped dividing.', authors: ['A. Berg'] },
  { id: 'titled', title: 'Moonlight and moths', year: 1998 },
];

const LIMITS: SearchLimits = {
  ...{ queryTermsMax: 8, lexicalCandidatesMax: 50, denseCandidatesMax: 50 },
};

/** The toy's vectors are the same for the same text, and far apart for any other. */
const toyEmbedder: Embedder = {
  embedQuery: (text) => Promise.resolve(toyVector(text)),
  embedDocuments: (texts) => Promise.resolve(texts.map(toyVector)),
};

describe('search', () => {
  it('finds by words, and counts what it returns', async () => {
    const { answer } = await ask('the moon');
    expect(answer.results.map(({ d }) => d)).toContain('titled');
    expect(answer.results[0]?.d).toMatch(/^(tides|titled)$/);
    expect(answer.n).toBe(answer.results.length);
  });

  it('finds by meaning where no word is shared, and is sure of it', async () => {
    const { answer, explanation } = await ask('Cells stopped dividing.', {
      documents: [...DOCUMENTS, { id: 'other', title: 'Cells stopped dividing.' }],
    });
    expect(explanation.results.map(({ bestCosine }) => bestCosine > 0.99)).toContain(true);
    expect(answer.c).toBeGreaterThan(0.99);
    expect(answer.results[0]?.q).toBe('Cells stopped dividing.');
  });

  it('returns results sorted by a score in [0,1] of at most 3 decimals', async () => {
    const { answer } = await ask('moon sea memory cells');
    const scores = answer.results.map(({ s }) => s);
    expect(scores).toEqual([...scores].sort((a, b) => b - a));
    for (const score of [...scores, answer.c]) {
      expect(score).toBeGreaterThanOrEqual(0);
      expect(score).toBeLessThanOrEqual(1);
      expect(Math.round(score * 1000) / 1000).toBe(score);
    }
  });

  it('gives the same answer again, and fewer of the same for a smaller limit', async () => {
    const db = indexOf(DOCUMENTS);
    const whole = (await ask('moon and memory', { db })).answer;
    expect((await ask('moon and memory', { db })).answer).toEqual(whole);
    for (const limit of [1, 2, 3]) {
      const part = (await ask('moon and memory', { db, limit })).answer;
      expect(part).toEqual({ ...whole, n: limit, results: whole.results.slice(0, limit) });
    }
  });

  it.each([
    ['an emoji', '😀'],
    ['only marks', '?!'],
    ['NUL', 'moon\0sea'],
    ['quotes and operators', '"moon" AND (NOT sea* OR NEAR(x y))'],
    ['Chinese', '土壤含碳'],
    ['a very long text', 'moon '.repeat(2000)],
  ])('answers %s as text', async (_, query) => {
    const { answer } = await ask(query);
    expect(answer.n).toBe(DOCUMENTS.length);
  });

  it('answers nothing from an empty index', async () => {
    const { answer } = await ask('moon', { documents: [] });
    expect(answer).toEqual({ n: 0, c: 0, results: [] });
  });

  it('explains itself with the numbers behind each result', async () => {
    const { answer, explanation } = await ask('what is the moon', { limit: 2 });
    expect(explanation.words).toEqual(['moon']);
    expect(explanation).toMatchObject({ lexicalCandidates: 1, denseCandidates: 4 });
    expect(explanation.results.map(({ d }) => d)).toEqual(answer.results.map(({ d }) => d));
    for (const [i, { score }] of explanation.results.entries()) {
      expect(score).toBeCloseTo(answer.results[i]?.s ?? Number.NaN, 3);
    }
    const steps = Object.values(explanation.milliseconds);
    expect(steps).toHaveLength(5);
    for (const step of steps) expect(step).toBeGreaterThanOrEqual(0);
  });

  it('looks at no more candidates than it may, but at as many as are asked for', async () => {
    const documents = Array.from({ length: 30 }, (_, i) => ({ id: `${i}`, title: `Moon ${i}` }));
    const limits = { ...LIMITS, lexicalCandidatesMax: 2, denseCandidatesMax: 3 };
    const few = await ask('moon', { documents, limits, limit: 1 });
    expect(few.explanation).toMatchObject({ lexicalCandidates: 2, denseCandidates: 3 });
    const many = await ask('moon', { documents, limits, limit: 20 });
    expect(many.answer.n).toBe(20);
  });

  it('sees one state of the index, whatever is written while it embeds', async () => {
    const db = indexOf(DOCUMENTS);
    const embedQuery = async (text: string) => {
      addDocuments(db, [{ id: 'late', title: 'Moon' }]);
      return toyVector(text);
    };
    const { answer } = await ask('moon', { db, embedder: { ...toyEmbedder, embedQuery } });
    expect(answer.results.map(({ d }) => d)).toContain('late');
  });
});

interface AskOptions extends Partial<Omit<SearchRequest, 'query'>> {
  documents?: Partial<SourceDocument>[];
  db?: Store;
  limits?: SearchLimits;
  embedder?: Embedder;
}

function ask(query: string, options: AskOptions = {}) {
  const { documents = DOCUMENTS, limits = LIMITS, embedder = toyEmbedder } = options;
  const { limit = 10, withAbstract = false, db = indexOf(documents) } = options;
  return search({ query, limit, withAbstract }, createSearchParts(db, embedder, limits));
}

function indexOf(documents: readonly Partial<SourceDocument>[]): Store {
  const db = memoryIndex();
  addDocuments(db, documents);
  return db;
}
