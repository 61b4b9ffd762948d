import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { semanticScholarQuery } from '../../../src/lanes/providers/semantic-scholar.ts';
import {
  askOnce,
  askOne,
  essenceOf,
  onlySemanticScholar,
  openLanes,
  outcomeOf,
  waitFor,
} from '../../support/lanes/ask-lanes.ts';
import {
  annotationCases,
  barePaper,
  bodySnippet,
  endpoints,
  forbidden,
  keylessCases,
  papers,
  paperWithoutIds,
  snippetsOf,
} from '../../support/lanes/semantic-scholar-stub.ts';
import { jsonResponse, type StubServer, startStub } from '../../support/lanes/stub-server.ts';
import { PATIENT } from '../../support/patient.ts';

const KEY = 's2-secret';
let stub: StubServer;
beforeAll(async () => {
  stub = await startStub();
});
beforeEach(() => {
  stub.requests.length = 0;
});
afterAll(() => stub.close());

describe('the Semantic Scholar lane without a key', () => {
  it.each(keylessCases)('handles %s', async (_what, how, outcome, ids) => {
    stub.answer(how);
    const asked = await askOnce({ ...onlySemanticScholar(stub.url), ...waitFor(outcome) });
    expect(outcomeOf(asked)).toBe(outcome);
    expect(asked.documents.map(({ id }) => id)).toEqual(ids);
  });

  it('reads a paper whose fields are null', async () => {
    stub.answer(papers);
    const { documents } = await askOnce(onlySemanticScholar(stub.url));
    expect(documents.slice(0, 2).map(essenceOf)).toEqual([
      { id: '10.18653/v1/x', title: 'Sleep helps', year: 0, authors: ['A. van B'], abstract: '' },
      { id: 'SemanticScholar:bb22', title: 'T2', year: 2021, authors: [], abstract: 'One. Two.' },
    ]);
  });

  it('reads the identifiers of a paper', async () => {
    const externalIds = {
      DOI: '10.48550/arXiv.2402.00003',
      ArXiv: '2402.00003',
      CorpusId: 3,
      MAG: '4',
      PubMed: '7',
      PubMedCentral: '8',
      ACL: 'P19-1001',
      DBLP: 'journals/x',
    };
    stub.answer(jsonResponse({ data: [{ ...paperWithoutIds, externalIds }] }));
    const [document] = (await askOnce(onlySemanticScholar(stub.url))).documents;
    expect(document?.id).toBe('arXiv:2402.00003');
    expect(document?.identifiers).toEqual({
      arxiv: '2402.00003',
      pmid: '7',
      pmcid: 'PMC8',
      acl: 'P19-1001',
      s2: '3',
    });
  });

  it('asks in plain words without a key', async () => {
    stub.answer(papers);
    await askOnce(onlySemanticScholar(stub.url), 'TNF-alpha in "slow-wave" sleep');
    const [request] = stub.requests;
    expect(request?.path).toBe('/graph/v1/paper/search');
    expect(request?.query).toMatchObject({ query: 'tnf alpha in slow wave sleep', limit: '10' });
    expect(request?.headers).not.toHaveProperty('x-api-key');
  });
});

describe('the Semantic Scholar lane with a key', () => {
  it.each(annotationCases)('quotes by %s', async (_what, annotations, quotable) => {
    stub.answer(endpoints({ snippets: snippetsOf({ ...bodySnippet, annotations }) }));
    const asked = await askOnce(onlySemanticScholar(stub.url, KEY));
    expect(outcomeOf(asked)).toBe('answered');
    expect(asked.documents.map(essenceOf)).toEqual([
      {
        id: '10.18653/v1/x',
        title: 'Sleep helps',
        year: 0,
        authors: ['A. van B'],
        abstract: '',
        ...(quotable.length === 0 ? {} : { quotable }),
      },
    ]);
  });

  it('asks once for the snippets and once for all their papers', async () => {
    stub.answer(endpoints({}));
    await askOnce(onlySemanticScholar(stub.url, KEY));
    expect(stub.requests.map(({ method, path }) => `${method} ${path}`)).toEqual([
      'GET /graph/v1/snippet/search',
      'POST /graph/v1/paper/batch',
    ]);
    expect(JSON.parse(stub.requests[1]?.body ?? '')).toEqual({ ids: ['CorpusId:19170988'] });
    expect(stub.requests.map(({ headers }) => headers['x-api-key'])).toEqual([KEY, KEY]);
  });

  it('reads authors from a nested array, and does not quote the title', async () => {
    const snippets = snippetsOf({ ...bodySnippet, snippetKind: 'title' }, '7', [['A B', 'C D']]);
    stub.answer(endpoints({ snippets, batch: jsonResponse([null]) }));
    const { documents } = await askOnce(onlySemanticScholar(stub.url, KEY));
    expect(documents.map(essenceOf)).toEqual([
      { id: 'CorpusId:7', title: 'T', year: 0, authors: ['A B', 'C D'], abstract: '' },
    ]);
  });

  const batches: [what: string, batch: Parameters<typeof endpoints>[0]['batch']][] = [
    ['500', { status: 500 }],
    ['429', { status: 429 }],
    ['rubbish', { body: '<html>' }],
    ['an object', jsonResponse({ error: 'no' })],
    ['silence', { fault: 'hang' }],
    ['null for the paper', jsonResponse([null])],
  ];
  it.each(batches)(
    'quotes a snippet although its paper is answered with %s',
    async (what, batch) => {
      stub.answer(endpoints({ batch: batch ?? {} }));
      const limit = what === 'silence' ? { laneTimeoutMs: 1_000 } : {};
      const asked = await askOnce({ ...onlySemanticScholar(stub.url, KEY), ...limit });
      expect(outcomeOf(asked)).toBe('answered');
      expect(asked.documents.map(essenceOf)).toEqual([
        {
          id: 'CorpusId:19170988',
          title: 'T',
          year: 0,
          authors: ['A B'],
          abstract: '',
          quotable: ['𝛼 waves mark sleep.', 'Memory gains.'],
        },
      ]);
    },
  );

  it('quotes a snippet if its paper does not arrive in time', async () => {
    stub.answer(endpoints({ batch: { fault: 'hang' } }));
    const lanes = openLanes(onlySemanticScholar(stub.url, KEY));
    // On a busy machine the time may be over before the paper is asked for, or its snippet is there.
    const ask = async () => {
      const before = stub.requests.length;
      const { documents } = await lanes.ask(`does sleep help ${before}`, performance.now() + 50);
      return { ids: documents.map(({ id }) => id), sent: stub.requests.length - before };
    };
    await expect.poll(ask, PATIENT).toEqual({ ids: ['CorpusId:19170988'], sent: 2 });
    await lanes.close();
  });

  it('goes on without a key that is rejected in the second request', async () => {
    stub.answer(endpoints({ batch: forbidden }));
    const lanes = openLanes(onlySemanticScholar(stub.url, KEY));
    expect((await askOne(lanes)).documents).toHaveLength(3);
    expect(lanes.states()).toMatchObject([{ state: 'degraded', retryAt: undefined }]);
    await lanes.close();
  });

  it('tries a rejected key again later', async () => {
    stub.answer(endpoints({ snippets: forbidden }));
    vi.useFakeTimers({ toFake: ['Date'] });
    const lanes = openLanes({ ...onlySemanticScholar(stub.url, KEY), laneBlockedMs: 60_000 });
    await askOne(lanes);
    stub.answer(endpoints({}));
    vi.setSystemTime(Date.now() + 59_999);
    await askOne(lanes, 'another question');
    vi.setSystemTime(Date.now() + 2);
    await askOne(lanes, 'a third question');
    const keys = stub.requests.map(({ headers }) => headers['x-api-key']);
    expect(keys).toEqual([KEY, undefined, undefined, KEY, KEY]);
    expect(lanes.states()).toMatchObject([{ state: 'ok' }]);
    vi.useRealTimers();
    await lanes.close();
  });

  it('keeps abstract and excerpt of a paper apart', async () => {
    stub.answer(endpoints({ batch: jsonResponse([{ ...barePaper, ...paperWithoutIds }]) }));
    const [document] = (await askOnce(onlySemanticScholar(stub.url, KEY))).documents;
    expect(document?.abstract).toBe('One. Two.');
    expect(document?.excerpt?.text).toBe('𝛼 waves mark sleep. Memory gains.');
  });

  it('sends no second request if there are no snippets', async () => {
    stub.answer(endpoints({ snippets: jsonResponse({ data: [] }) }));
    expect(outcomeOf(await askOnce(onlySemanticScholar(stub.url, KEY)))).toBe('answered');
    expect(stub.requests).toHaveLength(1);
  });

  it('goes on without a rejected key, and shows it', async () => {
    stub.answer(endpoints({ snippets: forbidden }));
    const lanes = openLanes(onlySemanticScholar(stub.url, KEY));
    expect(outcomeOf(await askOne(lanes))).toBe('answered');
    expect((await askOne(lanes, 'another question')).documents).toHaveLength(3);
    expect(stub.requests.map(({ path }) => path.split('/').at(-2))).toEqual([
      'snippet',
      'paper',
      'paper',
    ]);
    expect(stub.requests.map(({ headers }) => headers['x-api-key'])).toEqual([
      KEY,
      undefined,
      undefined,
    ]);
    expect(lanes.states()).toMatchObject([{ lane: 'semantic_scholar', state: 'degraded' }]);
    await lanes.close();
  });
});

it.each([
  ['state-of-the-art methods', 'state of the art methods'],
  ['"exact phrase" (and) more', 'exact phrase and more'],
  ['a – b — c', 'a b c'],
])('Semantic Scholar is asked %j as plain words', (question, query) => {
  expect(semanticScholarQuery(question, 400)).toBe(query);
});
