/** The client against a real server, and against one that fails as a test says. */
import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join, resolve } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { type ClientOptions, VerbatimApiError, VerbatimClient } from '../../src/client/client.ts';
import { addPapers } from '../http/look-up-papers.ts';
import { scratchFolder } from '../ingest/index-files.ts';
import { serveWith } from '../lanes/serve-with-lanes.ts';
import { expectDescribed } from '../support/openapi.ts';
import { useService } from '../support/use-service.ts';

let client: VerbatimClient;
let secret = '';

const service = useService({
  fill: addPapers,
  ready: ({ url }, key) => {
    secret = key;
    client = new VerbatimClient({ baseUrl: `${url}/`, key, fetch: describedFetch });
  },
});

/** Fails if /openapi.json does not describe the request and its answer. */
const describedFetch: typeof fetch = async (input, init) => {
  const response = await fetch(input, init);
  const { pathname, search } = new URL(String(input));
  expectDescribed({
    method: init?.method ?? 'GET',
    path: `${pathname}${search}`,
    sent: typeof init?.body === 'string' ? init.body : undefined,
    status: response.status,
    headers: Object.fromEntries(response.headers),
    text: await response.clone().text(),
  });
  return response;
};

describe('a call', () => {
  it('of each kind returns what the server says', async () => {
    const found = await client.search('tides of the northern shore', {
      limit: 2,
      abstract: true,
      include: ['url'],
      exclude: ['10.5555/delay'],
    });
    expect(found.results[0]).toMatchObject({ url: expect.stringContaining('doi.org') });
    expect(found.results[0]?.ab).toContain(found.results[0]?.q);
    const [verified] = await client.verify([{ quote: 'two days after the full moon', id: 'W77' }]);
    expect(verified).toMatchObject({ kind: 'quote', verdict: 'exact' });
    const papers = await client.papers(['W77', '10.5555/moon,phase', 'nobody']);
    expect(papers).toMatchObject({ n: 2, unknown: ['nobody'] });
    expect(await client.bibliography(['W77'], 'bibtex')).toMatch(/^@article\{/);
    const similar = await client.similar('W77', { limit: 3, exclude: ['10.5555/moon,phase', 'x'] });
    expect(similar.results.map(({ d }) => d)).toContain('10.5555/delay');
    expect(similar.results.map(({ d }) => d)).not.toContain('10.5555/moon,phase');
    const old = await client.similar('W77', { filter: { year: { to: 2020 } } });
    expect(old.results.map(({ d }) => d)).toEqual(['10.5555/moon,phase']);
    const { changes, cursor, more } = await client.changes(
      { since: new Date(0) },
      { limit: 1_000 },
    );
    expect(changes.find(({ d }) => d === '10.5555/delay')).toMatchObject({
      kind: 'added',
      y: 2023,
    });
    expect(await client.changes({ cursor })).toEqual({ changes: [], cursor, more });
    expect(await client.usage()).toMatchObject({ credits: 6, balance: 994 });
  });

  it('has the options of the API', async () => {
    const { balance: before } = await client.usage();
    const only = { ids: ['W77', '10.5555/delay', '10.5555/moon,phase'] };
    const tides = { limit: 10, filter: only } as const;
    const all = await client.search('tides', tides);
    expect(all.n).toBe(3);
    const recent = { ...only, year: { from: 2020 } };
    const sorted = await client.search('tides', { filter: recent, sort: 'year', sentences: 3 });
    expect(sorted.results.map(({ y }) => y)).toEqual([2023, 2021]);
    expect(sorted.results[1]?.sentences).toHaveLength(3);
    const best = all.results[0]?.s ?? 0;
    expect((await client.search('tides', { ...tides, minScore: best })).n).toBe(1);
    const likely = { ...tides, minAnswer: 0.5, include: ['answers'] } as const;
    for (const { answers = 0 } of (await client.search('tides', likely)).results) {
      expect(answers).toBeGreaterThanOrEqual(0.5);
    }
    const budget = await client.search('tides', { ...tides, maxTokens: 100 });
    expect(budget).toMatchObject({ n: 3 - (budget.dropped ?? 0), dropped: expect.any(Number) });
    expect(budget.dropped).toBeGreaterThan(0);
    expect((await client.usage()).balance).toBe(before - 5);
  });

  it('that is a batch has an outcome for each question', async () => {
    const { n, credits, outcomes } = await client.batch([
      { query: 'tides', limit: 1, filter: { year: { to: 2019 } } },
      { query: ' ' },
    ]);
    expect({ n, credits }).toEqual({ n: 2, credits: 1 });
    const [answered, failed] = outcomes;
    if (answered === undefined || !('answer' in answered)) throw new Error('no answer');
    expect(answered.answer.results[0]?.d).toBe('10.5555/moon,phase');
    expect(failed).toMatchObject({ status: 400, code: 'empty_query', error: 'empty query' });
  });

  it("that the caller named can be repeated by another client and isn't charged again", async () => {
    const idempotencyKey = 'tides "of" the \\ shore';
    const first = await client.search('tides', { limit: 1, idempotencyKey });
    const { balance } = await client.usage();
    const other = new VerbatimClient({ baseUrl: service.url, key: secret });
    expect(await other.search('tides', { limit: 1, idempotencyKey })).toEqual(first);
    expect((await other.usage()).balance).toBe(balance);
    const reused = other.search('waves', { idempotencyKey });
    await expect(reused).rejects.toMatchObject({ code: 'idempotency_key_reused' });
  });

  it('that is refused rejects with the code and the id of the request', async () => {
    const refused = await client.search(' ').catch((error: unknown) => error);
    expect(refused).toBeInstanceOf(VerbatimApiError);
    expect(refused).toMatchObject({ status: 400, code: 'empty_query', message: 'empty query' });
    expect((refused as VerbatimApiError).requestId).toMatch(/^[0-9a-f-]{36}$/);
  });
});

interface Got {
  path: string;
  idempotencyKey: string | undefined;
}

/**
 * A server whose answers to one request after the other are these, and a client of it; 0 destroys
 * the connection.
 */
async function failingWith(
  statuses: number[],
  options: Partial<ClientOptions> = {},
): Promise<{ own: VerbatimClient; got: Got[] }> {
  const got: Got[] = [];
  const server = createServer((request, response) => {
    const { url: path = '', headers } = request;
    got.push({ path, idempotencyKey: headers['idempotency-key']?.toString() });
    const status = statuses.shift() ?? 200;
    if (status === 0) response.destroy();
    else {
      response.writeHead(status, { 'Retry-After': '0', 'X-Error-Code': 'at_capacity' });
      response.end(status === 200 ? '{"n":0,"c":0,"results":[]}' : 'later');
    }
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  onTestFinished(() => void server.close());
  const address = server.address();
  const port = typeof address === 'object' ? address?.port : 0;
  const baseUrl = `http://127.0.0.1:${port}`;
  return { own: new VerbatimClient({ baseUrl, key: 'k', ...options }), got };
}

describe('a call that fails', () => {
  it('is repeated with the same idempotency key, another call has another one', async () => {
    const { own, got } = await failingWith([503, 429, 0]);
    expect(await own.search('tides')).toMatchObject({ n: 0 });
    await own.search('tides');
    const keys = got.map(({ idempotencyKey }) => idempotencyKey);
    expect(keys).toHaveLength(5);
    expect(keys[0]).toMatch(/^"[0-9a-f-]{36}"$/);
    expect(new Set(keys.slice(0, 4)).size).toBe(1);
    expect(keys[4]).not.toBe(keys[0]);
  });

  it('has no idempotency key if it is never repeated, unless the caller chose one', async () => {
    const { own, got } = await failingWith([503, 0], { retriesMax: 0 });
    await expect(own.search('tides')).rejects.toMatchObject({ status: 503 });
    const named = own.verify([{ quote: 'tides' }], { idempotencyKey: 'mine' });
    await expect(named).rejects.toMatchObject({ status: 0, code: 'no_response' });
    expect(got.map(({ idempotencyKey }) => idempotencyKey)).toEqual([undefined, '"mine"']);
  });

  it('is given up after as many repetitions as allowed', async () => {
    const { own, got } = await failingWith([503, 503, 503], { retriesMax: 1 });
    await expect(own.usage()).rejects.toMatchObject({ status: 503, code: 'at_capacity' });
    expect(got).toHaveLength(2);
  });

  it('is not repeated if that is of no use', async () => {
    const { own, got } = await failingWith([402]);
    await expect(own.search('tides')).rejects.toMatchObject({ status: 402 });
    expect(got).toHaveLength(1);
  });

  it('is not repeated if it may have been charged and has no key', async () => {
    const { own, got } = await failingWith([0, 502, 503, 0, 200]);
    await expect(own.papers(['W77'])).rejects.toMatchObject({ status: 0 });
    await expect(own.similar('W77')).rejects.toMatchObject({ status: 502 });
    // Nothing was charged, then it is free.
    await own.papers(['W77']).catch(() => {});
    await own.usage();
    expect(got.map(({ path }) => path.split('?')[0])).toEqual([
      ...['/v1/paper', '/v1/similar', '/v1/paper', '/v1/paper', '/v1/usage'],
    ]);
  });

  it('ends with the signal', async () => {
    const { own } = await failingWith([0]);
    await expect(own.usage({ signal: AbortSignal.abort(new Error('enough')) })).rejects.toThrow(
      'enough',
    );
  });

  it('rejects with an error of its own if a proxy answers with a page', async () => {
    const page: typeof fetch = async () => new Response('<html>', { status: 200 });
    const own = new VerbatimClient({ baseUrl: 'http://localhost', key: 'k', fetch: page });
    await expect(own.usage()).rejects.toMatchObject({ status: 200, code: 'not_json' });
  });
});

it('a customer with as many answers as may be stored goes on without keys', async () => {
  const running = await serveWith(undefined, { answersPerCustomerMax: 1 });
  const keys: (string | null)[] = [];
  const own = new VerbatimClient({
    baseUrl: running.url,
    key: running.secret,
    fetch: async (input, init) => {
      keys.push(new Headers(init?.headers).get('idempotency-key'));
      return await fetch(input, init);
    },
  });
  for (const query of ['sleep', 'memory', 'tides']) await own.search(query, { limit: 1 });
  expect(keys.map((key) => key !== null)).toEqual([true, true, false, false]);
  const named = own.search('seals', { idempotencyKey: 'mine' });
  await expect(named).rejects.toMatchObject({ status: 429, code: 'too_many_answers' });
});

describe('the built client', () => {
  it('is one module that runs in Node, with types', async () => {
    const folder = await scratchFolder();
    const script = resolve(import.meta.dirname, '../../scripts/client.mjs');
    execFileSync(process.execPath, [script, folder]);
    const program = `
      import { VerbatimClient } from ${JSON.stringify(join(folder, 'verbatim-client.js'))};
      const client = new VerbatimClient({ baseUrl: '${service.url}', key: '${secret}' });
      console.log((await client.search('tides', { limit: 1 })).n);`;
    const args = ['--input-type=module', '-e', program];
    expect(execFileSync(process.execPath, args, { encoding: 'utf8' })).toBe('1\n');
    const own = join(folder, 'own.ts');
    writeFileSync(
      own,
      `import { type Filter, VerbatimClient } from './verbatim-client.js';
       const client = new VerbatimClient({ baseUrl: '', key: '' });
       const filter: Filter = { year: { from: 2015 }, type: ['article', 'review'] };
       const { results } = await client.search('tides', { include: ['url'], filter });
       export const right: string | undefined = results[0]?.url;
       // @ts-expect-error
       export const wrong: number = results[0]?.q;
       const { outcomes } = await client.batch([{ query: 'tides', limit: 1 }]);
       for (const outcome of outcomes) {
         if ('answer' in outcome) console.log(outcome.answer.results[0]?.q);
         else console.log(outcome.code, outcome.retry_after);
       }
       // @ts-expect-error
       await client.search('tides', { filter: { type: 'poem' } });
       // @ts-expect-error: what only the sources have is not exported.
       export type { paperTypes } from './verbatim-client.js';`,
    );
    const tsc = resolve(import.meta.dirname, '../../node_modules/.bin/tsc');
    const options = ['--noEmit', '--strict', '--ignoreConfig', '--module', 'esnext'];
    const modules = ['--target', 'es2023', '--moduleResolution', 'bundler', '--types', ''];
    expect(execFileSync(tsc, [own, ...options, ...modules], { encoding: 'utf8' })).toBe('');
  });
});
