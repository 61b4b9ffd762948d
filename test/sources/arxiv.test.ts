/** arXiv as a source, from a stub of its OAI-PMH interface. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { htmlPage } from '../support/lanes/stub-server.ts';
import { newSourceWorld } from './source-world.ts';
import { type ArxivOaiStub, startArxivOai } from './stubs/arxiv-oai-stub.ts';

let stub: ArxivOaiStub;
beforeEach(async () => {
  stub = await startArxivOai([1, 2, 3, 4, 5].map((number) => paper(number)));
});
afterEach(() => stub.close());

function paper(number: number, { changed = '2024-02-01', places = number } = {}) {
  return {
    id: `2401.0000${number}`,
    title: `A study of tides on the coast of island number ${number}`,
    abstract: `We measured the tide at ${places} places.`,
    changed,
  };
}

const idsOf = (papers: object): string[] => Object.keys(papers).map((id) => id.slice(-1));
const add = (more: readonly string[] = []): string[] => [
  ...['add', 'arxiv', '--set', 'cs', '--url', `${stub.url}/oai`, '--yes', ...more],
];

it('is fetched page by page, and later only as far as it changed', async () => {
  const world = await newSourceWorld();
  const { stdout, stderr } = await world.run(add(['--from', '2024-01-01']));
  expect(stderr).toContain('contacts');
  expect(stderr).toContain('the contact address ada@example.org');
  expect(stdout).toContain('arxiv-cs: done, 5 papers, 3 requests');
  expect(stub.requests[0]?.headers['user-agent']).toContain('mailto:ada@example.org');
  expect(stub.requests[0]?.query).toEqual({
    verb: 'ListRecords',
    metadataPrefix: 'arXiv',
    set: 'cs',
    from: '2024-01-01',
  });
  expect(await world.source()).toMatchObject({
    name: 'arxiv-cs',
    position: { from: '2026-11-01' },
    state: { papers: 5, abstracts: 5, run: { outcome: 'done' } },
  });
  stub.records[0] = paper(1, { changed: '2026-11-02', places: 70 });
  stub.records[1] = { ...paper(2, { changed: '2026-11-02' }), isDeleted: true };
  stub.records.push(paper(6, { changed: '2026-11-02' }));
  stub.today = '2026-11-03';
  expect((await world.run(['update'])).stdout).toContain('5 papers, 2 requests');
  const papers = world.papers();
  expect(idsOf(papers)).toEqual(['1', '3', '4', '5', '6']);
  expect(papers['arXiv:2401.00001']?.[1] ?? papers['2401.00001']?.[1]).toContain('at 70 places');
  // Nothing changed since.
  expect((await world.run(['update'])).stdout).toContain('done, 5 papers, 1 request');
  expect((await world.source()).position).toEqual({ from: '2026-11-03' });
});

it('starts the list over when its token has expired', async () => {
  const world = await newSourceWorld();
  await world.run([...add(), '--later']);
  let requests = 0;
  const answer = stub.requests.push.bind(stub.requests);
  stub.requests.push = (...items) => {
    if (++requests === 2) stub.expireTokens();
    return answer(...items);
  };
  expect((await world.run(['update'])).stdout).toContain('5 papers, 5 requests');
});

describe('a provider that is not well', () => {
  it.each([
    ['a page of HTML', { body: htmlPage }],
    ['half a page', { body: '<?xml version="1.0"?><OAI-PMH><ListRecords><record>' }],
    ['an error of the server', { status: 500 }],
    ['503 with Retry-After', { status: 503, headers: { 'retry-after': '0' } }],
    ['a connection that breaks', { fault: 'reset' as const }],
  ])('is asked once more after %s', async (_, fault) => {
    const world = await newSourceWorld();
    await world.run([...add(), '--later']);
    stub.failOnce(fault);
    expect((await world.run(['update'])).stdout).toContain('done, 5 papers, 4 requests');
  });

  it('is left alone as long as it asks for', async () => {
    const world = await newSourceWorld();
    await world.run([...add(), '--later']);
    stub.failOnce({ status: 429, headers: { 'retry-after': String(15 * 3600) } });
    await world.run(['update'], 1);
    const { state } = await world.source();
    expect(state).toMatchObject({ failures: 0, run: { outcome: 'postponed' } });
    const hours = ((state.retryAt ?? 0) - Date.now()) / 3_600_000;
    expect(hours).toBeGreaterThan(14.9);
    await world.run(['update']);
    expect(stub.requests).toHaveLength(1);
  });

  it('fails the run after five attempts, and the next run goes on', async () => {
    const world = await newSourceWorld();
    await world.run([...add(), '--later']);
    for (let count = 0; count < 5; count++) stub.failOnce({ status: 500 });
    expect((await world.run(['update'], 1)).stderr).toContain('arxiv-cs: status 500');
    expect(await world.source()).toMatchObject({ position: null, state: { failures: 1 } });
    expect((await world.run(['update'])).stdout).toContain('done, 5 papers');
    expect((await world.source()).state.failures).toBe(0);
  });
});

it('keeps the abstract of a record that comes back without one', async () => {
  const world = await newSourceWorld();
  await world.run(add());
  stub.records[0] = { ...paper(1, { changed: '2026-11-02' }), abstract: '' };
  await world.run(['update']);
  expect(Object.values(world.papers())[0]?.[1]).toContain('at 1 places');
});

describe('a run that would change too much', () => {
  const many = (changed: string, title: (number: number) => string) =>
    Array.from({ length: 30 }, (_, number) => ({
      ...paper(number, { changed }),
      id: `2402.${String(number).padStart(5, '0')}`,
      title: title(number),
    }));

  it('stops before it gives most papers other titles', async () => {
    const world = await newSourceWorld();
    stub.perPage = 20;
    stub.records = many('2024-02-01', (number) => `A study of tides on island ${number}`);
    await world.run(add());
    stub.records = many('2026-11-02', (number) => `Whales sing near harbor ${number}`);
    const { stderr } = await world.run(['update'], 1);
    expect(stderr).toMatch(/would get other titles; in .*"Whales sing near harbor 0"/);
    expect((await world.source()).state.run?.outcome).toBe('stopped');
    expect(Object.values(world.papers())[0]?.[0]).toContain('tides');
    await world.run(['update', '--accept']);
    expect(Object.values(world.papers())[0]?.[0]).toContain('Whales');
  });

  it('stops before it removes most papers', async () => {
    const world = await newSourceWorld();
    stub.records = many('2024-02-01', (number) => `A study of tides on island ${number}`);
    await world.run(add());
    stub.records = stub.records.map((one) => ({ ...one, changed: '2026-11-02', isDeleted: true }));
    expect((await world.run(['update'], 1)).stderr).toMatch(
      /16 of 30 papers would go, such as arxiv:2402/,
    );
    expect(Object.keys(world.papers()).length).toBeGreaterThan(14);
    await world.run(['update', '--accept']);
    expect(world.papers()).toEqual({});
  });
});
