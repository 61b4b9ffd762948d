/** GET /v1/similar over real sockets: what is similar, prices, and every kind of wrong request. */
import { describe, expect, it } from 'vitest';
import type { Citation } from '../../src/types.ts';
import { useService } from '../support/use-service.ts';
import {
  addAccount,
  type Caller,
  expectAudited,
  expectError,
  expectRateHeaders,
  readUsage,
  search,
  takeRequestId,
  untilUsage,
} from './contract.ts';
import { addPapers, get } from './look-up-papers.ts';

const service = useService({ fill: addPapers });
let customers = 0;

function newAccount(credits = 100): Caller {
  return addAccount(service, { email: `similar-${++customers}@example.org`, credits });
}

interface SimilarPapers {
  n: number;
  c: number;
  results: Citation[];
  dropped?: number;
}

async function similar(query: string, caller = newAccount()): Promise<SimilarPapers> {
  const got = await get(caller, `/v1/similar?${query}`);
  expect(got.status, got.text).toBe(200);
  return JSON.parse(got.text) as SimilarPapers;
}

describe('similar papers', () => {
  it('come nearest first, in the shape of a search, for one credit', async () => {
    const caller = newAccount();
    const got = await get(caller, '/v1/similar?id=10.5555/tides');
    expect(got.status, got.text).toBe(200);
    expect(got.headers['content-type']).toBe('application/json');
    expect(got.headers['x-credit-balance']).toBe('99');
    expect(got.headers['x-token-budget']).toBe(String(Math.ceil(got.text.length / 4)));
    expectRateHeaders(got, true);
    takeRequestId(got);
    const { n, results } = JSON.parse(got.text) as SimilarPapers;
    expect(n).toBe(10);
    expect(new Set(results.slice(0, 2).map(({ d }) => d))).toEqual(
      new Set(['10.5555/delay', '10.5555/moon,phase']),
    );
    const scores = results.map(({ s }) => s);
    expect(scores).toEqual([...scores].sort((a, b) => b - a));
    const found = await search(caller, { query: 'tides' });
    expect(got.headers['x-index-version']).toBe(found.headers['x-index-version']);
    const [result] = JSON.parse(found.text).results;
    expect(Object.keys(results[0] as Citation)).toEqual(Object.keys(result));
    await untilUsage(caller, { requests: 2, credits: 2, balance: 98 });
    await expectAudited(service.database);
  });

  it('are neither the paper, nor its reprint, nor a retracted one', async () => {
    const { results } = await similar('id=PMID:7654321&limit=50');
    const ids = results.map(({ d }) => d);
    for (const id of ['10.5555/tides', '10.5555/reprint', '10.5555/gone']) {
      expect(ids).not.toContain(id);
    }
  });

  it('are quoted by their closest sentence, word for word', async () => {
    const { results } = await similar('id=10.5555/tides&fields=abstract');
    for (const { q, ab = '' } of results) expect(ab).toContain(q);
    const friction = results.find(({ d }) => d === '10.5555/delay');
    expect(friction?.q).toBe(
      'Friction with the sea floor delays the tide in shallow water by up to two days.',
    );
  });

  it('have a confidence that the paper and its reprint do not raise', async () => {
    const near = await similar('id=10.5555/tides');
    expect(near.c).toBeGreaterThan(0.4);
    expect(near.c).toBeLessThan(0.95);
    const far = await similar('id=10.5555/tides&exclude=10.5555/delay,10.5555/moon,phase');
    expect(far.c).toBeLessThan(near.c);
  });

  it('are those of a paper that is itself retracted, too', async () => {
    const { results } = await similar('id=10.5555/gone&limit=3');
    expect(results.map(({ d }) => d)).toContainEqual(expect.stringMatching(/tides|reprint/));
  });

  it('for a lower limit are the first of those for a higher one', async () => {
    const [one, all] = [await similar('id=W77&limit=1'), await similar('id=W77&limit=50')];
    expect(await similar('id=W77&limit=-7')).toEqual(one);
    expect(await similar('id=W77&limit=51')).toEqual(all);
    expect(one.results).toEqual(all.results.slice(0, 1));
    expect(one.c).toBe(all.c);
  });

  it('take the options of a search', async () => {
    const { results, dropped } = await similar(
      'id=W77&limit=9&include=url,offsets&sentences=2&sort=year&max_tokens=400&min_score=2e-1' +
        '&exclude=10.5555/delay&exclude=10.5555/moon,phase',
    );
    expect(dropped).toBeGreaterThan(0);
    const years = results.map(({ y }) => y);
    expect(years).toEqual([...years].sort((a, b) => b - a));
    expect(results.map(({ d }) => d)).not.toContain('10.5555/delay');
    expect(results.map(({ d }) => d)).not.toContain('10.5555/moon,phase');
    for (const { sentences, start, s } of results) {
      expect(sentences?.length).toBeGreaterThan(0);
      expect(start).toBeTypeOf('number');
      expect(s).toBeGreaterThanOrEqual(0.2);
    }
  });
});

describe('a filter', () => {
  const filtered = async (filter: object, limit = 50): Promise<SimilarPapers> =>
    await similar(`id=W77&limit=${limit}&filter=${encodeURIComponent(JSON.stringify(filter))}`);

  it('leaves papers that match it, as many as without one, and their confidence', async () => {
    const all = await filtered({});
    const { n, c, results } = await filtered({ year: { to: 2023 } });
    expect(results.map(({ d }) => d)).toEqual(['10.5555/delay', '10.5555/moon,phase']);
    expect(n).toBe(2);
    expect(c).toBe(all.c);
    const sample = await filtered({ year: { from: 2024 }, has_abstract: true }, 10);
    expect(sample.n).toBe(10);
    for (const { y } of sample.results) expect(y).toBeGreaterThanOrEqual(2024);
    expect(sample.c).toBeLessThan(all.c);
  });

  it('that allows only the paper itself, or none, leaves nothing, for one credit', async () => {
    expect(await filtered({ ids: ['W77', '10.5555/reprint'] })).toEqual({
      n: 0,
      c: 0,
      results: [],
    });
    expect(await filtered({ ids: ['nobody'] })).toEqual({ n: 0, c: 0, results: [] });
  });
});

describe('what costs nothing', () => {
  it('an id that no paper has', async () => {
    const caller = newAccount();
    expectError(await get(caller, '/v1/similar?id=10.5555/none'), {
      status: 404,
      code: 'unknown_paper',
      message: 'no paper in the index has this id',
      headers: { 'x-credit-balance': '100' },
    });
    expect(await readUsage(caller)).toMatchObject({ requests: 0, credits: 0, balance: 100 });
    await expectAudited(service.database);
  });

  it('an id of several papers, which are named', async () => {
    expectError(await get(newAccount(), '/v1/similar?id=424242'), {
      status: 400,
      code: 'bad_request',
      message: 'id: several papers have "424242"; use one of 10.5555/pmid, 10.5555/s2',
      headers: { 'x-credit-balance': '100' },
    });
  });

  it.each<[query: string, message: string | RegExp]>([
    ['', 'id: expected an identifier of a paper, got nothing'],
    ['id=W77&id=W78', 'id: expected one id, got 2'],
    ['id=W77&limit=0', 'limit must be >= 1'],
    ['id=W77&limit=-0', 'limit must be >= 1'],
    [
      'id=W77&min_scor=0.9',
      'unknown parameter "min_scor", known are id, limit, sentences, min_score, max_tokens, fields, include, sort, exclude, filter; did you mean min_score?',
    ],
    ['id=W77&limit=ten', 'limit: expected an integer, got a string'],
    ['id=W77&limit=1.5', 'limit: expected an integer, got the number 1.5'],
    ['id=W77&limit=', 'limit: expected an integer, got a string'],
    ['id=W77&limit=1&limit=2', 'limit: expected one value, got 2'],
    ['id=W77&fields=title', 'fields: unknown field "title", the only one is "abstract"'],
    ['id=W77&sort=age', 'sort: expected "relevance", "year" or "citations", got "age"'],
    ['id=W77&sentences=6', 'sentences: expected an integer from 1 to 5, got the number 6'],
    ['id=W77&min_score=2', 'min_score: expected a number from 0 to 1, got the number 2'],
    [
      'id=W77&query=tides',
      'unknown parameter "query", known are id, limit, sentences, min_score, max_tokens, fields, include, sort, exclude, filter',
    ],
    ['id=W77&min_answer=0', /^unknown parameter "min_answer", known are id,/],
    ['id=W77&filter=year', 'filter: expected an object as JSON, got a text that is not JSON'],
    ['id=W77&filter=', 'filter: expected an object as JSON, got a text that is not JSON'],
    ['id=W77&filter=null', 'filter: expected an object, got null'],
    ['id=W77&filter=[]', 'filter: expected an object, got an array'],
    ['id=W77&filter={}&filter={}', 'filter: expected one value, got 2'],
    [
      'id=W77&filter={"years":{}}',
      'filter: unknown field "years", known are year, venue, author, doi_prefix, ids, has_abstract, source, type, open_access, min_citations, cites, cited_by; did you mean year?',
    ],
    [
      'id=W77&filter={"open_access":1}',
      'filter.open_access: expected true or false, got the number 1',
    ],
    [
      `id=W77&exclude=${Array.from({ length: 201 }, (_, at) => at).join(',')}`,
      'exclude: expected at most 200 ids, got 201',
    ],
  ])('%s', async (query, message) => {
    const caller = newAccount();
    expectError(await get(caller, `/v1/similar?${query}`), { status: 400, message });
    expect(await readUsage(caller)).toMatchObject({ balance: 100 });
  });

  it('a call without credit', async () => {
    expectError(await get(newAccount(0), '/v1/similar?id=W77'), {
      status: 402,
      code: 'insufficient_credit',
      message: /^insufficient credit/,
      headers: { 'x-credit-balance': '0' },
    });
  });
});

it('many at once cannot spend more than the balance', async () => {
  const caller = newAccount(3);
  const all = await Promise.all(Array.from({ length: 8 }, () => get(caller, '/v1/similar?id=W77')));
  expect(all.filter(({ status }) => status === 200)).toHaveLength(3);
  expect(all.filter(({ status }) => status === 402)).toHaveLength(5);
  await untilUsage(caller, { credits: 3, balance: 0 });
});
