/** The fields of a search that opt in to more than the first contract. */
import { dirname } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Answer, Citation } from '../../src/types.ts';
import { jsonLines, writeFiles } from '../ingest/index-files.ts';
import { createCustomer } from '../support/service.ts';
import { useService } from '../support/use-service.ts';
import { runVerbatim } from '../support/verbatim.ts';
import {
  bearer,
  type Caller,
  expectError,
  readUsage,
  search,
  send,
  untilUsage,
} from './contract.ts';

const QUESTION = 'how do harbor seals whistle';
const WHISTLES = 'Harbor seals whistle \u{1F9AD} through closed nostrils at dusk.';
const papers = [
  {
    doi: '10.5555/Seals.Whistle',
    title: 'Whistling harbor seals',
    abstract: `\u{1F30A}\u{1F30A} e\u0301tude of a cold bay. ${WHISTLES} Nobody had heard them before.`,
    year: 2019,
    authors: ['A. Berg', 'B. Dahl', 'C. Elm', 'D. Furu'],
    venue: 'Journal of Bays',
    identifiers: { pmid: '77001', arxiv: '2401.00001v2' },
  },
  { id: 'seal-notes', title: 'Harbor seals whistle: a field note', year: 2021 },
];

let caller: Caller;

useService({
  async fill(database) {
    const [file] = (await writeFiles(dirname(database), {
      'seals.jsonl': jsonLines(papers),
    })) as [string];
    await runVerbatim(['index', 'add', file, '--db', database]);
    return createCustomer(database);
  },
  env: { VERBATIM_REQUESTS_PER_MINUTE: '100000' },
  ready: ({ url }, { secret }) => {
    caller = { url, secret };
  },
});

async function answerTo(fields: Record<string, unknown>): Promise<Answer & { tokens: number }> {
  const { status, text, headers } = await search(caller, { query: QUESTION, ...fields });
  expect(status, text).toBe(200);
  return { ...(JSON.parse(text) as Answer), tokens: Number(headers['x-token-budget']) };
}

async function resultsOf(fields: Record<string, unknown>): Promise<Citation[]> {
  return (await answerTo(fields)).results;
}

/** The whistling seals and the field note, which has no abstract. */
async function sealsWith(fields: Record<string, unknown>): Promise<[Citation, Citation]> {
  const results = await resultsOf({ fields: 'abstract', ...fields });
  const find = (d: string): Citation => results.find((one) => one.d === d) ?? expect.fail(d);
  return [find('10.5555/seals.whistle'), find('seal-notes')];
}

/** What a client does with offsets in code points. */
function cut(text: string, start: number | undefined, end: number | undefined): string {
  return [...text].slice(start, end).join('');
}

describe('a search without the new fields', () => {
  it.each([
    ...[{ sort: 'relevance' }, { include: '' }, { include: ' , ' }, { exclude: [] }],
    ...[{ min_score: 0 }, { min_answer: 0 }, { exclude: ['unknown', '', '10.5555/nothing'] }],
  ])('is the same as one with %j', async (fields) => {
    const plain = await search(caller, { query: QUESTION, fields: 'abstract' });
    const asked = await search(caller, { query: QUESTION, fields: 'abstract', ...fields });
    expect(asked.text).toBe(plain.text);
  });
});

describe('include', () => {
  it('gives the place of the sentence in code points', async () => {
    const [seals, note] = await sealsWith({ include: 'offsets' });
    expect(seals.q).toBe(WHISTLES);
    expect(cut(seals.ab ?? '', seals.start, seals.end)).toBe(WHISTLES);
    expect(note.q).toBe(note.t);
    expect(note).not.toHaveProperty('start');
    expect(note).not.toHaveProperty('end');
  });

  it('gives what the records say', async () => {
    const include = 'url, citation,venue,authors,identifiers,venue';
    const [seals, note] = await sealsWith({ include });
    expect(seals).toMatchObject({
      url: 'https://doi.org/10.5555/seals.whistle',
      citation:
        'A. Berg, B. Dahl, C. Elm, et al. (2019). Whistling harbor seals. Journal of Bays. ' +
        'https://doi.org/10.5555/seals.whistle',
      venue: 'Journal of Bays',
      authors: ['A. Berg', 'B. Dahl', 'C. Elm', 'D. Furu'],
      identifiers: { doi: '10.5555/seals.whistle', arxiv: '2401.00001', pmid: '77001' },
    });
    expect(note).toMatchObject({
      citation: 'Harbor seals whistle: a field note (2021). seal-notes',
      venue: '',
      authors: [],
      identifiers: {},
    });
    expect(note).not.toHaveProperty('url');
  });

  it('adds only what is named', async () => {
    const plain = await resultsOf({});
    const asked = await resultsOf({ include: 'venue' });
    expect(asked.map(({ venue: _, ...rest }) => rest)).toEqual(plain);
    for (const { venue } of asked) expect(venue).toBeTypeOf('string');
  });
});

describe('sentences', () => {
  it.each([1, 2, 5])('are the best %i, each with its place', async (sentences) => {
    const results = await resultsOf({ sentences, fields: 'abstract', limit: 20 });
    for (const { q, ab = '', sentences: quotes = [] } of results) {
      expect(quotes[0]?.q).toBe(q);
      expect(quotes.length).toBeLessThanOrEqual(sentences);
      expect(new Set(quotes.map((quote) => quote.q)).size).toBe(quotes.length);
      for (const quote of quotes.filter((quote) => quote.start !== undefined)) {
        expect(cut(ab, quote.start, quote.end)).toBe(quote.q);
      }
    }
    const [seals, note] = await sealsWith({ sentences });
    expect(seals.sentences).toHaveLength(Math.min(3, sentences));
    expect(note.sentences).toEqual([{ q: note.t }]);
  });
});

describe('min_score', () => {
  it('leaves out results with a lower score, and no other', async () => {
    const all = await resultsOf({ limit: 50 });
    const minScore = all[4]?.s ?? expect.fail();
    const kept = await resultsOf({ limit: 50, min_score: minScore });
    expect(kept).toEqual(all.filter(({ s }) => s >= minScore));
    expect(kept.length).toBeGreaterThanOrEqual(5);
    expect(kept.length).toBeLessThan(all.length);
  });
});

describe('min_answer', () => {
  it('leaves out results that answer with a lower or unknown probability, and keeps c', async () => {
    const all = await answerTo({ limit: 50, include: 'answers' });
    for (const { answers = 0 } of all.results) expect(String(answers)).toMatch(/^[01](\.\d\d?)?$/);
    const kept = await answerTo({ limit: 50, include: 'answers', min_answer: 0.3 });
    expect(kept.results).toEqual(all.results.filter(({ answers = 0 }) => answers >= 0.3));
    expect(kept).toMatchObject({ n: kept.results.length, c: all.c });
  });

  it('that empties the answer costs what an empty answer costs', async () => {
    const { balance } = await readUsage(caller);
    expect(await answerTo({ min_answer: 1, max_tokens: 50 })).toMatchObject({ n: 0, dropped: 0 });
    await untilUsage(caller, { balance: balance - 1 });
  });
});

describe('sort', () => {
  it('puts the latest of the same results first', async () => {
    const relevant = await resultsOf({ limit: 20 });
    const sorted = await resultsOf({ limit: 20, sort: 'year' });
    expect(sorted).toEqual([...relevant].sort((a, b) => b.y - a.y));
    expect(sorted).not.toEqual(relevant);
  });
});

describe('max_tokens that no result fits into', () => {
  const fields = { query: QUESTION, fields: 'abstract', include: 'citation', max_tokens: 50 };

  it('costs nothing', async () => {
    const before = await readUsage(caller);
    const got = await search(caller, fields);
    expect(got.status).toBe(200);
    expect(JSON.parse(got.text)).toMatchObject({ n: 0, results: [], dropped: 10 });
    expect(got.headers['x-credit-balance']).toBe(String(before.balance));
    expect(await readUsage(caller)).toEqual(before);
  });

  it('costs nothing with an Idempotency-Key, for the repeat neither', async () => {
    const before = await readUsage(caller);
    const keyed = { headers: { 'idempotency-key': 'no-room' } };
    const [first, repeat] = [
      await search(caller, fields, keyed),
      await search(caller, fields, keyed),
    ];
    expect(repeat.text).toBe(first.text);
    expect(repeat.headers['idempotency-replayed']).toBe('true');
    expect(await readUsage(caller)).toEqual(before);
  });

  it('costs nothing for such a question of a batch and for similar papers', async () => {
    const before = await readUsage(caller);
    const headers = { ...bearer(caller.secret), 'content-type': 'application/json' };
    const body = JSON.stringify({ questions: [fields, { ...fields, max_tokens: 5000 }] });
    const batch = await send(caller.url, {
      method: 'POST',
      path: '/v1/search/batch',
      headers,
      body,
    });
    const { credits, outcomes } = JSON.parse(batch.text);
    expect(credits).toBe(1);
    expect(outcomes.map(({ status }: { status: number }) => status)).toEqual([200, 200]);
    await untilUsage(caller, { credits: before.credits + 1, balance: before.balance - 1 });
    const path = '/v1/similar?id=seal-notes&fields=abstract&include=citation&max_tokens=50';
    const similar = await send(caller.url, { path, headers: bearer(caller.secret) });
    expect(JSON.parse(similar.text)).toMatchObject({ n: 0, dropped: 10 });
    expect(await readUsage(caller)).toMatchObject({ balance: before.balance - 1 });
  });

  it('is not the same as finding nothing, which costs a credit', async () => {
    const { balance } = await readUsage(caller);
    const got = await search(caller, { ...fields, min_score: 1, max_tokens: 50 });
    expect(JSON.parse(got.text)).toMatchObject({ n: 0, dropped: 0 });
    await untilUsage(caller, { balance: balance - 1 });
  });
});

describe('max_tokens', () => {
  it.each([50, 100, 500, 1_000_000])('of %i is not exceeded', async (tokensMax) => {
    const all = await resultsOf({ limit: 20 });
    const { tokens, n, results, dropped } = await answerTo({ limit: 20, max_tokens: tokensMax });
    expect(tokens).toBeLessThanOrEqual(tokensMax);
    expect(results).toEqual(all.slice(0, n));
    expect(dropped).toBe(all.length - n);
  });

  it('drops no result that fits', async () => {
    const { tokens, results } = await answerTo({ limit: 5, max_tokens: 1_000_000 });
    const exact = await answerTo({ limit: 5, max_tokens: tokens });
    expect(exact).toMatchObject({ n: 5, dropped: 0, results });
    expect(await answerTo({ limit: 5, max_tokens: tokens - 1 })).toMatchObject({
      n: 4,
      dropped: 1,
    });
  });

  it('keeps the most relevant results, in any order', async () => {
    const [best] = await resultsOf({});
    const { results } = await answerTo({ sort: 'year', max_tokens: 150 });
    expect(results.map(({ d }) => d)).toContain(best?.d);
  });
});

describe('exclude', () => {
  it.each([
    ...['10.5555/seals.whistle', ' https://doi.org/10.5555/SEALS.WHISTLE ', 'arXiv:2401.00001'],
    ...['2401.00001v7', 'PMID:77001', 'doi:10.5555/Seals.Whistle'],
  ])('leaves out the paper "%s"', async (id) => {
    const ids = (await resultsOf({ exclude: [id] })).map(({ d }) => d);
    expect(ids).not.toContain('10.5555/seals.whistle');
    expect(ids).toContain('seal-notes');
    expect(ids).toHaveLength(10);
  });

  it('finds others until the index has no more, page by page', async () => {
    const seen: string[] = [];
    for (let page = 0; page < 3; page++) {
      const results = await resultsOf({ limit: 50, exclude: seen });
      expect(results).toHaveLength(50);
      for (const { d } of results) expect(seen).not.toContain(d);
      seen.push(...results.map(({ d }) => d));
    }
  });
});

describe('a wrong value', () => {
  const names =
    'offsets, url, citation, venue, authors, identifiers, type, open_access, citation_count, retraction, answers';
  it.each<[message: string, fields: Record<string, unknown>]>([
    ['min_score: expected a number from 0 to 1, got a string', { min_score: '0.5' }],
    ['min_score: expected a number from 0 to 1, got the number -0.1', { min_score: -0.1 }],
    ['min_score: expected a number from 0 to 1, got the number 1.1', { min_score: 1.1 }],
    ['min_score: expected a number from 0 to 1, got null', { min_score: null }],
    ['min_answer: expected a number from 0 to 1, got the number 2', { min_answer: 2 }],
    ['sort: expected "relevance", "year" or "citations", got "date"', { sort: 'date' }],
    ['sort: expected "relevance", "year" or "citations", got an object', { sort: {} }],
    ['sentences: expected an integer from 1 to 5, got the number 0', { sentences: 0 }],
    ['sentences: expected an integer from 1 to 5, got the number 6', { sentences: 6 }],
    ['sentences: expected an integer from 1 to 5, got a boolean', { sentences: true }],
    ['max_tokens: expected an integer of at least 50, got the number 49', { max_tokens: 49 }],
    [
      'max_tokens: expected an integer of at least 50, got the number 1e+300',
      { max_tokens: 1e300 },
    ],
    ['max_tokens: expected an integer of at least 50, got a string', { max_tokens: '99' }],
    ['exclude: expected an array of ids, got a string', { exclude: '10.5555/x' }],
    ['exclude[1]: expected an id as a string, got the number 1', { exclude: ['a', 1] }],
    ['exclude[0]: expected at most 2000 characters', { exclude: ['x'.repeat(2001)] }],
    ['exclude: expected at most 200 ids, got 201', { exclude: Array(201).fill('x') }],
    ['include: expected a string of comma-separated names, got an array', { include: ['url'] }],
    [`include: unknown name "abstract", expected ${names}`, { include: 'url,abstract' }],
    [`include: unknown name "__proto__", expected ${names}`, { include: '__proto__' }],
  ])('is refused: %s', async (message, fields) => {
    const got = await search(caller, { query: QUESTION, ...fields });
    expectError(got, { status: 400, message, code: 'bad_request' });
  });

  it('is no charge', async () => {
    const { requests } = await readUsage(caller);
    await search(caller, { query: QUESTION, sort: 'x' });
    await search(caller, { query: QUESTION });
    await untilUsage(caller, { requests: requests + 1 });
  });

  it.each([
    ['strange text', ['\ud800', '\u0000', 'arXiv:', 'doi:', "' OR 1=1 --", '%', '10.5555/\u0000']],
    ['200 long ids', Array.from({ length: 200 }, (_, at) => `10.5555/${at}${'x'.repeat(250)}`)],
  ])('is not %s in exclude', async (_, exclude) => {
    expect(await resultsOf({ exclude })).toHaveLength(10);
  });
});
