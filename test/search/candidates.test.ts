/** Gathering over an index in memory, compared with what follows from the texts. */
import { stemmer } from 'stemmer';
import { describe, expect, it } from 'vitest';
import { FIRST_SENTENCE } from '../../src/index/dense/embeddings.ts';
import { inverseDocumentFrequency } from '../../src/search/bm25.ts';
import { bm25Parameters, type Candidates, gatherCandidates } from '../../src/search/candidates.ts';
import { matchQuery } from '../../src/search/match-query.ts';
import type { SearchLimits } from '../../src/search/search-limits.ts';
import { IDF_EXPONENT } from '../../src/search/weight-query.ts';
import type { Embedding, SourceDocument } from '../../src/types.ts';
import { addDocuments, memoryIndex, toyVector } from '../index/memory-index.ts';
import { sourceOf } from '../support/source-of.ts';
import { cosineOf } from './toy-candidates.ts';

const LIMITS: SearchLimits = {
  withheldShown: false,
  queryTermsMax: 64,
  postingsMax: 1000,
  candidatesMax: 100,
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

const LONG = Array.from({ length: 45 }, (_, i) => `Sentence s${100 + i} ends.`).join(' ');

const DOCUMENTS: Partial<SourceDocument>[] = [
  { title: 'Sleep of mice', abstract: 'Mice slept. Memory fell. Sleeping helps mice remember.' },
  { title: 'Il6 in sleep', abstract: 'One cytokine rose.' },
  { title: 'IL-6 and TNF-alpha', abstract: 'Two cytokines fell: IL-6 first.' },
  { abstract: 'No title, but sleep.' },
  { title: 'No abstract, but café sleep' },
  { title: 'Long', abstract: LONG },
  { title: 'Tides', abstract: 'The sea rose.' },
];

interface GatherOptions {
  documents?: Partial<SourceDocument>[];
  limits?: Partial<SearchLimits>;
  results?: number;
  vector?: Embedding;
}

function gather(question: string, options: GatherOptions = {}): Promise<Candidates> {
  const {
    documents = DOCUMENTS,
    limits = {},
    results = 10,
    vector = toyVector(question),
  } = options;
  const db = memoryIndex();
  addDocuments(
    db,
    documents.map((document, i) => ({ id: `${i + 1}`, ...document })),
  );
  const all = { ...LIMITS, ...limits };
  return sourceOf(db, all).view(async (view) => {
    const matched = await matchQuery(question, view, all);
    return gatherCandidates({ matched, vector, results, withheld: new Map() }, view, all);
  });
}

/** The documents that share a term with the question. */
async function matching(question: string, options?: GatherOptions): Promise<number[]> {
  const { all } = await gather(question, options);
  return all.flatMap(({ document, matches }) => (matches.length > 0 ? [document] : [])).sort();
}

/** BM25 computed from the texts, for questions whose words share no stem. */
function bm25Of(words: readonly string[]): number[] {
  const tokens = (text = ''): string[] =>
    (
      text
        .normalize('NFD')
        .replace(/\p{M}/gu, '')
        .toLowerCase()
        .match(/[a-z0-9]+/g) ?? []
    )
      .flatMap((word) =>
        /\d\D|\D\d/.test(word) ? [word, ...(word.match(/\d+|\D+/g) ?? [])] : word,
      )
      .map((word) => stemmer(word));
  const texts = DOCUMENTS.map(({ title, abstract }) => [tokens(title), tokens(abstract)] as const);
  const mean = texts.flat(2).length / texts.length;
  return texts.map(([title, abstract]) =>
    words.reduce((sum, word) => {
      const count = (list: readonly string[]): number =>
        list.filter((one) => one === stemmer(word)).length;
      const frequency = texts.filter((pair) => pair.flat().includes(stemmer(word))).length;
      const idf = inverseDocumentFrequency(frequency, texts.length);
      const { k1, b, title: titleWeight } = bm25Parameters;
      const occurrences = titleWeight * count(title) + count(abstract);
      const length = (title.length + abstract.length) / mean;
      const saturated = ((k1 + 1) * occurrences) / (occurrences + k1 * (1 - b + b * length));
      return sum + idf ** IDF_EXPONENT * saturated;
    }, 0),
  );
}

describe('gatherCandidates', () => {
  it('scores every candidate by BM25 over title and abstract', async () => {
    const words = ['mice', 'memory', 'rose', 'cafe', 's131'];
    const expected = bm25Of(words);
    const { all } = await gather(words.join(' '));
    expect(all).toHaveLength(DOCUMENTS.length);
    // A mixed word counts with its parts.
    const long = all.find(({ document }) => document === 6);
    expect(long?.matches).toHaveLength(3);
    for (const { document, bm25 } of all) {
      if (document !== 6) expect(bm25).toBeCloseTo(expected[document - 1] as number, 9);
    }
    expect(expected.filter((score) => score > 0).length).toBeGreaterThan(3);
  });

  it('computes the cosines of the document, its title and its sentences', async () => {
    const vector = toyVector('any');
    const { all } = await gather('mice', { vector });
    const cosines = all.find(({ document }) => document === 1)?.cosines ?? [];
    const texts = ['Sleep of mice', 'Mice slept.', 'Memory fell.', 'Sleeping helps mice remember.'];
    expect(cosines).toHaveLength(1 + texts.length);
    for (const [i, text] of texts.entries()) {
      // Quantized to 4 bits per component.
      expect(Math.abs((cosines[i + 1] as number) - cosineOf(vector, toyVector(text)))).toBeLessThan(
        0.1,
      );
    }
  });

  it.each([
    ['a document without a title', 4, 3, 0],
    ['a document without an abstract', 5, 2, 1],
    ['a document of one sentence', 2, 3, 1],
    ['a document of 45 sentences', 6, 47, 0],
  ])('reads %s', async (_, number, vectors, titleMatches) => {
    const { all } = await gather('sleep');
    const found = all.find(({ document }) => document === number);
    expect(found?.cosines).toHaveLength(vectors);
    expect(found?.matches.filter(({ inTitle }) => inTitle)).toHaveLength(titleMatches);
  });

  it('sets a mask bit for each sentence with a term, and the last bit for all later ones', async () => {
    const maskOf = async (word: string): Promise<number> =>
      (await gather(word)).all.find(({ document }) => document === 6)?.matches[0]?.mask ?? 0;
    expect([await maskOf('s100'), await maskOf('s130')]).toEqual([1, 2 ** 30]);
    expect([await maskOf('s131'), await maskOf('s144')]).toEqual([2 ** 31, 2 ** 31]);
    expect(await maskOf('ends')).toBe(2 ** 32 - 1);
    expect(FIRST_SENTENCE).toBe(2);
  });

  it.each<[what: string, question: string, documents: number[]]>([
    ['a mixed word and its parts', 'il6', [2, 3]],
    ['the parts of a mixed word', 'IL-6', [2, 3]],
    ['accents', 'CAFE', [5]],
    ['stems', 'sleeping', [1, 2, 4, 5]],
    ['nothing for an unknown word', 'zebrafish', []],
    ['stop words if the query has no others', 'in and the', [2, 3, 7]],
  ])('matches %s', async (_, question, documents) => {
    expect(await matching(question)).toEqual(documents);
  });

  it('finds the parts of a mixed word by full text, and the mixed word by its parts', async () => {
    expect((await gather('il6')).lexicalCount).toBe(2);
    // The document with "IL-6", and by the joined word the one with "Il6".
    expect((await gather('IL-6')).lexicalCount).toBe(2);
    expect((await gather('IL-7')).lexicalCount).toBe(1);
  });

  it('counts the lexical and the dense candidates', async () => {
    expect(await gather('sleep')).toMatchObject({ lexicalCount: 4, denseCount: 7 });
    expect(await gather('zebrafish')).toMatchObject({ lexicalCount: 0, denseCount: 7 });
    const few = await gather('zebrafish', { limits: { candidatesMax: 2 }, results: 0 });
    expect([few.all.length, few.denseCount]).toEqual([2, 2]);
    const none = await gather('sleep', { documents: [] });
    expect(none).toMatchObject({ all: [], lexicalCount: 0, denseCount: 0 });
  });

  it('keeps the best candidates, at least as many as there are results', async () => {
    const documents = Array.from({ length: 60 }, (_, i) => ({ title: `Moon n${i}` }));
    const limits = { candidatesMax: 5 };
    const { all } = await gather('moon n7', { documents, limits, results: 2 });
    expect(all).toHaveLength(5);
    expect(all.map(({ document }) => document)).toContain(8);
    expect((await gather('moon n7', { documents, limits, results: 20 })).all).toHaveLength(20);
    // Three more candidates for each result beyond the largest `limit`.
    expect((await gather('moon n7', { documents, limits, results: 52 })).all).toHaveLength(58);
    // A document with a similar meaning needs no word of the question.
    const vector = toyVector('Moon n33');
    const near = await gather('zebrafish', { documents, limits, vector, results: 2 });
    expect(near.all.map(({ document }) => document)).toContain(34);
  });

  it('prunes from more dense candidates than it reads', async () => {
    const limits = { candidatesMax: 2, denseCandidatesMax: 5 };
    const { all, denseCount } = await gather('zebrafish', { limits, results: 1 });
    expect([all.length, denseCount]).toEqual([2, 5]);
    const more = await gather('zebrafish', { limits, results: 6 });
    expect([more.all.length, more.denseCount]).toEqual([6, 6]);
  });
});
