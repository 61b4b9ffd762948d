import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { arxivQuery } from '../../../src/lanes/providers/arxiv.ts';
import { arxivCases, feedOf, paperEntry } from '../../support/lanes/arxiv-stub.ts';
import { askOnce, onlyArxiv, outcomeOf, waitFor } from '../../support/lanes/ask-lanes.ts';
import { type StubServer, startStub } from '../../support/lanes/stub-server.ts';

let stub: StubServer;
beforeAll(async () => {
  stub = await startStub();
});
afterAll(() => stub.close());

describe('the arXiv lane', () => {
  it.each(arxivCases)('handles %s', async (_what, how, outcome, ids) => {
    stub.answer(how);
    const asked = await askOnce({ ...onlyArxiv(stub.url), ...waitFor(outcome) });
    expect(outcomeOf(asked)).toBe(outcome);
    expect(asked.documents.map(({ id }) => id)).toEqual(ids);
    expect(asked.report.documents).toBe(ids.length);
  });

  it('reads all fields of a paper', async () => {
    stub.answer(feedOf([paperEntry]));
    const [document] = (await askOnce(onlyArxiv(stub.url))).documents;
    expect(document).toEqual({
      id: '10.1000/abc',
      lane: 'arxiv',
      identifiers: { doi: '10.1000/abc', arxiv: '2401.00001' },
      title: 'Sleep and memory in A & B mice',
      abstract: 'We show $x < 1$ in Fig. 2, e.g. for mice. Sleep holds 0.30 \\pm 0.04 of it.',
      year: 2024,
      authors: ['Ada van der Berg', 'H1 Collaboration'],
      venue: 'J. Sleep 1 (2024)',
      isStorable: true,
      sentences: undefined,
      excerpt: undefined,
      provider: 'arxiv',
      withheld: undefined,
      notices: [],
    });
  });

  it('sends the contact address and the query in one request', async () => {
    stub.answer(feedOf([]));
    const before = stub.requests.length;
    await askOnce(onlyArxiv(stub.url), 'Does "sleep" (or TNF-alpha) help: memory?');
    expect(stub.requests.length).toBe(before + 1);
    const request = stub.requests.at(-1);
    expect(request?.headers['user-agent']).toBe('verbatim/source (mailto:ops@example.org)');
    expect(request?.path).toBe('/api/query');
    expect(request?.query).toEqual({
      search_query: 'all:sleep OR all:tnf OR all:alpha OR all:help OR all:memory',
      start: '0',
      max_results: '10',
      sortBy: 'relevance',
      sortOrder: 'descending',
    });
  });

  it('is skipped if a question has no words', async () => {
    const before = stub.requests.length;
    expect(outcomeOf(await askOnce(onlyArxiv(stub.url), '?! ()'))).toBe('skipped: no_words');
    expect(stub.requests.length).toBe(before);
  });
});

it.each([
  ['sleep', 'all:sleep'],
  ['ti:sleep AND au:"ada"', 'all:ti OR all:sleep OR all:au OR all:ada'],
  [
    'memory) OR (submittedDate:[2020 TO 2021]',
    'all:memory OR all:submitteddate OR all:2020 OR all:2021',
  ],
  ['α-synuclein naïve', 'all:α OR all:synuclein OR all:naive'],
  ['one two three four five six', 'all:one OR all:two OR all:three OR all:four'],
])('arXiv is asked for the words of %j', (question, searchQuery) => {
  expect(arxivQuery(question, 4)).toBe(searchQuery);
});

describe('a paper', () => {
  it.each([
    ['This paper has been withdrawn by the author due to an error.', true],
    ['This paper was temporarily withdrawn.', true],
    ['(Withdrawn by the authors.)', true],
    ['Paper withdrawn.', true],
    ['The article is withdrawn', true],
    ['This paper studies patients who were withdrawn from a trial.', false],
    ['Withdrawal of sleep harms memory.', false],
    ['We show that support was withdrawn.', false],
  ])('whose abstract is %j is withdrawn: %j', async (summary, isWithdrawn) => {
    stub.answer(feedOf([{ ...paperEntry, summary }]));
    const { documents } = await askOnce(onlyArxiv(stub.url));
    expect(documents).toHaveLength(isWithdrawn ? 0 : 1);
  });
});
