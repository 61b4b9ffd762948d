/** What a search returns, field by field. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { samplePath } from '../../src/settings/bundle.ts';
import { createCustomer } from '../support/service.ts';
import { useService } from '../support/use-service.ts';
import { type Caller, expectRateHeaders, type Got, search, takeRequestId } from './contract.ts';

const PROVENANCES = ['corpus', 'arxiv', 'semantic_scholar', 'web'];
const isWholeNumber = (value: unknown): boolean => Number.isInteger(value);
const isShare = (value: unknown): boolean =>
  typeof value === 'number' && value >= 0 && value <= 1 && Object.is(value, Math.abs(value));
const isText = (value: unknown): boolean => typeof value === 'string' && value !== '';

type Fields = readonly (readonly [
  name: string,
  rule: string,
  check: (value: unknown) => boolean,
])[];

const responseFields: Fields = [
  ['n', 'integer', isWholeNumber],
  ['c', 'number, 0 to 1', isShare],
  ['results', 'array of result', Array.isArray],
];

const resultFields: Fields = [
  ['d', 'string: DOI or source id', isText],
  ['t', 'string: title', isText],
  ['y', 'integer, 0 if unknown', (value) => isWholeNumber(value) && Number(value) >= 0],
  ['a', 'array of string, the first few', isFewTexts],
  ['s', 'number in [0,1], 3 decimals', (value) => isShare(value) && hasDecimals(value, 3)],
  ['q', 'string: verbatim sentence', isText],
  ['src', 'one of four', (value) => PROVENANCES.includes(value as string)],
];

function isFewTexts(value: unknown): boolean {
  return Array.isArray(value) && value.length <= 3 && value.every(isText);
}

function hasDecimals(value: unknown, decimals: number): boolean {
  return Number(Number(value).toFixed(decimals)) === value;
}

interface Result {
  d: string;
  t: string;
  y: number;
  a: string[];
  s: number;
  q: string;
  ab?: string;
  src: string;
}

interface Answer {
  n: number;
  c: number;
  results: Result[];
}

const queries = [
  'does sleep help memory',
  'removal of a predator and the diversity of its prey',
  'zzzz qqqq xxxx',
  '\u{1F9EA}',
];

let caller: Caller;
let sample: Map<string, { title: string; abstract: string; year?: number; authors?: string[] }>;

useService({
  fill: (database) => {
    const { secret } = createCustomer(database);
    return { secret };
  },
  env: { VERBATIM_REQUESTS_PER_MINUTE: '100000' },
  ready: async (service, { secret }) => {
    caller = { url: service.url, secret };
    const file = await readFile(join(samplePath(), 'ecology.jsonl'), 'utf8');
    const documents = file.trim().split('\n');
    sample = new Map(documents.map((line) => [JSON.parse(line).id, JSON.parse(line)]));
  },
});

async function answerTo(body: Record<string, unknown>): Promise<Answer> {
  const got = await search(caller, body);
  expect(got.status, got.text).toBe(200);
  return JSON.parse(got.text) as Answer;
}

function expectFields(value: object, fields: Fields): void {
  expect(Object.keys(value).sort()).toEqual(fields.map(([name]) => name).sort());
  for (const [name, rule, check] of fields) {
    const field = (value as Record<string, unknown>)[name];
    expect(check(field), `${name} must be ${rule}, not ${JSON.stringify(field)}`).toBe(true);
  }
}

describe('a response', () => {
  it.each(queries)('to "%s" has the documented fields and no others', async (query) => {
    const answer = await answerTo({ query, limit: 50 });
    expectFields(answer, responseFields);
    for (const result of answer.results) expectFields(result, resultFields);
  });

  it.each(queries)(
    'to "%s" counts its results, sorts them by score, and has each document once',
    async (query) => {
      const { n, results } = await answerTo({ query, limit: 50 });
      expect(n).toBe(results.length);
      expect(results.map(({ s }) => s)).toEqual(results.map(({ s }) => s).sort((a, b) => b - a));
      expect(new Set(results.map(({ d }) => d)).size).toBe(n);
    },
  );

  it('is the same for the same request', async () => {
    const [first, second] = await Promise.all([
      search(caller, { query: 'sleep', limit: 50 }),
      search(caller, { query: 'sleep', limit: 50 }),
    ]);
    expect(first?.text).toBe(second?.text);
  });

  it('with a smaller limit is the beginning of one with a larger limit', async () => {
    const { c, results } = await answerTo({ query: 'sleep', limit: 50 });
    const few = await answerTo({ query: 'sleep', limit: 3 });
    expect(few).toEqual({ n: 3, c, results: results.slice(0, 3) });
  });

  it('adds abstracts on request and changes nothing else', async () => {
    const plain = await answerTo({ query: 'sleep' });
    const full = await answerTo({ query: 'sleep', fields: 'abstract' });
    for (const result of full.results) {
      expectFields(result, [...resultFields, ['ab', 'string: abstract', isText]]);
    }
    const withoutAbstracts = full.results.map(({ ab: _, ...rest }) => rest);
    expect({ ...full, results: withoutAbstracts }).toEqual(plain);
  });

  it('quotes word for word', async () => {
    const { results } = await answerTo({ query: 'memory', limit: 50, fields: 'abstract' });
    for (const { ab = '', q } of results) expect(ab).toContain(q);
  });

  it('has the documents as they were indexed', async () => {
    const { results } = await answerTo({
      query: 'keystone predator',
      limit: 50,
      fields: 'abstract',
    });
    const known = results.filter(({ d }) => sample.has(d));
    expect(known.length).toBeGreaterThan(0);
    for (const { d, t, y, a, ab } of known) {
      const { title, abstract, year = 0, authors = [] } = sample.get(d) ?? expect.fail();
      expect({ t, y, a, ab }).toEqual({ t: title, y: year, a: authors.slice(0, 3), ab: abstract });
    }
  });

  it('comes from the corpus if no lane is enabled', async () => {
    const { results } = await answerTo({ query: 'sleep', limit: 50 });
    expect(new Set(results.map(({ src }) => src))).toEqual(new Set(['corpus']));
  });

  it('has high confidence for questions that the corpus answers, and low for others', async () => {
    const [{ title } = expect.fail()] = [...sample.values()];
    expect((await answerTo({ query: title })).c).toBeGreaterThan(0.9);
    expect((await answerTo({ query: 'zzzz qqqq xxxx' })).c).toBeLessThan(0.5);
  });
});

describe('the headers of a response', () => {
  const searchWithAbstracts = (): Promise<Got> =>
    search(caller, { query: 'sleep and memory', fields: 'abstract', limit: 50 });

  it('have the media type JSON', async () => {
    const { headers } = await search(caller);
    expect(headers['content-type']).toMatch(/^application\/json(;|$)/);
  });

  it.each([
    ['a short body', { query: 'sleep', limit: 1 }],
    ['a long body', { query: 'sleep', limit: 50, fields: 'abstract' }],
  ])('estimate one token per four characters: %s', async (_name, body) => {
    const { headers, text } = await search(caller, body);
    expect(headers['x-token-budget']).toBe(String(Math.ceil(text.length / 4)));
  });

  it('show the balance after the debit of one credit', async () => {
    const balances: number[] = [];
    for (let i = 0; i < 4; i++) {
      const { headers } = await searchWithAbstracts();
      expect(headers['x-credit-balance']).toMatch(/^\d+$/);
      balances.push(Number(headers['x-credit-balance']));
    }
    const [first = 0] = balances;
    expect(balances).toEqual([first, first - 1, first - 2, first - 3]);
  });

  it("contain the request's own id and the key's rate", async () => {
    for (let i = 0; i < 4; i++) {
      const got = await search(caller);
      takeRequestId(got);
      expectRateHeaders(got, true);
      expect(got.headers['ratelimit-limit']).toBe('100000');
      expect(Number(got.headers['ratelimit-remaining'])).toBeLessThan(100_000);
    }
  });

  it('have no Retry-After', async () => {
    expect((await search(caller)).headers).not.toHaveProperty('retry-after');
  });
});
