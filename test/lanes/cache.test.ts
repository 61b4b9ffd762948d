/** What of the lanes' answers is kept, and what never is. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { readSettings } from '../../src/config.ts';
import { openLaneCache } from '../../src/store/lane-cache.ts';
import { temporaryFolder } from '../support/accounts.ts';
import { feedOf, paperEntry } from '../support/lanes/arxiv-stub.ts';
import { askOne, onlyArxiv, onlyWeb, openLanes, outcomeOf } from '../support/lanes/ask-lanes.ts';
import { pages } from '../support/lanes/brave-stub.ts';
import { results } from '../support/lanes/searxng-stub.ts';
import { type StubServer, startStub } from '../support/lanes/stub-server.ts';

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

/** Lanes with a cache in a file, whose clock can be turned. */
function openCached(settings: Parameters<typeof openLanes>[0]) {
  const path = join(folder, `${++files}.db`);
  const clock = { now: Date.now() };
  const limits = readSettings({}, {});
  const cache = openLaneCache({ path, lockWaitMs: 1_000 }, limits, () => clock.now);
  const lanes = openLanes(settings, { cache });
  const close = async (): Promise<void> => {
    await lanes.close();
    cache.close();
  };
  return { lanes, clock, path, close };
}

describe('an answer that may be kept', () => {
  it('serves the same question for a day, with the same documents', async () => {
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

  it('is kept too where it is that there is nothing', async () => {
    stub.answer(feedOf([]));
    const { lanes, close } = openCached(onlyArxiv(stub.url));
    expect([outcomeOf(await askOne(lanes)), outcomeOf(await askOne(lanes))]).toEqual([
      'answered',
      'cached',
    ]);
    await close();
  });

  it('serves while its provider is left alone', async () => {
    stub.answer([{ body: '{"results":[]}' }, { status: 429, headers: { 'retry-after': '9000' } }]);
    const { lanes, close } = openCached(onlyWeb('openalex', stub.url));
    expect(outcomeOf(await askOne(lanes, 'sleep'))).toBe('answered');
    expect(outcomeOf(await askOne(lanes, 'memory'))).toBe('failed: rate_limited');
    expect(outcomeOf(await askOne(lanes, 'sleep'))).toBe('cached');
    await close();
  });

  it('does not tell the question to who reads the file', async () => {
    stub.answer(feedOf([paperEntry]));
    const { lanes, path, close } = openCached(onlyArxiv(stub.url));
    await askOne(lanes, 'zzquestionzz');
    await close();
    const file = readFileSync(path);
    expect(file.includes('zzquestionzz')).toBe(false);
    expect(file.includes('Sleep and memory in A & B mice')).toBe(true);
  });
});

describe('what is not kept', () => {
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
  ])('is anything of %s', async (provider, answer) => {
    stub.answer(answer);
    const { lanes, path, close } = openCached(onlyWeb(provider, stub.url));
    const asked = [await askOne(lanes), await askOne(lanes)];
    expect(asked.map(outcomeOf)).toEqual(['answered', 'answered']);
    expect(asked[0]?.documents[0]?.isStorable).toBe(false);
    await close();
    expect(readFileSync(path).includes('zzpagezz')).toBe(false);
  });
});
