import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { askOnce, essenceOf, onlyWeb, outcomeOf, waitFor } from '../../support/lanes/ask-lanes.ts';
import { article, europepmcCases, results } from '../../support/lanes/europepmc-stub.ts';
import { type StubServer, startStub } from '../../support/lanes/stub-server.ts';
import { commonFaults } from '../../support/lanes/web-stubs.ts';

let stub: StubServer;
beforeAll(async () => {
  stub = await startStub();
});
afterAll(() => stub.close());

const faults = commonFaults.map(([what, how, outcome]) => [what, how, outcome, [], {}] as const);

describe('the web lane on Europe PMC', () => {
  it.each([...europepmcCases, ...faults])(
    'meets %s',
    async (_what, how, outcome, ids, withheld) => {
      stub.answer(how);
      const asked = await askOnce({ ...onlyWeb('europepmc', stub.url), ...waitFor(outcome) });
      expect(outcomeOf(asked)).toBe(outcome);
      expect(asked.documents.map(({ id }) => id)).toEqual(ids);
      expect(asked.withheld).toEqual(withheld);
    },
  );

  it('reads an article without its tags and headings, with its identifiers', async () => {
    stub.answer(results([article]));
    const { documents } = await askOnce(onlyWeb('europepmc', stub.url));
    expect(documents.map(essenceOf)).toEqual([
      {
        id: '10.1000/sleep.1',
        title: 'Sleep in vivo: effects of H2O.',
        year: 2021,
        authors: ['Anna Maria Berg', 'Dahl B', 'The Night Group'],
        abstract: 'Sleep helps at p < 0.05.\n\nIt does so at night.',
      },
    ]);
    expect(documents).toMatchObject([
      {
        lane: 'web',
        provider: 'europepmc',
        venue: 'Journal of sleep',
        isStorable: true,
        identifiers: { doi: '10.1000/sleep.1', pmid: '33301246', pmcid: 'PMC7745181' },
      },
    ]);
  });

  it('takes no placeholder for an abstract or an author', async () => {
    const authorList = { author: [{ fullName: 'Dahl B' }, { fullName: 'nan' }] };
    stub.answer(results([{ ...article, authorList, abstractText: '[No abstract available]' }]));
    const { documents } = await askOnce(onlyWeb('europepmc', stub.url));
    expect(documents).toMatchObject([{ abstract: '', authors: ['Dahl B'] }]);
  });

  it('asks for words of title and abstract, none of which can be an operator', async () => {
    stub.answer(results([]));
    await askOnce(
      { ...onlyWeb('europepmc', `${stub.url}/europepmc/rest/`) },
      'does "sleep" NOT help: memory (AUTH:x OR *)?',
    );
    const request = stub.requests.at(-1);
    expect(request?.path).toBe('/europepmc/rest/search');
    expect(request?.query).toEqual({
      query:
        '(TITLE_ABS:sleep OR TITLE_ABS:help OR TITLE_ABS:memory OR TITLE_ABS:auth) AND HAS_ABSTRACT:y',
      resultType: 'core',
      format: 'json',
      pageSize: '10',
    });
  });
});
