/** Which responses of lanes are cached, and which never are. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { openStore } from '../../../src/database/open.ts';
import { openLaneStore } from '../../../src/lanes/records/lane-store.ts';
import { readSettings } from '../../../src/settings/config.ts';
import { temporaryFolder } from '../../support/accounts.ts';
import { feedOf, paperEntry } from '../../support/lanes/arxiv-stub.ts';
import {
  askOne,
  onlyArxiv,
  onlySemanticScholar,
  onlyWeb,
  openLanes,
  outcomeOf,
} from '../../support/lanes/ask-lanes.ts';
import { pages } from '../../support/lanes/brave-stub.ts';
import { results } from '../../support/lanes/searxng-stub.ts';
import { endpoints, forbidden } from '../../support/lanes/semantic-scholar-stub.ts';
import { jsonResponse, type StubServer, startStub } from '../../support/lanes/stub-server.ts';

const folder = temporaryFolder();
const HOUR_MS = 3_600_000;
let stub: StubServer;
let files = 0;
beforeAll(async () => {
  stub = await startStub();
});
beforeEach(() => {
  stub.requests.length = 0;
});
afterAll(() => stub.close());

/** Lanes with a cache in a file and a clock that the test moves. */
function openCached(settings: Parameters<typeof openLanes>[0]) {
  const path = join(folder, `${++files}.db`);
  const clock = { now: Date.now() };
  const limits = readSettings({}, {});
  openStore({ path, lockWaitMs: 1_000 }).close();
  const store = openLaneStore({ path, lockWaitMs: 1_000 }, limits, () => clock.now);
  const lanes = openLanes(settings, { cache: store.cache });
  const close = async (): Promise<void> => {
    await lanes.close();
    store.close();
  };
  return { lanes, clock, path, close };
}

describe('a cached response', () => {
  it('serves the same question with the same documents for a day', async () => {
    stub.answer(feedOf([paperEntry]));
    const { lanes, clock, close } = openCached(onlyArxiv(stub.url));
    const first = await askOne(lanes, 'Does sleep help?');
    clock.now += 24 * HOUR_MS - 1;
    const second = await askOne(lanes, 'does sleep  HELP?');
    expect([first, second].map(outcomeOf)).toEqual(['answered', 'cached']);
    expect(second.documents).toEqual(first.documents);
    expect(stub.requests).toHaveLength(1);
    clock.now += 1;
    expect(outcomeOf(await askOne(lanes, 'Does sleep help?'))).toBe('answered');
    expect(stub.requests).toHaveLength(2);
    await close();
  });

  it('may be one without documents', async () => {
    stub.answer(feedOf([]));
    const { lanes, close } = openCached(onlyArxiv(stub.url));
    expect([outcomeOf(await askOne(lanes)), outcomeOf(await askOne(lanes))]).toEqual([
      'answered',
      'cached',
    ]);
    await close();
  });

  it('serves while its provider is backing off', async () => {
    stub.answer([{ body: '{"results":[]}' }, { status: 429, headers: { 'retry-after': '9000' } }]);
    const { lanes, close } = openCached(onlyWeb('openalex', stub.url));
    expect(outcomeOf(await askOne(lanes, 'sleep'))).toBe('answered');
    expect(outcomeOf(await askOne(lanes, 'memory'))).toBe('failed: rate_limited');
    expect(outcomeOf(await askOne(lanes, 'sleep'))).toBe('cached');
    await close();
  });

  it('serves every question that leads to the same request', async () => {
    stub.answer(feedOf([paperEntry]));
    const { lanes, close } = openCached(onlyArxiv(stub.url));
    const ways = [
      'Does sleep help memory?',
      'sleep: help (memory)!',
      'How does the sleep help memory',
    ];
    const outcomes = [];
    for (const way of ways) outcomes.push(outcomeOf(await askOne(lanes, way)));
    expect(outcomes).toEqual(['answered', 'cached', 'cached']);
    expect(stub.requests).toHaveLength(1);
    await close();
  });

  it('may be one that came too late for its search', async () => {
    stub.answer((request, index) => ({ ...feedOf([paperEntry])(request, index), delayMs: 200 }));
    const { lanes, close } = openCached(onlyArxiv(stub.url));
    const { reports } = await lanes.ask('does sleep help memory', performance.now() + 50);
    expect(reports).toMatchObject([{ outcome: 'late' }]);
    const late = new Promise<void>((resolve) => lanes.onLateDocuments(() => resolve()));
    await late;
    expect(outcomeOf(await askOne(lanes))).toBe('cached');
    expect(stub.requests).toHaveLength(1);
    await close();
  });

  it('is the full one of Semantic Scholar, even if searches had only the first half', async () => {
    const paper = { paperId: 'x', title: 'T', abstract: 'One.' };
    stub.answer(endpoints({ batch: { ...jsonResponse([paper]), delayMs: 1_500 } }));
    const { lanes, close } = openCached(onlySemanticScholar(stub.url, 'key'));
    const late = new Promise<unknown>((resolve) => lanes.onLateDocuments(resolve));
    const ask = async () => {
      const { documents } = await lanes.ask('sleep', performance.now() + 20);
      return documents.map(({ abstract }) => abstract);
    };
    await expect.poll(ask).toEqual(['']);
    await late;
    const whole = await askOne(lanes, 'sleep');
    expect(outcomeOf(whole)).toBe('cached');
    expect(whole.documents[0]?.abstract).toBe('One.');
    expect(stub.requests).toHaveLength(2);
    await close();
  });

  it('is found again without the rejected key', async () => {
    stub.answer(endpoints({ snippets: forbidden }));
    const { lanes, close } = openCached(onlySemanticScholar(stub.url, 'key'));
    const outcomes = [outcomeOf(await askOne(lanes)), outcomeOf(await askOne(lanes))];
    expect(outcomes).toEqual(['answered', 'cached']);
    expect(stub.requests).toHaveLength(2);
    await close();
  });

  it('does not reveal the question to a reader of the file', async () => {
    stub.answer(feedOf([paperEntry]));
    const { lanes, path, close } = openCached(onlyArxiv(stub.url));
    await askOne(lanes, 'zzquestionzz');
    await close();
    const file = readFileSync(path);
    expect(file.includes('zzquestionzz')).toBe(false);
    expect(file.includes('Sleep and memory in A & B mice')).toBe(true);
  });
});

describe('a response that is not cached', () => {
  it.each([
    ['failed', { status: 500 }],
    ['never arrived', { fault: 'hang' } as const],
  ])('is one of Semantic Scholar whose second half %s', async (_how, batch) => {
    stub.answer(endpoints({ batch }));
    const limit = { laneTimeoutMs: 1_000 };
    const { lanes, close } = openCached({ ...onlySemanticScholar(stub.url, 'key'), ...limit });
    const half = await askOne(lanes);
    expect(outcomeOf(half)).toBe('answered');
    expect(half.documents).toHaveLength(1);
    stub.answer(endpoints({}));
    expect(outcomeOf(await askOne(lanes))).toBe('answered');
    expect(outcomeOf(await askOne(lanes))).toBe('cached');
    await close();
  });

  it('is a failure', async () => {
    stub.answer([{ status: 500 }, { body: 'rubbish' }, { fault: 'reset' }]);
    const { lanes, close } = openCached(onlyArxiv(stub.url));
    const outcomes = [];
    for (let times = 0; times < 3; times++) outcomes.push(outcomeOf(await askOne(lanes)));
    expect(outcomes).toEqual(['failed: server_error', 'failed: bad_answer', 'failed: unreachable']);
    await close();
  });

  const page = { url: 'https://ex.org/zzpagezz', title: 'zzpagezz' };
  it.each([
    ['brave', pages([{ ...page, description: 'zzpagezz is here.' }])],
    ['searxng', results([{ ...page, content: 'zzpagezz is here.' }])],
  ])('is any response of %s', async (provider, answer) => {
    stub.answer(answer);
    const { lanes, path, close } = openCached(onlyWeb(provider, stub.url));
    const asked = [await askOne(lanes), await askOne(lanes)];
    expect(asked.map(outcomeOf)).toEqual(['answered', 'answered']);
    expect(asked[0]?.documents[0]?.isStorable).toBe(false);
    await close();
    expect(readFileSync(path).includes('zzpagezz')).toBe(false);
  });
});
