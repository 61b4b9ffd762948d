/** Works of OpenAlex by its API, from a stub. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { wholeSelection } from '../../src/ingest/selection/selection.ts';
import { createInMemoryRecords } from '../../src/lanes/resilience/in-memory-records.ts';
import { SourcePostponed } from '../../src/sources/ports/provider.ts';
import { openalexProvider } from '../../src/sources/providers/openalex.ts';
import { announce } from '../../src/sources/providers.ts';
import { htmlPage, jsonResponse } from '../support/lanes/stub-server.ts';
import { runOneByOne, runSteps, type StepsOptions } from './run-steps.ts';
import { type OpenalexStub, type StubWork, startOpenalex } from './stubs/openalex-stub.ts';

const FILTER = 'topics.id:T10028';
const FIRST_RUN = Date.parse('2026-10-01T12:00:00Z');
const SECOND_RUN = Date.parse('2026-11-01T12:00:00Z');

let stub: OpenalexStub;

const work = (number: number, rest: Partial<StubWork> = {}): StubWork => ({
  id: `W${number}`,
  title: `Tides of the island number ${number}`,
  published: `202${number}-03-01`,
  updated: '2026-09-01',
  ...rest,
});

beforeEach(async () => {
  stub = await startOpenalex([1, 2, 3, 4, 5].map((number) => work(number)));
});
afterEach(() => stub.close());

const run = (rest: Partial<StepsOptions> = {}): StepsOptions => ({
  provider: openalexProvider,
  options: { filter: FILTER, url: stub.url },
  settings: { openalexUrl: stub.url },
  deps: { now: () => FIRST_RUN },
  ...rest,
});
const filters = () => stub.requests.map(({ query }) => query['filter']);
const ids = (into: ReadonlyMap<string, string>) => [...into.keys()].sort();

describe('the first run', () => {
  it('reads all pages, and tells how far it is', async () => {
    const ran = await runSteps(run());
    expect(ids(ran.into)).toEqual(['W1', 'W2', 'W3', 'W4', 'W5']);
    expect(ran.position).toEqual({ since: '2026-10-01' });
    expect(ran.steps.map((step) => step.part?.progress)).toEqual(
      [2, 4, 5].map((done) => ({ done, total: 5, unit: 'records' })),
    );
    expect(stub.requests).toHaveLength(3);
    expect(stub.requests[0]?.query).toMatchObject({ cursor: '*', per_page: '100' });
    expect(stub.requests[0]?.headers.authorization).toBeUndefined();
  });

  it('asks only for what the source keeps', async () => {
    stub.works[3] = work(4, { language: 'de' });
    const years = { from: 2022, to: 2024, withUnknown: false };
    const selection = {
      ...wholeSelection,
      years,
      languages: ['en', 'fr'],
      types: ['article', 'bookchapter'],
      withAbstract: true,
    };
    const options = { filter: FILTER, from: '2023', url: stub.url };
    const ran = await runSteps(run({ options, deps: { selection } }));
    expect(ids(ran.into)).toEqual(['W3']);
    expect(filters()).toEqual([
      `${FILTER},from_publication_date:2023-01-01,to_publication_date:2024-12-31,` +
        'language:en|fr,type:article|book-chapter,has_abstract:true',
    ]);
    const unknown = { ...wholeSelection, languages: ['en', 'unknown'], types: ['sonnet'] };
    await runSteps(run({ deps: { selection: unknown }, stepsMax: 1 }));
    expect(filters()[1]).toBe(FILTER);
  });

  it('goes on from each of its positions', async () => {
    stub.works.push(work(6));
    const whole = await runSteps(run());
    // The fourth page is empty.
    expect(whole.steps).toHaveLength(4);
    const parts = await runOneByOne(run(), 4);
    expect(parts.into).toEqual(whole.into);
    expect(parts.position).toEqual(whole.position);
  });
});

describe('an update', () => {
  const changed = { updated: '2026-10-15' };
  beforeEach(() => {
    stub.works[0] = work(1, { ...changed, isRetracted: true });
    stub.works[1] = work(2, { ...changed, title: 'Another title' });
    stub.works.push(work(6, { ...changed, published: '2026-10-10' }));
  });
  const update = (openalexKey: string) =>
    run({
      settings: { openalexUrl: stub.url, openalexKey },
      deps: { now: () => SECOND_RUN },
      position: { since: '2026-10-01' },
    });

  it('with the key of a paid plan asks for what changed', async () => {
    const ran = await runSteps(update('paid'));
    expect(filters()).toEqual([1, 2].map(() => `${FILTER},from_updated_date:2026-10-01`));
    expect([...ran.into.values()]).toContain('Another title');
    expect(ids(ran.into)).toEqual(['W1', 'W2', 'W6']);
    expect(ran.position).toEqual({ since: '2026-11-01' });
  });

  it.each([
    ['of a free account', 'free', 3],
    ['of nobody', '', 2],
  ])('with the key %s asks for recent and for retracted works', async (_, key, requests) => {
    const ran = await runSteps(update(key));
    expect(filters().slice(-2)).toEqual([
      `${FILTER},from_publication_date:2026-07-03`,
      `${FILTER},is_retracted:true`,
    ]);
    expect(stub.requests).toHaveLength(requests);
    expect([...ran.into]).toEqual([
      ['W6', 'Tides of the island number 6'],
      ['W1', 'Tides of the island number 1 (retracted)'],
    ]);
    expect(ran.position).toEqual({ since: '2026-11-01' });
    const parts = await runOneByOne(update(key), 2);
    expect(parts.into).toEqual(ran.into);
  });

  it('sends the key to no other address', async () => {
    const settings = { openalexUrl: 'https://api.example.org', openalexKey: 'paid' };
    await runSteps({ ...update('paid'), settings });
    expect(stub.requests.map(({ headers }) => headers.authorization)).toEqual([
      undefined,
      undefined,
    ]);
  });
});

describe('faults', () => {
  it('starts the list over when the cursor has expired', async () => {
    const begun = await runSteps(run({ stepsMax: 2 }));
    stub.expireCursors();
    const ran = await runSteps(run({ position: begun.position, into: begun.into }));
    expect(ids(ran.into)).toEqual(['W1', 'W2', 'W3', 'W4', 'W5']);
    // Two, the one that was refused, and all pages.
    expect(stub.requests).toHaveLength(2 + 1 + 3);
  });

  it('ends when cursors expire at once', async () => {
    stub.instead = () => void stub.expireCursors();
    await expect(runSteps(run())).rejects.toThrow('refuses its cursors');
  });

  it('repeats a request after 503, HTML, and JSON of another kind', async () => {
    const bad = [{ status: 503 }, { body: htmlPage }, jsonResponse({ results: [] })];
    stub.instead = () => bad.shift();
    const ran = await runSteps(run());
    expect(ran.into.size).toBe(5);
    expect(stub.requests).toHaveLength(3 + 3);
  });

  it('after 429 with 15 hours is postponed, and sends nothing more', async () => {
    const records = createInMemoryRecords();
    const headers = { 'retry-after': '54000' };
    stub.instead = () => jsonResponse({ error: 'Rate limit exceeded' }, { status: 429, headers });
    const postponed = await runSteps(run({ records })).catch((error: unknown) => error);
    expect(postponed).toBeInstanceOf(SourcePostponed);
    const hours = ((postponed as SourcePostponed).until - Date.now()) / 3_600_000;
    expect(hours).toBeGreaterThan(14.9);
    stub.instead = () => undefined;
    await expect(runSteps(run({ records }))).rejects.toBeInstanceOf(SourcePostponed);
    expect(stub.requests).toHaveLength(1);
  });

  it('is postponed when the daily budget is spent', async () => {
    const headers = { 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': '40000' };
    const { works } = stub;
    stub.instead = ({ query }) => {
      if (query['cursor'] !== '*') return undefined;
      const meta = { count: works.length, next_cursor: btoa('[1,2]') };
      return jsonResponse({ meta, results: [] }, { headers });
    };
    await expect(runSteps(run())).rejects.toBeInstanceOf(SourcePostponed);
    expect(stub.requests).toHaveLength(1);
  });

  it('tells why a filter is refused', async () => {
    const options = { filter: 'topic:T10028', url: stub.url };
    await expect(runSteps(run({ options }))).rejects.toThrow('"Unknown filter field"');
    const paid = { filter: 'from_updated_date:2026-01-01', url: stub.url };
    await expect(runSteps(run({ options: paid }))).rejects.toThrow('Partner plan');
    expect(stub.requests).toHaveLength(2);
  });

  it('passes over an empty and a repeated page, and does not go on forever', async () => {
    const page = (next: number) => btoa(JSON.stringify([1, next]));
    const meta = { count: 5, next_cursor: page(0) };
    stub.instead = ({ query }) =>
      query['cursor'] === '*' ? jsonResponse({ meta, results: [] }) : undefined;
    expect((await runSteps(run())).into.size).toBe(5);
    let next = 100;
    stub.instead = () =>
      jsonResponse({ meta: { ...meta, next_cursor: page(next++) }, results: [] });
    await expect(runSteps(run())).rejects.toThrow('empty pages');
    stub.instead = () => jsonResponse({ meta, results: [{ id: 'https://openalex.org/W1' }] });
    await expect(runSteps(run())).rejects.toThrow('repeats its cursor');
  });
});

describe('the announcement', () => {
  it.each([{ from: 'yesterday' }, { from: '2024-1' }])('refuses %o', (options) => {
    const settings = { openalexUrl: stub.url, openalexKey: '' };
    const source = { provider: 'openalex', options } as const;
    expect(() => announce(source, settings as never)).toThrow(/must be/);
  });
});
