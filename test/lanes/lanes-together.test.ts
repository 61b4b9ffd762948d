/** The whole service with slow and fast lanes together, whose providers are stubs on loopback. */
import { beforeEach, describe, expect, it } from 'vitest';
import type { Lanes } from '../../src/lanes/lane/lane.ts';
import type { Settings } from '../../src/settings/config.ts';
import { laneNames } from '../../src/settings/lane-choice.ts';
import type { Answer } from '../../src/types.ts';
import { addAccount, expectAudited, type Got, ledger, search } from '../http/contract.ts';
import { feedOf } from '../support/lanes/arxiv-stub.ts';
import { openLanes } from '../support/lanes/ask-lanes.ts';
import { works } from '../support/lanes/crossref-stub.ts';
import { papersOf, tooMany } from '../support/lanes/semantic-scholar-stub.ts';
import { htmlPage, type StubServer, startStub } from '../support/lanes/stub-server.ts';
import { serveWith, useServiceWithLanes } from './serve-with-lanes.ts';

const QUESTION = 'how do sourdough starters resist spoilage moulds';
const QUOTE = 'Sourdough starters resist spoilage moulds by making acetic acid.';
const TITLE = 'Acetic acid of sourdough starters and spoilage moulds';
const PUBLISHED = '10.5555/published';

const published = {
  DOI: PUBLISHED,
  type: 'journal-article',
  title: [TITLE],
  author: [{ given: 'Ada', family: 'Berg' }],
  published: { 'date-parts': [[2025]] },
  'container-title': ['Bread'],
  abstract: `<jats:p>We measured acids. ${QUOTE}</jats:p>`,
};
/** arXiv knows neither the DOI nor the year of the published version. */
const preprint = {
  id: 'http://arxiv.org/abs/2401.00001v1',
  title: TITLE,
  summary: `We measured some acids. ${QUOTE}`,
  more: '<author><name>Ada Berg</name></author>',
};
const other = {
  ...preprint,
  id: 'http://arxiv.org/abs/2402.00002v1',
  title: 'Yeasts of sourdough',
  summary: QUOTE.replace('acetic', 'lactic'),
};
const scholarly = {
  paperId: 'aa11',
  externalIds: { CorpusId: 11 },
  title: 'Bacteria of sourdough',
  abstract: QUOTE.replace('acetic', 'propionic'),
  year: 2020,
  authors: [{ authorId: null, name: 'C. Elm' }],
};

let crossref: StubServer;
let arxiv: StubServer;
let scholar: StubServer;
beforeEach(async () => {
  crossref = await startStub(works([published]));
  arxiv = await startStub(feedOf([]));
  scholar = await startStub(papersOf([]));
  return () => Promise.all([crossref, arxiv, scholar].map((stub) => stub.close()));
});

const limits: Partial<Settings> = { requestTimeoutMs: 120_000, laneWaitMsMax: 20_000 };
const serveShared = useServiceWithLanes(limits, laneNames);

function openStubbed(overrides: Partial<Settings> = {}): Lanes {
  return openLanes({
    ...limits,
    ...overrides,
    lanes: 'arxiv,semantic_scholar,web',
    webProvider: 'crossref',
    arxivUrl: arxiv.url,
    crossrefUrl: crossref.url,
    semanticScholarUrl: scholar.url,
  });
}

/** The settings are those of the lanes. */
const serve = (overrides?: Partial<Settings>): ReturnType<typeof serveShared> =>
  serveShared(openStubbed(overrides));

function laneResultsOf(got: Got): Answer['results'] {
  expect(got.status, got.text).toBe(200);
  return (JSON.parse(got.text) as Answer).results.filter(({ src }) => src !== 'corpus');
}

const lanesOf = ({ headers }: Got): string => String(headers['x-lanes']);
const wordOf = (got: Got): string => lanesOf(got).replace(/;.*/, '');

describe('lanes at 0.6 s beside one that answers at once', () => {
  beforeEach(() => {
    const delayMs = 600;
    arxiv.answer(feedOf([other], { delayMs }));
    scholar.answer({ ...papersOf([scholarly]), delayMs });
  });

  it('are waited for', async () => {
    const got = await search(serve(), { query: QUESTION });
    expect(lanesOf(got)).not.toContain('late');
    const sources = laneResultsOf(got).map(({ src }) => src);
    expect(sources.sort()).toEqual(['arxiv', 'semantic_scholar', 'web']);
  });
});

describe('equal questions that run together', () => {
  it('have one answer, however late each of them joins', async () => {
    let free = (): void => {};
    const until = new Promise<void>((resolve) => {
      free = resolve;
    });
    // Without a cache, each question that asks for itself gets the next response.
    crossref.answer((_, index) =>
      index === 0 ? { ...works([published]), until } : works([{ ...published, DOI: '10.5555/x' }]),
    );
    arxiv.answer([{ status: 503 }, { body: htmlPage }]);
    const running = await serveWith(openStubbed(), limits);
    const first = search(running, { query: QUESTION });
    await expect.poll(() => crossref.requests.length).toBe(1);
    await expect.poll(() => arxiv.requests.length).toBe(1);
    // The response of arXiv has arrived, so nobody can share its request any more.
    const poor = addAccount(running, { email: 'poor@example.org', credits: 3 });
    const others = [
      search(poor, { query: QUESTION, limit: 1 }),
      search(poor, { query: QUESTION, fields: 'abstract' }),
      search(poor, { query: QUESTION, filter: { has_abstract: true } }),
    ];
    const alone = search(running, { query: QUESTION, lanes: 'arxiv' });
    await expect.poll(() => arxiv.requests.length).toBe(2);
    free();
    const all = [await first, ...(await Promise.all(others))];
    expect(all.map((got) => laneResultsOf(got).map(({ d }) => d))).toEqual(
      Array(4).fill([PUBLISHED]),
    );
    const metrics = await (await fetch(`${running.metricsUrl}/metrics`)).text();
    expect(metrics).toContain('verbatim_search_outcomes_total{outcome="served"} 4');
    const withoutMs = all.map((got) => lanesOf(got).replace(/ms=\d+,/, ''));
    expect(new Set(withoutMs).size).toBe(1);
    // It may ask arXiv only, so it shares nothing.
    expect(wordOf(await alone)).toBe('failed');
    expect([crossref.requests.length, arxiv.requests.length]).toEqual([1, 2]);
    const charged = (): number =>
      ledger(running.database, 'poor@example.org').filter(({ kind }) => kind === 'settle').length;
    await expect.poll(charged).toBe(3);
    await expectAudited(running.database);
  });
});

describe('a client that leaves while its question is asked', () => {
  it('pays nothing, and those that joined get their answer', async () => {
    let free = (): void => {};
    const until = new Promise<void>((resolve) => {
      free = resolve;
    });
    crossref.answer({ ...works([published]), until });
    const running = serve();
    const leaving = addAccount(running, { email: 'leaving@example.org', credits: 1 });
    const abort = new AbortController();
    const left = fetch(`${running.url}/v1/search`, {
      method: 'POST',
      headers: { authorization: `Bearer ${leaving.secret}`, 'content-type': 'application/json' },
      body: JSON.stringify({ query: QUESTION }),
      signal: abort.signal,
    });
    await expect.poll(() => crossref.requests.length).toBe(1);
    const staying = search(running, { query: QUESTION });
    await expect.poll(() => ledger(running.database, running.email).length).toBe(2);
    abort.abort();
    await expect(left).rejects.toThrow();
    free();
    expect(laneResultsOf(await staying).map(({ d }) => d)).toEqual([PUBLISHED]);
    const kinds = (): string[] =>
      ledger(running.database, 'leaving@example.org').map(({ kind }) => kind);
    await expect.poll(kinds).toEqual(['release', 'hold', 'topup']);
    expect(crossref.requests).toHaveLength(1);
    await expectAudited(running.database);
  });
});

describe('the first word of X-Lanes', () => {
  const busy = { status: 429, headers: { 'content-type': 'text/plain' }, body: 'Rate exceeded.' };

  it('is `nothing` if a lane was asked and has no paper', async () => {
    crossref.answer(works([]));
    arxiv.answer({ status: 503 });
    expect(wordOf(await search(serve(), { query: QUESTION }))).toBe('nothing');
  });

  it('is `failed` if all lanes failed', async () => {
    crossref.answer({ status: 500 });
    arxiv.answer({ body: htmlPage });
    scholar.answer({ fault: 'reset' });
    expect(wordOf(await search(serve(), { query: QUESTION }))).toBe('failed');
  });

  it('is `late` if no lane responds in time', async () => {
    for (const stub of [crossref, arxiv, scholar]) stub.answer({ fault: 'hang' });
    const running = serve({ laneWaitMsMax: 200 });
    expect(wordOf(await search(running, { query: QUESTION }))).toBe('late');
  });

  it('is `no_time` if there is no time to ask', async () => {
    const running = serve({ laneAnswerMsMin: 60_000 });
    const got = await search(running, { query: QUESTION });
    expect(wordOf(got)).toBe('no_time');
    expect(lanesOf(got)).toContain('arxiv;provider=arxiv;outcome=skipped;reason=no_time');
    expect(crossref.requests).toEqual([]);
  });

  it('is `throttled` if the pace of the providers leaves no time to ask', async () => {
    const gapMs = 600_000;
    const running = serve({ arxivGapMs: gapMs, semanticScholarGapMs: gapMs });
    await search(running, { query: QUESTION, lanes: 'arxiv,semantic_scholar' });
    const got = await search(running, { query: 'rye bread', lanes: 'arxiv,semantic_scholar' });
    expect(wordOf(got)).toBe('throttled');
    expect(lanesOf(got)).toContain('arxiv;provider=arxiv;outcome=skipped;reason=throttled');
  });

  it('is `throttled` during the backoff that a provider demands', async () => {
    arxiv.answer({ ...busy, headers: { 'retry-after': '3600' } });
    scholar.answer({ ...tooMany, headers: { 'retry-after': '3600' } });
    const running = serve();
    const asked = { query: QUESTION, lanes: 'arxiv,semantic_scholar' };
    expect(wordOf(await search(running, asked))).toBe('failed');
    expect(wordOf(await search(running, asked))).toBe('throttled');
  });

  it('is `no_words` if the question leaves nothing to ask for', async () => {
    const got = await search(serve(), { query: 'ada@example.org' });
    expect(wordOf(got)).toBe('no_words');
  });
});

describe('a preprint and its published version from two lanes', () => {
  it.each([
    ['that both have an abstract', published, 'web'],
    ['of which only the preprint has one', { ...published, abstract: undefined }, 'arxiv'],
  ])('%s are one result with the published DOI', async (_, work, src) => {
    crossref.answer(works([work]));
    arxiv.answer(feedOf([preprint]));
    const got = await search(serve(), { query: QUESTION, limit: 50 });
    expect(laneResultsOf(got)).toMatchObject([{ d: PUBLISHED, y: 2025, t: TITLE, q: QUOTE, src }]);
  });

  it('stay two if they have only the title in common', async () => {
    crossref.answer(works([{ ...published, author: [{ given: 'Bo', family: 'Dahl' }] }]));
    arxiv.answer(feedOf([{ ...preprint, summary: 'Sourdough starters have other moulds.' }]));
    const got = await search(serve(), { query: QUESTION, limit: 50 });
    expect(laneResultsOf(got).map(({ d }) => d)).toContain(PUBLISHED);
    expect(lanesOf(got)).toContain('arxiv;provider=arxiv;outcome=answered;documents=1');
  });
});

describe('a paper that one lane calls retracted', () => {
  it.each([
    ['of another year', preprint],
    ['with a colon in place of a dash', { ...preprint, title: TITLE.replace(' and', ': and') }],
  ])('is not shown by another lane that has it %s', async (_, entry) => {
    crossref.answer(works([{ ...published, title: [`RETRACTED: ${TITLE}`] }]));
    arxiv.answer(feedOf([entry, other]));
    const got = await search(serve(), { query: QUESTION, limit: 50 });
    expect(laneResultsOf(got).map(({ d }) => d)).toEqual(['arXiv:2402.00002']);
  });

  it('is not shown by a lane that knows no year of it', async () => {
    crossref.answer(works([{ ...published, title: [`RETRACTED: ${TITLE}`] }]));
    const copy = { ...scholarly, title: TITLE, year: null, authors: [{ name: 'A. Berg' }] };
    scholar.answer(papersOf([copy]));
    const got = await search(serve(), { query: QUESTION, limit: 50 });
    expect(laneResultsOf(got)).toEqual([]);
  });
});
