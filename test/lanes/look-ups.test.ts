/** `POST /v1/verify` with lanes, whose providers are stubs on loopback. */
import { request } from 'node:http';
import { beforeEach, describe, expect, it } from 'vitest';
import { setNamedCustomerLanes } from '../../src/accounts/sql/customers.ts';
import { changeOnSqlite } from '../../src/database/sqlite/run-on-sqlite.ts';
import type { Lanes } from '../../src/lanes/lane/lane.ts';
import type { Settings } from '../../src/settings/config.ts';
import { laneNames } from '../../src/settings/lane-choice.ts';
import {
  bearer,
  type Caller,
  expectAudited,
  type Got,
  readUsage,
  send,
  untilUsage,
} from '../http/contract.ts';
import { inStore } from '../support/history.ts';
import { feedOf } from '../support/lanes/arxiv-stub.ts';
import { openLanes } from '../support/lanes/ask-lanes.ts';
import { works } from '../support/lanes/crossref-stub.ts';
import {
  htmlPage,
  jsonResponse,
  type StubAnswer,
  type StubServer,
  startStub,
} from '../support/lanes/stub-server.ts';
import { CREDITS, type Running, serveWith, useServiceWithLanes } from './serve-with-lanes.ts';

const TITLE = 'Antifungal activity of sourdough starters against spoilage moulds';
const AUTHORS = ['Ada Berg', 'Bo Dahl'];
const DOI = '10.5555/sourdough.1';
const work = {
  DOI,
  type: 'journal-article',
  title: [TITLE],
  author: [
    { given: 'Ada', family: 'Berg' },
    { given: 'Bo', family: 'Dahl' },
  ],
  published: { 'date-parts': [[2020]] },
  'container-title': ['Journal of Bread'],
};
/** A paper of the sample. */
const INDEXED = {
  title: 'Iron-catalysed synthesis of ammonia from nitrogen and hydrogen',
};
const REFERENCE = { title: TITLE, authors: AUTHORS, year: 2020, venue: 'Journal of Bread' };
const INVENTED = { title: 'A loaf that nobody ever baked or described', authors: ['Cy Elm'] };

let crossref: StubServer;
let arxiv: StubServer;
let semanticScholar: StubServer;
beforeEach(async () => {
  crossref = await startStub(works([work]));
  arxiv = await startStub(feedOf([]));
  semanticScholar = await startStub(({ method }) =>
    jsonResponse(method === 'POST' ? [null] : { total: 0, offset: 0, data: [] }),
  );
  return async () => {
    await Promise.all([crossref.close(), arxiv.close(), semanticScholar.close()]);
  };
});

const asked = (): number =>
  crossref.requests.length + arxiv.requests.length + semanticScholar.requests.length;

/** Enough time on a busy machine. */
const patient: Partial<Settings> = {
  requestTimeoutMs: 120_000,
  laneTimeoutMs: 60_000,
  verifyLookUpMsMax: 60_000,
};

/** What makes a hanging lane end soon. */
const brief: Partial<Settings> = { verifyLookUpMsMax: 3_000 };

const serveShared = useServiceWithLanes(patient, laneNames);
const serveBriefly = useServiceWithLanes({ ...patient, ...brief }, laneNames);

function openStubbed(): Lanes {
  return openLanes({
    ...patient,
    lanes: 'arxiv,semantic_scholar,web',
    webProvider: 'crossref',
    arxivUrl: arxiv.url,
    semanticScholarUrl: semanticScholar.url,
    crossrefUrl: crossref.url,
  });
}

type Shared = ReturnType<typeof serveShared>;

const serve = (): Shared => serveShared(openStubbed());

/** A service of the test's own, for other settings. */
const serveAlone = (overrides: Partial<Settings>): Promise<Running> =>
  serveWith(openStubbed(), { ...patient, ...overrides });

function post(
  { url, secret }: Pick<Caller, 'url' | 'secret'>,
  body: unknown,
  headers: Record<string, string> = {},
): Promise<Got> {
  return send(url, {
    method: 'POST',
    path: '/v1/verify',
    headers: { ...bearer(secret), 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  });
}

type Result = Record<string, unknown>;

async function verify(running: Shared, lanes: string, ...references: unknown[]): Promise<Result[]> {
  const items = references.map((reference) => ({ reference }));
  const got = await post(running, { items, lanes });
  expect(got.status, got.text).toBe(200);
  return (JSON.parse(got.text) as { items: Result[] }).items;
}

/** Asserts what was charged, and that the ledger adds up. */
async function expectCharged(running: Shared, credits: number): Promise<void> {
  await untilUsage(running, { credits, balance: CREDITS - credits });
  await expectAudited(running.database);
}

describe('a reference that the index does not have', () => {
  it('leaves the machine only if the request names lanes', async () => {
    const running = serve();
    const got = await post(running, { items: [{ reference: REFERENCE }] });
    const [item] = JSON.parse(got.text).items;
    expect(item).toMatchObject({ verdict: 'not_found' });
    expect(item).not.toHaveProperty('lanes');
    expect(await verify(running, 'none', REFERENCE)).toMatchObject([{ verdict: 'not_found' }]);
    expect(asked()).toBe(0);
    await expectCharged(running, 2);
  });

  it('is found at Crossref by its DOI', async () => {
    const running = serve();
    const reference = `@article{a, title = {${TITLE}}, author = {Berg, Ada and Dahl, Bo}, year = 2020, doi = {https://doi.org/${DOI}}}`;
    const [result] = await verify(running, 'web', reference);
    expect(result).toMatchObject({ verdict: 'match', d: DOI, t: TITLE, src: 'web' });
    expect(result?.['lanes']).toEqual({ web: 'answered' });
    expect(crossref.requests.map(({ query }) => query['filter'])).toEqual([`doi:${DOI}`]);
    expect(asked()).toBe(1);
    await expectCharged(running, 2);
  });

  it('is found at arXiv by its id', async () => {
    const entry = { id: 'http://arxiv.org/abs/2401.00001v3', title: TITLE, summary: 'We bake.' };
    const feed = feedOf([{ ...entry, more: '<author><name>Ada Berg</name></author>' }]);
    arxiv.answer((sent, index) => ({ ...feed({ ...sent, query: {} }, index) }));
    const running = serve();
    const [result] = await verify(running, 'arxiv', { title: TITLE, arxiv: '2401.00001' });
    expect(result).toMatchObject({ verdict: 'match', d: 'arXiv:2401.00001', src: 'arxiv' });
    expect(arxiv.requests.map(({ query }) => query['id_list'])).toEqual(['2401.00001']);
  });

  it('is found at Semantic Scholar by any of its ids', async () => {
    const paper = {
      paperId: 'aa11',
      externalIds: { DOI: DOI.toUpperCase(), PubMed: '123' },
      title: TITLE,
      year: 2020,
      authors: AUTHORS.map((name) => ({ name })),
    };
    semanticScholar.answer(jsonResponse([null, paper]));
    const running = serve();
    const [result] = await verify(running, 'semantic_scholar', { ...REFERENCE, pmid: 123 });
    expect(result).toMatchObject({ d: DOI, src: 'semantic_scholar' });
    expect(semanticScholar.requests.map(({ body }) => JSON.parse(body))).toEqual([
      { ids: ['PMID:123'] },
    ]);
  });

  it('is found by its title and compared as with a record of the index', async () => {
    const running = serve();
    const [result] = await verify(running, 'web', { ...REFERENCE, year: 2011 });
    expect(result).toMatchObject({
      verdict: 'match_with_errors',
      src: 'web',
      corrected: { ...REFERENCE, year: 2020 },
    });
    expect(result?.['fields']).toContainEqual({
      field: 'year',
      verdict: 'different',
      cited: 2011,
      recorded: 2020,
      problem: 'another year',
    });
    const query = crossref.requests[0]?.query ?? {};
    expect(query['query.bibliographic']).toBe(`${TITLE} ${AUTHORS[0]}`.toLowerCase());
    // Most records have no abstract.
    expect(query).not.toHaveProperty('filter');
  });

  it('conflicts if its DOI is that of another work', async () => {
    const other = { ...work, DOI: '10.5555/rye', title: ['Rye and its many uses in the north'] };
    crossref.answer([works([other]), works([work])]);
    const running = serve();
    expect(await verify(running, 'web', { ...REFERENCE, doi: '10.5555/rye' })).toMatchObject([
      { verdict: 'conflict', d: '10.5555/rye', other: { d: DOI, t: TITLE }, src: 'web' },
    ]);
  });

  it('has the notices of a retracted paper', async () => {
    const update = {
      DOI: '10.5555/notice',
      type: 'retraction',
      updated: { 'date-parts': [[2022]] },
    };
    crossref.answer(works([{ ...work, 'updated-by': [update] }]));
    const running = serve();
    const [result] = await verify(running, 'web', REFERENCE);
    expect(result).toMatchObject({ verdict: 'match', notices: [{ kind: 'retraction' }] });
  });

  it('is not found if no lane has it, which costs the same', async () => {
    const running = serve();
    const [found, invented] = await verify(
      running,
      'arxiv,semantic_scholar,web',
      INDEXED,
      INVENTED,
    );
    // The index has this one, so nobody is asked.
    expect(found).not.toHaveProperty('lanes');
    expect(invented).toMatchObject({
      verdict: 'not_found',
      lanes: { arxiv: 'answered', semantic_scholar: 'answered', web: 'answered' },
    });
    expect(asked()).toBe(3);
    expect(arxiv.requests[0]?.query['search_query']).toMatch(/^ti:loaf OR ti:.* OR au:elm$/);
    expect(semanticScholar.requests[0]).toMatchObject({
      path: '/graph/v1/paper/search',
      query: { query: INVENTED.title.toLowerCase() },
    });
    await expectCharged(running, 2);
  });
});

describe('a lane without an answer', () => {
  it.each<[string, StubAnswer]>([
    ['404', { status: 404, body: 'Resource not found.' }],
    ['429', { status: 429, body: '' }],
    ['a page', { body: htmlPage }],
    ['half an answer', { body: '{"status":"ok","message":{"items":[' }],
    ['silence', { fault: 'hang' }],
    ['a broken connection', { fault: 'reset' }],
  ])('says so and costs nothing: %s', async (_what, answer) => {
    crossref.answer(answer);
    const running = serveBriefly(openStubbed());
    const results = await verify(running, 'web', REFERENCE, { ...REFERENCE, doi: DOI });
    expect(results).toMatchObject([
      { verdict: 'not_found', lanes: { web: 'no_answer' } },
      { verdict: 'not_found', lanes: { web: 'no_answer' } },
    ]);
    await expectCharged(running, 1);
  });

  it('does not keep another from its answer', async () => {
    arxiv.answer({ fault: 'hang' });
    const running = serveBriefly(openStubbed());
    expect(await verify(running, 'arxiv,web', INVENTED)).toMatchObject([
      { verdict: 'not_found', lanes: { arxiv: 'no_answer', web: 'answered' } },
    ]);
    await expectCharged(running, 2);
  });

  it('is not waited for once another has the work', async () => {
    arxiv.answer({ fault: 'hang' });
    const running = serve();
    expect(await verify(running, 'arxiv,web', REFERENCE)).toMatchObject([
      { verdict: 'match', src: 'web', lanes: { arxiv: 'no_answer', web: 'answered' } },
    ]);
  });
});

describe('what is not looked up', () => {
  it('says who does not allow it', async () => {
    const running = serve();
    inStore(running.database, (db) =>
      changeOnSqlite(db, setNamedCustomerLanes({ email: running.email, lanes: 'arxiv' })),
    );
    expect(await verify(running, 'web', REFERENCE)).toMatchObject([
      { verdict: 'not_found', lanes: { web: 'not_allowed' } },
    ]);
    expect(asked()).toBe(0);
    await expectCharged(running, 1);
  });

  it('is beyond the number of a call', async () => {
    const running = await serveAlone({ verifyLookUpsMax: 1 });
    const results = await verify(running, 'web', INVENTED, REFERENCE);
    expect(results.map(({ lanes }) => lanes)).toEqual([{ web: 'answered' }, { web: 'not_asked' }]);
    await expectCharged(running, 2);
  });

  it('is what no lane was turned on for', async () => {
    const running = await serveWith(undefined);
    expect(await verify(running, 'web', REFERENCE)).toMatchObject([
      { verdict: 'not_found', lanes: { web: 'not_allowed' } },
    ]);
    await expectCharged(running, 1);
  });

  it.each(['moon', '', 'none,web'])('is a request with the lanes "%s"', async (lanes) => {
    const got = await post(serve(), { items: [{ reference: REFERENCE }], lanes });
    expect([got.status, got.headers['x-error-code']]).toEqual([400, 'bad_request']);
    expect(asked()).toBe(0);
  });
});

describe('the price of look-ups', () => {
  it('is held before anything leaves, or nothing is done', async () => {
    const running = await serveAlone({ verifyLookUpCredits: CREDITS });
    const got = await post(running, { items: [{ reference: REFERENCE }], lanes: 'web' });
    expect([got.status, got.headers['x-error-code']]).toEqual([402, 'insufficient_credit']);
    expect(got.headers['x-credit-balance']).toBe(String(CREDITS));
    expect(asked()).toBe(0);
    await expectCharged(running, 0);
  });

  it.each([0, 3])('is what the operator sets: %d', async (verifyLookUpCredits) => {
    const running = await serveAlone({ verifyLookUpCredits });
    const items = [REFERENCE, INVENTED].map((reference) => ({ reference }));
    const got = await post(running, { items, lanes: 'web' });
    const credits = 1 + 2 * verifyLookUpCredits;
    expect(got.headers['x-credit-balance']).toBe(String(CREDITS - credits));
    await expectCharged(running, credits);
  });

  it('is paid once for a request that is repeated', async () => {
    const running = serve();
    const body = { items: [{ reference: REFERENCE }], lanes: 'web' };
    const key = { 'idempotency-key': 'bread' };
    const first = await post(running, body, key);
    const second = await post(running, body, key);
    expect(second.text).toBe(first.text);
    expect(second.headers['idempotency-replayed']).toBe('true');
    expect(asked()).toBe(1);
    await expectCharged(running, 2);
  });

  it('is returned if the client leaves', async () => {
    let free = (): void => {};
    crossref.answer({ ...works([work]), until: new Promise((resolve) => (free = resolve)) });
    const running = serve();
    const leave = postAndLeave(running);
    await expect.poll(() => crossref.requests.length).toBe(1);
    expect((await readUsage(running)).balance).toBe(CREDITS - 2);
    leave();
    free();
    await untilUsage(running, { credits: 0, balance: CREDITS });
    await expectAudited(running.database);
  });
});

/** Sends a call and returns what ends its connection. */
function postAndLeave({ url, secret }: Shared): () => void {
  const headers = { ...bearer(secret), 'content-type': 'application/json' };
  const sent = request(`${url}/v1/verify`, { method: 'POST', headers });
  sent.on('error', () => {});
  sent.end(JSON.stringify({ items: [{ reference: REFERENCE }], lanes: 'web' }));
  return () => sent.destroy();
}
