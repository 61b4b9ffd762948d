import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { crossrefQuota } from '../../../src/lanes/providers/crossref.ts';
import { askOnce, essenceOf, onlyWeb, outcomeOf, waitFor } from '../../support/lanes/ask-lanes.ts';
import { crossrefCases, work, works } from '../../support/lanes/crossref-stub.ts';
import { type StubServer, startStub } from '../../support/lanes/stub-server.ts';
import { commonFaults } from '../../support/lanes/web-stubs.ts';

let stub: StubServer;
beforeAll(async () => {
  stub = await startStub();
});
afterAll(() => stub.close());

const faults = commonFaults.map(([what, how, outcome]) => [what, how, outcome, []] as const);

describe('the web lane on Crossref', () => {
  it.each([...crossrefCases, ...faults])('handles %s', async (_what, how, outcome, ids) => {
    stub.answer(how);
    const asked = await askOnce({ ...onlyWeb('crossref', stub.url), ...waitFor(outcome) });
    expect(outcomeOf(asked)).toBe(outcome);
    expect(asked.documents.map(({ id }) => id)).toEqual(ids);
  });

  it('reads a work without its tags and headings', async () => {
    stub.answer(works([work]));
    const { documents } = await askOnce(onlyWeb('crossref', stub.url));
    expect(documents.map(essenceOf)).toEqual([
      {
        id: '10.1000/xyz',
        title: 'Sleep in vivo',
        year: 2019,
        authors: ['Ada van B', 'C D Jr.', 'The E Group'],
        abstract: 'One & two.\n\nH2O at p < 0.05 helps.',
      },
    ]);
  });

  it('reads what journals announced about a paper, on either side', async () => {
    const updated = { 'date-parts': [[2022, 3, 4]] };
    const concern = { DOI: '10.1000/n', type: 'expression_of_concern', updated };
    const erratum = {
      ...work,
      DOI: '10.1000/e',
      'update-to': [{ DOI: work.DOI, type: 'erratum' }],
    };
    stub.answer(works([{ ...work, 'updated-by': [concern] }, erratum]));
    const { documents } = await askOnce(onlyWeb('crossref', stub.url));
    expect(documents).toMatchObject([
      {
        id: '10.1000/xyz',
        notices: [
          { kind: 'expression_of_concern', date: '2022-03-04', id: '10.1000/n' },
          { kind: 'correction', date: '', id: '10.1000/e' },
        ],
      },
    ]);
  });

  it('sends the contact address in the query, too', async () => {
    stub.answer(works([]));
    await askOnce(onlyWeb('crossref', stub.url), 'does sleep-wake rhythm "matter"');
    const request = stub.requests.at(-1);
    expect(request?.headers['user-agent']).toContain('(mailto:ops@example.org)');
    expect(request?.path).toBe('/works');
    expect(request?.query).toMatchObject({
      'query.bibliographic': 'does sleep-wake rhythm matter',
      rows: '10',
      mailto: 'ops@example.org',
      filter: 'has-abstract:true',
    });
  });
});

it.each([
  [
    { 'x-rate-limit-limit': '3', 'x-rate-limit-interval': '1s', 'x-concurrency-limit': '2' },
    { gapMs: 1_000 / 3, concurrencyMax: 2 },
  ],
  [
    { 'x-rate-limit-limit': '50', 'x-rate-limit-interval': '1s' },
    { gapMs: 20, concurrencyMax: 50 },
  ],
  [
    { 'x-rate-limit-limit': '1', 'x-rate-limit-interval': '1s', 'x-concurrency-limit': '3' },
    { gapMs: 1_000, concurrencyMax: 1 },
  ],
  [{ 'x-rate-limit-limit': '0', 'x-rate-limit-interval': '1s', 'x-concurrency-limit': '0' }, {}],
  [{ 'x-rate-limit-limit': 'many', 'x-rate-limit-interval': '' }, {}],
  [{}, {}],
])("Crossref's headers %j are a budget", (headers, budget) => {
  expect(crossrefQuota(headers as Record<string, string>)).toEqual(budget);
});
