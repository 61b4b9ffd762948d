import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { askOnce, essenceOf, onlyWeb, outcomeOf, waitFor } from '../../support/lanes/ask-lanes.ts';
import { result, results, searxngCases } from '../../support/lanes/searxng-stub.ts';
import { type StubServer, startStub } from '../../support/lanes/stub-server.ts';
import { commonFaults } from '../../support/lanes/web-stubs.ts';

let stub: StubServer;
beforeAll(async () => {
  stub = await startStub();
});
afterAll(() => stub.close());

const faults = commonFaults.map(([what, how, outcome]) => [what, how, outcome, []] as const);

describe('the web lane on SearXNG', () => {
  it.each([...searxngCases, ...faults])('handles %s', async (_what, how, outcome, ids) => {
    stub.answer(how);
    const asked = await askOnce({ ...onlyWeb('searxng', stub.url), ...waitFor(outcome) });
    expect(outcomeOf(asked)).toBe(outcome);
    expect(asked.documents.map(({ id }) => id)).toEqual(ids);
  });

  it('quotes only whole sentences, as an excerpt', async () => {
    stub.answer(results([result]));
    const { documents } = await askOnce(onlyWeb('searxng', stub.url));
    expect(documents.map(essenceOf)).toEqual([
      {
        id: '10.1000/x',
        title: 'Sleep',
        year: 2021,
        authors: ['A B'],
        abstract: '',
        quotable: ['Sleep helps memory.'],
      },
    ]);
    expect(documents[0]?.isStorable).toBe(false);
  });

  it('asks an instance with a path, without marks that select an engine', async () => {
    stub.answer(results([]));
    await askOnce(onlyWeb('searxng', `${stub.url}/searx/`), '!!g :fr !images sleep -nap "memory"');
    const request = stub.requests.at(-1);
    expect(request?.path).toBe('/searx/search');
    expect(request?.query).toEqual({
      q: 'g fr images sleep nap memory',
      format: 'json',
      categories: 'science',
      language: 'en',
      pageno: '1',
    });
  });
});
