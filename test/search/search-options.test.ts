/** Options of a search where lanes have answered, and the same options on the shared scoring. */
import { describe, expect, it } from 'vitest';
import { coalesceScorings } from '../../src/lanes/scoring/coalesce-scorings.ts';
import type { Answer, SearchRequest } from '../../src/types.ts';
import { laneDocumentOf } from '../lanes/fake-lanes.ts';
import { ask, QUESTION } from './ask-index.ts';

const EXCERPT = 'The moon pulls the sea, says the page.';
const found = [
  { id: 'arXiv:2401.00002', title: 'Moon and sea', abstract: 'The \u{1F319} pulls. It rose.' },
  {
    id: 'https://tides.example/moon',
    title: 'A page',
    excerpt: { text: EXCERPT, sentences: [{ start: 0, end: EXCERPT.length }] },
  },
  { id: '10.5555/shore', title: 'Shores', abstract: 'A shore.', identifiers: { pmid: '5' } },
];

describe('documents of lanes', () => {
  it.each([
    ['arXiv:2401.00002', 'https://arxiv.org/abs/2401.00002v3'],
    ['https://tides.example/moon', 'https://tides.example/moon'],
    ['10.5555/shore', 'PMID:5'],
  ])('are excluded by their ids: %s', async (id, exclude) => {
    expect((await ask([], found)).results.map(({ d }) => d)).toContain(id);
    const ids = (await ask([], found, { exclude: [exclude] })).results.map(({ d }) => d);
    expect(ids).not.toContain(id);
    expect(ids).toHaveLength(2);
  });

  it('have places for sentences of the abstract alone', async () => {
    const { results } = await ask([], found, {
      include: ['offsets', 'identifiers'],
      withAbstract: true,
    });
    for (const { q, ab = '', start, end } of results) {
      if (q === EXCERPT) expect(start).toBeUndefined();
      else expect([...ab].slice(start, end).join('')).toBe(q);
    }
    expect(results.map(({ q }) => q)).toContain(EXCERPT);
    const shore = results.find(({ d }) => d === '10.5555/shore');
    expect(shore?.identifiers).toMatchObject({ pmid: '5' });
  });
});

describe('searches that share a scoring', () => {
  const request = { query: QUESTION, limit: 10, withAbstract: false };
  const documents = found.map(laneDocumentOf);

  function shared(): { asked: SearchRequest[]; score: ReturnType<typeof coalesceScorings> } {
    const asked: SearchRequest[] = [];
    const score = coalesceScorings(async (task): Promise<Answer> => {
      asked.push(task.request);
      return await ask([], found, { ...task.request });
    });
    return { asked, score };
  }

  it('get what they asked for, each', async () => {
    const { asked, score } = shared();
    const task = { documents, until: 0, known: new Map() };
    const [plain, budgeted, sorted] = await Promise.all([
      score({ ...task, request }),
      score({ ...task, request: { ...request, tokensMax: 50 } }),
      score({ ...task, request: { ...request, sort: 'year', minScore: 1 } }),
    ]);
    expect(asked).toHaveLength(1);
    expect(plain?.n).toBe(3);
    expect(plain).not.toHaveProperty('dropped');
    expect(budgeted).toMatchObject({ dropped: 3 - (budgeted?.n ?? 0) });
    expect(budgeted?.n).toBeLessThan(3);
    expect(sorted?.n).toBe(0);
  });

  it('get the probabilities and results that they asked for, each', async () => {
    const { results } = await ask([], found, request);
    const likely = results.map((one, at) => ({ ...one, answers: at / 2 }));
    let scorings = 0;
    const score = coalesceScorings(async () => {
      scorings++;
      return { n: 3, c: 0.1, results: likely };
    });
    const task = { documents, until: 0, known: new Map() };
    const [plain, filtered, named] = await Promise.all([
      score({ ...task, request }),
      score({ ...task, request: { ...request, minAnswer: 0.5 } }),
      score({ ...task, request: { ...request, include: ['answers'] } }),
    ]);
    expect(scorings).toBe(2);
    expect(plain).toEqual({ n: 3, c: 0.1, results });
    expect(filtered).toEqual({ n: 2, c: 0.1, results: results.slice(1) });
    expect(named?.results).toEqual(likely);
  });

  it('do not share it with those that exclude papers or ask for more of each', async () => {
    const { asked, score } = shared();
    const task = { documents, until: 0, known: new Map() };
    const [plain, without, extended] = await Promise.all([
      score({ ...task, request }),
      score({ ...task, request: { ...request, exclude: ['10.5555/shore'] } }),
      score({ ...task, request: { ...request, include: ['venue'] } }),
    ]);
    expect(asked).toHaveLength(3);
    expect([plain?.n, without?.n]).toEqual([3, 2]);
    expect(extended?.results.every(({ venue }) => venue !== undefined)).toBe(true);
  });
});
