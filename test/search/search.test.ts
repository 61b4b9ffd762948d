/** The whole pipeline over an index in memory, with a toy embedder. */
import { setImmediate } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import type { Connection } from '../../src/database/sqlite/connection.ts';
import { createIndexWriter } from '../../src/index/documents/index-writer.ts';
import { createSearchDeps, search, searchAll } from '../../src/search/search.ts';
import type { SearchLimits } from '../../src/search/search-limits.ts';
import type { Embedder } from '../../src/text/embed/embedder.ts';
import type { SearchRequest, SourceDocument } from '../../src/types.ts';
import { addDocuments, memoryIndex, toyModel, toyVector } from '../index/memory-index.ts';
import { sourceOf } from '../support/source-of.ts';

const DOCUMENTS: Partial<SourceDocument>[] = [
  { id: 'tides', title: 'Tides', abstract: 'The moon pulls the sea. Water rises twice a day.' },
  { id: 'sleep', title: 'Sleep', abstract: 'Mice slept less. Memory fell after a short night.' },
  { id: 'yeast', title: 'Yeast', abstract: 'Cells stopped dividing.', authors: ['A. Berg'] },
  { id: 'titled', title: 'Moonlight and moths', year: 1998 },
];

const LIMITS: SearchLimits = {
  withheldShown: false,
  queryTermsMax: 8,
  postingsMax: 1000,
  candidatesMax: 125,
  denseScannedMax: 1000,
  denseUnprobedMax: 100,
  denseCandidatesMax: 1,
  filteredDenseScannedMax: 1000,
  filteredExactMax: 1000,
  filteredPostingsMax: 1000,
  filtersCachedMax: 2,
  centroidsComparedMax: 2048,
  hnswSearched: 200,
  exactScanMax: 1000,
  listBytesCachedMax: 1_000_000,
};

/** The same text has the same vector, and different texts have distant ones. */
const toyEmbedder: Embedder = {
  embedQuery: (text) => Promise.resolve({ vector: toyVector(text), words: [] }),
  embedDocuments: (texts) => Promise.resolve(texts.map(toyVector)),
};

describe('searchAll', () => {
  const requests = ['the moon', 'memory of mice', 'no vector', 'cells', 'the moon'].map(
    (query, i): SearchRequest => ({ query, limit: 1 + i, withAbstract: i === 1 }),
  );
  const depsOf = () => createSearchDeps(sourceOf(indexOf(DOCUMENTS), LIMITS), toyModel, LIMITS);

  it('gives the answers of single searches', async () => {
    const deps = depsOf();
    const outcomes = await searchAll(requests, toyEmbedder, deps);
    expect(outcomes).toHaveLength(requests.length);
    for (const [index, outcome] of outcomes.entries()) {
      const { answer } = await search(requests[index] as SearchRequest, toyEmbedder, deps);
      expect(outcome).toMatchObject({ status: 'fulfilled', value: { answer } });
    }
    expect(await searchAll([], toyEmbedder, deps)).toEqual([]);
  });

  it('lets each search fail on its own, during or after embedding', async () => {
    const failure = new Error('no vector of this text');
    const embedder: Embedder = {
      ...toyEmbedder,
      embedQuery: (text) =>
        text === 'no vector' ? Promise.reject(failure) : toyEmbedder.embedQuery(text),
    };
    const deps = depsOf();
    const bad = { query: 'cells', limit: Number.MAX_SAFE_INTEGER, withAbstract: false };
    const all = requests.with(3, bad);
    const outcomes = await searchAll(all, embedder, deps);
    expect(outcomes.map(({ status }) => status)).toEqual([
      ...['fulfilled', 'fulfilled', 'rejected', 'rejected', 'fulfilled'],
    ]);
    expect(outcomes[2]).toMatchObject({ reason: failure });
    for (const index of [0, 1, 4]) {
      const { answer } = await search(requests[index] as SearchRequest, toyEmbedder, deps);
      expect(outcomes[index]).toMatchObject({ value: { answer } });
    }
  });

  it('embeds all queries before it retrieves the first', async () => {
    const steps: string[] = [];
    const embedder: Embedder = {
      ...toyEmbedder,
      async embedQuery(text) {
        // Longer texts take longer.
        for (let i = 0; i < text.length; i++) await setImmediate();
        steps.push('embed');
        return toyEmbedder.embedQuery(text);
      },
    };
    const deps = depsOf();
    await searchAll(requests.slice(0, 3), embedder, {
      ...deps,
      source: {
        view(work) {
          steps.push('look');
          return deps.source.view(work);
        },
      },
    });
    // The terms are looked up while the queries are embedded.
    const words = ['look', 'look', 'look'];
    expect(steps).toEqual([...words, 'embed', 'embed', 'embed', 'look', 'look', 'look']);
  });
});

describe('an index that changes during embedding', () => {
  it('is searched in its later state, with the terms looked up again', async () => {
    const db = indexOf(DOCUMENTS);
    const deps = createSearchDeps(sourceOf(db, LIMITS), toyModel, LIMITS);
    const changing: Embedder = {
      ...toyEmbedder,
      async embedQuery(text) {
        await setImmediate();
        addDocuments(db, [{ id: 'late', title: 'Walruses', abstract: 'A walrus dived.' }]);
        return toyEmbedder.embedQuery(text);
      },
    };
    const request = { query: 'where walruses dive', limit: 50, withAbstract: false };
    const { answer, explanation } = await search(request, changing, deps);
    expect(answer.results.map(({ d }) => d)).toContain('late');
    const afterwards = await search(request, toyEmbedder, deps);
    expect(afterwards.answer).toEqual(answer);
    expect(explanation.lexicalCandidates).toBe(afterwards.explanation.lexicalCandidates);
    expect(explanation.lexicalCandidates).toBeGreaterThan(0);
  });
});

describe('search', () => {
  it('finds documents by words and counts the results', async () => {
    const { answer } = await ask('the moon');
    expect(answer.results.map(({ d }) => d)).toContain('titled');
    expect(answer.results[0]?.d).toMatch(/^(tides|titled)$/);
    expect(answer.n).toBe(answer.results.length);
  });

  it('finds documents by meaning with a high confidence', async () => {
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

  it('gives the same answer again, and a prefix of it for a lower limit', async () => {
    const db = indexOf(manyDocuments(90));
    const whole = (await ask('moon and memory of water', { db, limit: 50 })).answer;
    expect(whole.n).toBe(50);
    const again = (await ask('moon and memory of water', { db, limit: 50 })).answer;
    expect(JSON.stringify(again)).toBe(JSON.stringify(whole));
    for (const limit of [1, 5, 10, 49]) {
      const part = (await ask('moon and memory of water', { db, limit })).answer;
      expect(part).toEqual({ ...whole, n: limit, results: whole.results.slice(0, limit) });
    }
  });

  it('gives the same answer after documents were added and removed', async () => {
    const documents = manyDocuments(40);
    const db = indexOf([...documents, { id: 'gone', title: 'Moon and memory' }]);
    createIndexWriter(db).remove(['gone']);
    const { answer } = await ask('moon and memory', { db });
    expect(answer).toEqual((await ask('moon and memory', { documents })).answer);
  });

  it('quotes the title or a sentence, whatever the document has', async () => {
    const abstract = Array.from({ length: 45 }, (_, i) => `The tide rose ${i} times.`).join(' ');
    const documents = [
      { id: 'untitled', abstract: 'The tide fell.' },
      { id: 'title', title: 'The tide' },
      { id: 'long', title: 'Ebb', abstract },
      { id: 'accents', title: 'Tîde', abstract: 'Thé tide rösé.' },
    ];
    const { answer } = await ask('tide', { documents });
    const quotes = new Map(answer.results.map(({ d, q }) => [d, q]));
    expect(quotes.get('untitled')).toBe('The tide fell.');
    expect(quotes.get('title')).toBe('The tide');
    expect(quotes.get('accents')).toBe('Thé tide rösé.');
    expect(abstract).toContain(quotes.get('long'));
    const last = await ask('The tide rose 44 times.', { documents });
    expect(last.answer.results[0]).toMatchObject({ d: 'long', q: 'The tide rose 44 times.' });
  });

  it.each([
    ['an emoji', '😀'],
    ['only marks', '?!'],
    ['NUL', 'moon\0sea'],
    ['quotes and operators', '"moon" AND (NOT sea* OR NEAR(x y))'],
    ['Chinese', '土壤含碳'],
    ['a very long text', 'moon '.repeat(2000)],
    ['2,000 characters of different words', manyWords(2000)],
    ['one word of 2,000 characters', 'm'.repeat(2000)],
    ['nothing but stop words', 'what is it that they do'],
    ['nothing but unknown words', 'zebrafish qwertz'],
    ['nothing but spaces', ' '.repeat(2000)],
    ['lone surrogates', '\ud83d moon \udc00'],
    ['a letter that FTS5 takes for a mark', 'ka\u19b0b'],
  ])('treats %s as text', async (_, query) => {
    const { answer } = await ask(query);
    expect(answer.n).toBe(DOCUMENTS.length);
  });

  it('returns no results from an empty index', async () => {
    const { answer } = await ask('moon', { documents: [] });
    expect(answer).toEqual({ n: 0, c: 0, results: [] });
  });

  it('explains each result with the numbers behind it', async () => {
    const { answer, explanation } = await ask('what is the moon', { limit: 2 });
    expect(explanation.words).toEqual(['moon']);
    expect(explanation).toMatchObject({ lexicalCandidates: 1, denseCandidates: 4 });
    expect(explanation.results.map(({ d }) => d)).toEqual(answer.results.map(({ d }) => d));
    for (const [i, { score }] of explanation.results.entries()) {
      expect(score).toBeCloseTo(answer.results[i]?.s ?? Number.NaN, 3);
    }
    const { milliseconds } = explanation;
    expect(Object.keys(milliseconds)).toEqual(['embed', 'words', 'dense', 'rank', 'cite']);
    for (const step of Object.values(milliseconds)) expect(step).toBeGreaterThanOrEqual(0);
  });

  it('limits the candidates, but never below the number of results', async () => {
    const documents = Array.from({ length: 30 }, (_, i) => ({ id: `${i}`, title: `Moon ${i}` }));
    const limits = { ...LIMITS, postingsMax: 2, candidatesMax: 4 };
    const few = await ask('moon', { documents, limits, limit: 1 });
    expect(few.explanation).toMatchObject({ lexicalCandidates: 2, denseCandidates: 4 });
    const many = await ask('moon', {
      documents,
      limits: { ...LIMITS, candidatesMax: 4 },
      limit: 20,
    });
    expect(many.answer.n).toBe(20);
  });

  it('sees the documents that were written during embedding', async () => {
    const db = indexOf(DOCUMENTS);
    const embedQuery = async (text: string) => {
      addDocuments(db, [{ id: 'late', title: 'Moon' }]);
      return toyEmbedder.embedQuery(text);
    };
    const { answer } = await ask('moon', { db, embedder: { ...toyEmbedder, embedQuery } });
    expect(answer.results.map(({ d }) => d)).toContain('late');
  });
});

interface AskOptions extends Partial<Omit<SearchRequest, 'query'>> {
  documents?: Partial<SourceDocument>[];
  db?: Connection;
  limits?: SearchLimits;
  embedder?: Embedder;
}

function ask(query: string, options: AskOptions = {}) {
  const { documents = DOCUMENTS, limits = LIMITS, embedder = toyEmbedder } = options;
  const { limit = 10, withAbstract = false, db = indexOf(documents) } = options;
  const deps = createSearchDeps(sourceOf(db, limits), toyModel, limits);
  return search({ query, limit, withAbstract }, embedder, deps);
}

/** Documents with some of a few words. */
function manyDocuments(count: number): Partial<SourceDocument>[] {
  const words = ['moon', 'memory', 'water', 'cells', 'sleep', 'soil', 'light'];
  const wordOf = (i: number, step: number): string => words[(i * step) % words.length] as string;
  return Array.from({ length: count }, (_, i) => ({
    id: `many-${i}`,
    title: `On ${wordOf(i, 1)} and ${wordOf(i, 3)} ${i % 11}`,
    abstract: `The ${wordOf(i, 2)} rose ${i} times. Then ${wordOf(i, 5)} fell.`,
  }));
}

function manyWords(characters: number): string {
  const words = Array.from({ length: characters }, (_, i) => `moon${i}`);
  return words.join(' ').slice(0, characters);
}

function indexOf(documents: readonly Partial<SourceDocument>[]): Connection {
  const db = memoryIndex();
  addDocuments(db, documents);
  return db;
}
