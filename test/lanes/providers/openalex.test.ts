import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openalexQuota, textOfInvertedIndex } from '../../../src/lanes/providers/openalex.ts';
import { splitSentences } from '../../../src/text/split-sentences.ts';
import { askOnce, essenceOf, onlyWeb, outcomeOf, waitFor } from '../../support/lanes/ask-lanes.ts';
import { invertedCases, openalexCases, work, works } from '../../support/lanes/openalex-stub.ts';
import { type StubServer, startStub } from '../../support/lanes/stub-server.ts';
import { commonFaults } from '../../support/lanes/web-stubs.ts';

let stub: StubServer;
beforeAll(async () => {
  stub = await startStub();
});
afterAll(() => stub.close());

const faults = commonFaults.map(([what, how, outcome]) => [what, how, outcome, []] as const);

describe('the web lane on OpenAlex', () => {
  it.each([...openalexCases, ...faults])('handles %s', async (_what, how, outcome, ids) => {
    stub.answer(how);
    const asked = await askOnce({ ...onlyWeb('openalex', stub.url), ...waitFor(outcome) });
    expect(outcomeOf(asked)).toBe(outcome);
    expect(asked.documents.map(({ id }) => id)).toEqual(ids);
  });

  it('reads a work whose abstract is an inverted index', async () => {
    stub.answer(works([work]));
    const { documents } = await askOnce(onlyWeb('openalex', stub.url));
    expect(documents.map(essenceOf)).toEqual([
      {
        id: 'W1',
        title: 'Cats',
        year: 2020,
        authors: ['A. B', 'C, D.'],
        abstract: 'Cats sleep. Dogs sleep.',
      },
    ]);
  });

  it('reads the identifiers of a work', async () => {
    const ids = { mag: '5', pmid: 'https://pubmed.ncbi.nlm.nih.gov/7', pmcid: null };
    stub.answer(works([{ ...work, ids }]));
    const [document] = (await askOnce(onlyWeb('openalex', stub.url))).documents;
    expect(document).toMatchObject({ id: 'PMID:7', identifiers: { openalex: 'W1', pmid: '7' } });
  });

  it('needs no contact address, and sends its key in a header', async () => {
    stub.answer(works([]));
    const settings = {
      ...onlyWeb('openalex', stub.url),
      laneContact: '',
      openalexKey: 'oa-secret',
    };
    await askOnce(settings, 'sleep, memory?');
    const request = stub.requests.at(-1);
    expect(request?.headers['authorization']).toBe('Bearer oa-secret');
    expect(request?.query).toMatchObject({ search: 'sleep OR memory', per_page: '10' });
    expect(JSON.stringify(request?.query)).not.toContain('oa-secret');
    expect(request?.headers['user-agent']).toBe('verbatim/source');
  });
});

it.each(invertedCases)('an inverted index with %s', (_what, index, text) => {
  expect(textOfInvertedIndex(index, splitSentences)).toBe(text);
});

it.each([
  [{ 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': '3600' }, 3_600_000],
  [
    {
      'x-ratelimit-remaining-usd': '0.0004',
      'x-ratelimit-cost-usd': '0.001',
      'x-ratelimit-reset': '60',
    },
    60_000,
  ],
  [{ 'x-ratelimit-remaining-usd': '0', 'x-ratelimit-reset': '60' }, 60_000],
  [
    {
      'x-ratelimit-remaining-usd': '0',
      'x-ratelimit-prepaid-remaining-usd': '5',
      'x-ratelimit-reset': '60',
    },
    undefined,
  ],
  [
    { 'x-ratelimit-remaining': '9', 'x-ratelimit-remaining-usd': '0.5', 'x-ratelimit-reset': '60' },
    undefined,
  ],
  [{ 'x-ratelimit-remaining': '0' }, undefined],
  [{}, undefined],
])("OpenAlex's headers %j are a budget", (headers, exhaustedForMs) => {
  expect(openalexQuota(headers as Record<string, string>).exhaustedForMs).toBe(exhaustedForMs);
});
