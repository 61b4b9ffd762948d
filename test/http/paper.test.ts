/** GET /v1/paper over real sockets: identifiers, formats, prices, and every kind of wrong request. */
import { describe, expect, it } from 'vitest';
import { bibtexFormat } from '../../src/ingest/formats/bibtex.ts';
import { risFormat } from '../../src/ingest/formats/ris.ts';
import { entriesOf } from '../ingest/read-format.ts';
import { useService } from '../support/use-service.ts';
import {
  addAccount,
  type Caller,
  expectAudited,
  expectError,
  expectRateHeaders,
  readUsage,
  send,
  takeRequestId,
  untilUsage,
} from './contract.ts';
import { addPapers, get } from './look-up-papers.ts';

const service = useService({ fill: addPapers });
let customers = 0;

function newAccount(credits = 100): Caller {
  return addAccount(service, { email: `paper-${++customers}@example.org`, credits });
}

/** Papers by their ids, which are encoded here. */
function getPapers(caller: Caller, ids: readonly string[], accept?: string) {
  const query = ids.map((id) => `id=${encodeURIComponent(id)}`).join('&');
  return get(caller, `/v1/paper?${query}`, accept === undefined ? {} : { headers: { accept } });
}

describe('a paper', () => {
  it('comes with all that its records say, for one credit', async () => {
    const caller = newAccount();
    const got = await getPapers(caller, ['10.5555/tides']);
    expect(got.status, got.text).toBe(200);
    expect(got.headers['content-type']).toBe('application/json');
    expect(got.headers['x-credit-balance']).toBe('99');
    expect(got.headers['x-index-version']).toMatch(/^[0-9a-f]{16}$/);
    expect(got.headers).not.toHaveProperty('x-unknown-ids');
    expectRateHeaders(got, true);
    takeRequestId(got);
    expect(JSON.parse(got.text)).toEqual({
      n: 1,
      papers: [
        {
          asked: '10.5555/tides',
          d: '10.5555/tides',
          t: 'Tides of the northern shore after the full moon',
          y: 2021,
          authors: ['Anna Berg', 'Bo Dahl'],
          venue: 'Journal of Shores',
          ab: expect.stringContaining('friction in shallow water.'),
          identifiers: { doi: '10.5555/tides', pmid: '7654321', openalex: 'W77' },
          url: 'https://doi.org/10.5555/tides',
          citation: expect.stringContaining('Anna Berg, Bo Dahl (2021).'),
        },
      ],
      unknown: [],
    });
    await untilUsage(caller, { requests: 1, credits: 1, balance: 99 });
    await expectAudited(service.database);
  });

  it.each([
    'https://doi.org/10.5555/TIDES',
    'doi:10.5555/tides',
    'PMID:7654321',
    '7654321',
    'https://openalex.org/W77',
    ' W77 ',
  ])('is found by %s', async (id) => {
    const got = await getPapers(newAccount(), [id]);
    const { papers } = JSON.parse(got.text);
    expect(papers).toMatchObject([{ asked: id.trim(), d: '10.5555/tides' }]);
  });

  it('tells that it was retracted', async () => {
    const { papers } = JSON.parse((await getPapers(newAccount(), ['10.5555/gone'])).text);
    expect(papers).toMatchObject([{ notices: [{ kind: 'retraction', date: '', id: '' }] }]);
  });
});

describe('several papers', () => {
  it('cost one credit, and unknown ids are named', async () => {
    const caller = newAccount();
    const got = await get(
      caller,
      '/v1/paper?id=10.5555/tides,10.5555/none&id=10.5555/moon,phase&id=%C3%A9,10.5555/delay,',
    );
    expect(got.status, got.text).toBe(200);
    const { n, papers, unknown } = JSON.parse(got.text);
    expect(n).toBe(3);
    expect(papers.map(({ asked }: { asked: string }) => asked)).toEqual([
      ...['10.5555/tides', '10.5555/moon,phase', '10.5555/delay'],
    ]);
    expect(unknown).toEqual(['10.5555/none', 'é']);
    expect(got.headers['x-unknown-ids']).toBe('10.5555%2Fnone, %C3%A9');
    await untilUsage(caller, { credits: 1, balance: 99 });
  });

  it('are a hundred at most', async () => {
    const ids = Array.from({ length: 99 }, (_, at) => `10.5555/none-${at}`);
    const hundred = await getPapers(newAccount(), ['10.5555/tides', ...ids]);
    expect(JSON.parse(hundred.text)).toMatchObject({ n: 1, unknown: ids });
    const caller = newAccount();
    const tooMany = await getPapers(caller, ['10.5555/tides', `${ids.join(',')},10.5555/one-more`]);
    expectError(tooMany, {
      status: 400,
      code: 'bad_request',
      message: 'id: expected at most 100 ids, got more',
      headers: { 'x-credit-balance': '100' },
    });
    expect(await readUsage(caller)).toMatchObject({ credits: 0, balance: 100 });
  });
});

describe('formats', () => {
  it('BibTeX', async () => {
    const got = await getPapers(
      newAccount(),
      ['W77', '10.5555/tides', 'nobody'],
      'application/x-bibtex',
    );
    expect(got.status, got.text).toBe(200);
    expect(got.headers['content-type']).toBe('application/x-bibtex; charset=utf-8');
    expect(got.headers['x-unknown-ids']).toBe('nobody');
    expect(got.text).toMatch(/^@article\{berg2021tides,\n/);
    const entries = await entriesOf(bibtexFormat, got.text);
    expect(entries).toMatchObject([{ document: { identifiers: { doi: '10.5555/tides' } } }]);
  });

  it('RIS', async () => {
    const ids = ['10.5555/tides', '10.5555/delay'];
    const got = await getPapers(
      newAccount(),
      ids,
      'application/x-research-info-systems, */*;q=0.1',
    );
    expect(got.headers['content-type']).toBe('application/x-research-info-systems; charset=utf-8');
    const entries = await entriesOf(risFormat, got.text);
    expect(entries).toMatchObject(ids.map((doi) => ({ document: { identifiers: { doi } } })));
  });

  it('CSL-JSON', async () => {
    const type = 'application/vnd.citationstyles.csl+json';
    const got = await getPapers(newAccount(), ['10.5555/tides'], type);
    expect(got.headers['content-type']).toBe(type);
    expect(JSON.parse(got.text)).toMatchObject([{ id: '10.5555/tides', DOI: '10.5555/tides' }]);
  });

  it('others get 406, which names those that there are', async () => {
    const caller = newAccount();
    expectError(await getPapers(caller, ['10.5555/tides'], 'application/xml'), {
      status: 406,
      code: 'not_acceptable',
      message:
        'Accept: expected one of application/json, application/x-bibtex, ' +
        'application/x-research-info-systems, application/vnd.citationstyles.csl+json',
    });
    expect(await readUsage(caller)).toMatchObject({ credits: 0, balance: 100 });
  });
});

describe('what costs nothing', () => {
  it('ids that no paper has', async () => {
    const caller = newAccount();
    expectError(await getPapers(caller, ['10.5555/none', 'x'.repeat(3000)]), {
      status: 404,
      code: 'unknown_paper',
      message: 'no paper in the index has this id',
      headers: { 'x-credit-balance': '100' },
    });
    expect(await readUsage(caller)).toMatchObject({ requests: 0, credits: 0, balance: 100 });
    await expectAudited(service.database);
  });

  it('an id of several papers, which are named', async () => {
    expectError(await getPapers(newAccount(), ['424242']), {
      status: 400,
      code: 'bad_request',
      message: 'id: several papers have "424242"; use one of 10.5555/pmid, 10.5555/s2',
      headers: { 'x-credit-balance': '100' },
    });
  });

  it.each<[what: string, query: string, message: string]>([
    ['nothing', '', 'id: expected an identifier of a paper, got nothing'],
    ['an empty id', '?id=', 'id: expected an identifier of a paper, got nothing'],
    ['blanks', '?id=%20&id=+', 'id: expected an identifier of a paper, got nothing'],
    [
      'another parameter',
      '?id=W77&ids=W78',
      'unknown parameter "ids", known are id, include, cursor; did you mean id?',
    ],
  ])('%s', async (_, query, message) => {
    const caller = newAccount();
    expectError(await get(caller, `/v1/paper${query}`), {
      status: 400,
      code: 'bad_request',
      message,
    });
    expect(await readUsage(caller)).toMatchObject({ balance: 100 });
  });

  it.each(['?id=,', '?id=%ff%zz', '?id=%00', '?id=%F0%9F%8C%8A', "?id=' OR 1=1 --"])(
    'strange ids: %s',
    async (query) => {
      const got = await get(newAccount(), `/v1/paper${query.replaceAll(' ', '%20')}`);
      expectError(got, {
        status: 404,
        code: 'unknown_paper',
        message: 'no paper in the index has this id',
        headers: { 'x-credit-balance': '100' },
      });
    },
  );

  it('HEAD and POST, which are refused', async () => {
    const caller = newAccount();
    for (const method of ['HEAD', 'POST']) {
      const got = await get(caller, '/v1/paper?id=W77', { method });
      expect(got.status).toBe(405);
      expect(got.headers['allow']).toBe('GET');
    }
    expect(await readUsage(caller)).toMatchObject({ balance: 100 });
  });

  it('a call without a key or without credit', async () => {
    const without = await send(service.url, { path: '/v1/paper?id=W77' });
    expectError(without, { status: 401, message: /api key/, authenticated: false });
    expectError(await getPapers(newAccount(0), ['W77']), {
      status: 402,
      code: 'insufficient_credit',
      message: /^insufficient credit/,
      headers: { 'x-credit-balance': '0' },
    });
  });
});

it('many at once cannot spend more than the balance', async () => {
  const caller = newAccount(3);
  const all = await Promise.all(Array.from({ length: 8 }, () => getPapers(caller, ['W77'])));
  expect(all.filter(({ status }) => status === 200)).toHaveLength(3);
  expect(all.filter(({ status }) => status === 402)).toHaveLength(5);
  await untilUsage(caller, { credits: 3, balance: 0 });
  await expectAudited(service.database);
});
