/** Sources from Crossref, fetched from a stub of its REST API. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { wholeSelection } from '../../src/ingest/selection/selection.ts';
import { LaneFailure } from '../../src/lanes/lane/lane-errors.ts';
import { readSettings } from '../../src/settings/config.ts';
import { SourcePostponed } from '../../src/sources/ports/provider.ts';
import { crossrefProvider } from '../../src/sources/providers/crossref.ts';
import { announce } from '../../src/sources/providers.ts';
import { htmlPage, jsonResponse, type StubAnswer } from '../support/lanes/stub-server.ts';
import { withLimits } from '../support/limits.ts';
import { runCommand } from '../support/verbatim.ts';
import { type Collected, collectSteps } from './collect-steps.ts';
import {
  type CrossrefStub,
  type CrossrefWork,
  expired,
  startCrossref,
} from './stubs/crossref-stub.ts';

let stub: CrossrefStub;
beforeAll(async () => {
  stub = await startCrossref();
});
afterAll(() => stub.close());

const work = (number: number, own: Partial<CrossrefWork> = {}): CrossrefWork => ({
  doi: `10.5555/tide.${number}`,
  abstract: `The tide on island ${number} rises by ${number} meters.`,
  created: `201${number}-05-01`,
  updated: '2026-01-01',
  ...own,
});

beforeEach(() => {
  stub.faults.length = 0;
  stub.works = [1, 2, 3, 4, 5].map((number) => work(number));
  stub.asked();
});

/** Two works a page. */
const run = (own: Partial<Parameters<typeof collectSteps>[1]> = {}) =>
  collectSteps(crossrefProvider, {
    now: () => Date.parse('2026-11-02T00:30:00Z'),
    options: { url: stub.url },
    ...own,
    settings: { crossrefRowsMax: 2, ...own.settings },
  });

const last = ({ positions }: Collected) => positions.at(-1);
const doisOf = ({ texts }: Pick<Collected, 'texts'>): string[] =>
  texts.flatMap((text) => JSON.parse(text).message.items.map(({ DOI }: { DOI: string }) => DOI));
const all = [1, 2, 3, 4, 5].map((number) => work(number).doi);

describe('the crossref source', () => {
  it('fetches all works with an abstract, later what changed', async () => {
    const { abstract: _, ...bare } = work(6);
    stub.works.push(bare, work(7, { published: '2019-12-31' }), work(8, { issn: '1234-5678' }));
    const options = { url: `${stub.url}/`, from: '2020', filter: 'issn:1234-5678' };
    for (const each of stub.works.slice(0, 5)) each.issn = '1234-5678';
    const first = await run({ options });
    expect(doisOf(first)).toEqual([...all, '10.5555/tide.8']);
    // What was deposited in the last hour may not be found yet.
    expect(last(first)).toEqual({ since: '2026-11-01' });
    const [asked, ...more] = stub.asked();
    expect(more).toHaveLength(2);
    expect(asked).toEqual({
      filter:
        'from-created-date:2000-01-01,until-created-date:2026-11-01,has-abstract:true,' +
        'from-pub-date:2020-01-01,issn:1234-5678',
      rows: '2',
      cursor: '*',
      mailto: 'ada@example.org',
    });

    (stub.works[1] as CrossrefWork).updated = '2026-11-01';
    const later = await run({ options, position: last(first) });
    expect(doisOf(later)).toEqual(['10.5555/tide.2']);
    expect(stub.asked().map(({ filter, select }) => [filter, select])).toEqual([
      [
        expect.stringContaining(',from-update-date:2026-11-01,has-abstract:true,from-pub'),
        undefined,
      ],
      [expect.stringMatching(/,from-update-date:2026-11-01,is-update:true$/), 'DOI,update-to'],
    ]);
  });

  it('asks only for the years and types that the source keeps', async () => {
    const published = ['2018-01-01', '2020-03-01', '2021-12-31', '2022-01-01', '2021-05-01'];
    stub.works = published.map((day, at) => work(at + 1, { published: day }));
    (stub.works[4] as CrossrefWork).type = 'book-chapter';
    const selection = {
      ...wholeSelection,
      years: { from: 2020, to: 2021, withUnknown: false },
      types: ['journalarticle'],
    };
    expect(doisOf(await run({ selection }))).toEqual(all.slice(1, 3));
    expect(stub.asked()[0]?.['filter']).toContain(
      ',from-pub-date:2020-01-01,until-pub-date:2021-12-31,type:journal-article',
    );
    // Crossref takes any of several types, and has no type "sonnet".
    await run({ selection, options: { url: stub.url, filter: 'type:book-chapter' } });
    await run({ selection: { ...selection, types: ['journalarticle', 'sonnet'] } });
    const asked = stub.asked().map(({ filter }) => filter);
    expect(asked.map((filter) => filter?.includes('type:journal-article'))).toEqual(
      asked.map(() => false),
    );
  });

  it('fetches new notices about works, which have no abstract', async () => {
    const { abstract: _, ...notice } = work(9, { updated: '2026-11-02' });
    stub.works.push({ ...notice, updates: { doi: '10.5555/tide.1', type: 'retraction' } });
    const { steps, texts } = await run({ position: { since: '2026-11-01' } });
    expect(steps).toEqual(['saved', 'notices', 'saved']);
    expect(JSON.parse(texts[0] as string).message.items).toEqual([
      { DOI: '10.5555/tide.9', 'update-to': [expect.objectContaining({ type: 'retraction' })] },
    ]);
  });

  it('lists few works at a time', async () => {
    const whole = await run({ settings: { crossrefListingMax: 2 } });
    expect(doisOf(whole)).toEqual(all);
    const days = stub.asked().map(({ filter }) => filter?.replace(/,has-abstract.*/, ''));
    // No listing is longer than a page, so none is asked for twice but those that were too long.
    expect(new Set(days).size).toBe(days.length);
    expect(days.length).toBeLessThan(20);

    stub.works = [1, 2, 3].map((number) => work(number, { created: '2020-02-29' }));
    expect(doisOf(await run({ settings: { crossrefListingMax: 2 } }))).toEqual(all.slice(0, 3));
  });

  it('goes on from each position', async () => {
    const settings = { crossrefListingMax: 2 };
    const { steps } = await run({ settings });
    for (let stepsMax = 1; stepsMax < steps.length; stepsMax++) {
      const killed = await run({ settings, stepsMax });
      const rest = await run({ settings, position: last(killed) });
      expect([...new Set([...doisOf(killed), ...doisOf(rest)])]).toEqual(all);
      expect(last(rest)).toEqual({ since: '2026-11-01' });
    }
  });

  const withoutItems = (right: StubAnswer): StubAnswer => {
    const answer = JSON.parse(String(right.body));
    return jsonResponse({ ...answer, message: { ...answer.message, items: [] } });
  };
  it.each<[string, (right: StubAnswer) => StubAnswer, requests: number]>([
    ['an expired cursor', () => expired, 5],
    ['an empty page', withoutItems, 5],
    // The cursor has moved on, so works are missing at the end.
    ['a lost page', () => ({ status: 503 }), 7],
    ['a web page', () => ({ body: htmlPage }), 7],
    ['a page that breaks off', ({ body = '' }) => ({ body: body.slice(0, 99) }), 7],
    ['JSON of something else', () => jsonResponse({ status: 'ok', message: {} }), 7],
  ])('gets over %s', async (_, fault, requests) => {
    stub.faults.push((right) => right, fault);
    const { error, ...collected } = await run();
    expect({ error, dois: new Set(doisOf(collected)) }).toEqual({
      error: undefined,
      dois: new Set(all),
    });
    expect(stub.asked()).toHaveLength(requests);
  });

  it('follows a redirect', async () => {
    const location = '/works?filter=has-abstract:true&rows=2&cursor=*';
    stub.faults.push(() => ({ status: 301, headers: { location } }));
    expect(doisOf(await run())).toEqual(all);
    expect(stub.asked()).toHaveLength(4);
  });

  it('gets over a page that comes twice', async () => {
    let before: StubAnswer = {};
    const keep = (right: StubAnswer): StubAnswer => {
      before = right;
      return right;
    };
    stub.faults.push(keep, () => before);
    const { error, ...collected } = await run();
    expect({ error, dois: new Set(doisOf(collected)) }).toEqual({
      error: undefined,
      dois: new Set(all),
    });
  });

  it('gives up when each cursor has expired', async () => {
    for (let times = 0; times < 9; times++)
      stub.faults.push(
        (right) => right,
        () => expired,
      );
    const { error } = await run();
    expect(String(error)).toContain("Crossref's listing broke off 4 times");
    expect(stub.asked()).toHaveLength(8);
  });

  it('says so when the filter is wrong', async () => {
    const { error } = await run({ options: { url: stub.url, filter: 'color:red' } });
    expect(error).toBeInstanceOf(LaneFailure);
    expect(String(error)).toContain('is the filter right?');
    expect(stub.asked()).toHaveLength(1);
  });

  it('ends when it is asked to wait for hours', async () => {
    stub.faults.push(() => ({ status: 429, headers: { 'retry-after': '54000' } }));
    const { error } = await run();
    expect((error as SourcePostponed).until - Date.now()).toBeGreaterThan(14 * 3_600_000);
    expect(error).toBeInstanceOf(SourcePostponed);
  });

  it.each([
    ['VERBATIM_LANE_CONTACT', {}, ''],
    ['--from must be', { from: 'May 2020' }, 'ada@example.org'],
    ['has-abstract', { filter: 'issn:1234-5678,has-abstract:false' }, 'ada@example.org'],
    ['from-created-date', { filter: 'from-created-date:2020' }, 'ada@example.org'],
  ])('rejects options: %s', (problem, options, laneContact) => {
    const settings = readSettings({ laneContact }, {});
    const source = { provider: 'crossref', options } as const;
    expect(() => announce(source, settings)).toThrow(problem);
  });
});

it('indexes works, and a notice that takes one back', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'verbatim-sources-'));
  const db = ['--db', join(folder, 'verbatim.db'), '--json'];
  const source = async (args: string[]) => {
    const limits = withLimits({ webGapMs: 1, laneBackoffMs: 1 });
    const env = { VERBATIM_LANE_CONTACT: 'ada@example.org', ...limits };
    const { stdout } = await runCommand(['source', ...args, ...db], { env });
    const [{ state }] = JSON.parse(stdout);
    return { outcome: state.run.outcome, papers: state.papers, requests: state.run.requests };
  };
  try {
    const added = await source(['add', 'crossref', '--url', stub.url, '--language', 'en', '--yes']);
    expect(added).toEqual({ outcome: 'done', papers: 5, requests: 1 });
    const { abstract: _, ...notice } = work(9, { updated: '2999-01-01' });
    const correction = { ...notice, doi: '10.5555/tide.10' };
    stub.works.push(
      { ...notice, updates: { doi: '10.5555/tide.1', type: 'retraction' } },
      { ...correction, updates: { doi: '10.5555/unknown', type: 'correction' } },
    );
    expect(await source(['update'])).toEqual({ outcome: 'done', papers: 5, requests: 2 });
    const { stdout } = await runCommand(['paper', '10.5555/tide.1', ...db]);
    const retraction = { kind: 'retraction', id: '10.5555/tide.9' };
    expect(JSON.parse(stdout).papers).toEqual([
      expect.objectContaining({
        retraction: expect.objectContaining(retraction),
      }),
    ]);
  } finally {
    await rm(folder, { recursive: true });
  }
});
