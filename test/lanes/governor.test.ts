import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createLog } from '../../src/log.ts';
import { feedOf, paperEntry } from '../support/lanes/arxiv-stub.ts';
import {
  askOne,
  onlyArxiv,
  onlySemanticScholar,
  onlyWeb,
  openLanes,
  outcomeOf,
} from '../support/lanes/ask-lanes.ts';
import { work, works } from '../support/lanes/crossref-stub.ts';
import { papers } from '../support/lanes/semantic-scholar-stub.ts';
import { type StubServer, startStub } from '../support/lanes/stub-server.ts';

let stub: StubServer;
const opened: ReturnType<typeof openLanes>[] = [];
const open: typeof openLanes = (settings, parts) => {
  const lanes = openLanes(settings, parts);
  opened.push(lanes);
  return lanes;
};
beforeEach(async () => {
  stub = await startStub(feedOf([paperEntry]));
});
afterEach(async () => {
  vi.useRealTimers();
  await Promise.all(opened.splice(0).map((lanes) => lanes.close()));
  await stub.close();
});

const within = (ms: number): number => performance.now() + ms;

/** Moves the clock that breaks and pauses are measured by; timers and sockets go on as they do. */
function passTime(ms: number): void {
  vi.setSystemTime(Date.now() + ms);
}

/** Asks once; nobody has asked it before. */
let questions = 0;
const askNew = async (lanes: ReturnType<typeof open>): Promise<string> =>
  outcomeOf(await askOne(lanes, `question ${++questions}`));

describe('pace', () => {
  it('lets arXiv see one request at a time, a gap apart, over one connection', async () => {
    const GAP_MS = 200;
    const hanging = new Set([2, 5]);
    stub.answer((request, index) => {
      if (hanging.has(index)) return { fault: 'hang' };
      return { ...feedOf([paperEntry])(request, index), delayMs: (index * 37) % 90 };
    });
    const lanes = open({ ...onlyArxiv(stub.url), arxivGapMs: GAP_MS, laneTimeoutMs: 150 });
    const asked = Array.from({ length: 9 }, (_, index) =>
      lanes.ask(`question ${index}`, within(20_000)),
    );
    const outcomes = (await Promise.all(asked)).map(({ reports: [report] }) => report?.outcome);
    expect(outcomes.filter((outcome) => outcome === 'answered')).toHaveLength(7);
    const starts = stub.requests.map(({ at }) => at);
    const gaps = starts.slice(1).map((at, index) => at - (starts[index] ?? 0));
    expect(starts).toHaveLength(9);
    expect(Math.min(...gaps)).toBeGreaterThanOrEqual(GAP_MS);
    expect(stub.connections.most).toBe(1);
  });

  it('counts each redirect as a request with a turn of its own', async () => {
    stub.answer((request, index) =>
      index % 2 === 0
        ? { status: 302, headers: { location: `/moved?${new URLSearchParams(request.query)}` } }
        : feedOf([paperEntry])(request, index),
    );
    const lanes = open({ ...onlyArxiv(stub.url), arxivGapMs: 150 });
    expect(await askNew(lanes)).toBe('answered');
    const [first, second] = stub.requests;
    expect((second?.at ?? 0) - (first?.at ?? 0)).toBeGreaterThanOrEqual(150);
  });

  it('skips a lane at once whose turn comes too late', async () => {
    const lanes = open({ ...onlyArxiv(stub.url), arxivGapMs: 60_000 });
    expect(await askNew(lanes)).toBe('answered');
    const { reports } = await lanes.ask('another', within(30_000));
    expect(reports).toMatchObject([{ outcome: 'skipped', reason: 'no_time', documents: 0 }]);
    expect(reports[0]?.milliseconds).toBeLessThan(10_000);
    expect(stub.requests).toHaveLength(1);
  });

  it('skips a lane whose queue is full', async () => {
    stub.answer({ fault: 'hang' });
    const lanes = open({ ...onlyArxiv(stub.url), laneQueueMax: 2 });
    const asked = ['a', 'b', 'c', 'd'].map((word) => lanes.ask(`${word}b ${word}c`, within(1_000)));
    const reasons = (await Promise.all(asked)).map(({ reports: [report] }) => report?.reason);
    expect(reasons[3]).toBe('queue_full');
    expect(reasons[0]).toBe('timeout');
  });

  it('takes what Crossref says of its limits', async () => {
    const headers = {
      'x-rate-limit-limit': '5',
      'x-rate-limit-interval': '1s',
      'x-concurrency-limit': '1',
    };
    stub.answer(() => ({ ...works([work]), headers }));
    const lanes = open({ ...onlyWeb('crossref', stub.url), webConcurrencyMax: 3 });
    await askNew(lanes);
    await Promise.all([askNew(lanes), askNew(lanes), askNew(lanes)]);
    const starts = stub.requests.map(({ at }) => at);
    const gaps = starts.slice(1).map((at, index) => at - (starts[index] ?? 0));
    // Of the first gap the length was not known when it began.
    expect(Math.min(...gaps.slice(1))).toBeGreaterThanOrEqual(200);
  });
});

describe('time', () => {
  it('is over by the deadline where an upstream hangs, and leaves nothing open', async () => {
    stub.answer({ fault: 'hang' });
    const lanes = open({ ...onlyArxiv(stub.url), laneTimeoutMs: 60_000 });
    const { reports } = await lanes.ask('sleep', within(200));
    expect(reports).toMatchObject([{ outcome: 'failed', reason: 'timeout' }]);
    expect(reports[0]?.milliseconds).toBeLessThan(20_000);
    await vi.waitFor(() => expect(stub.connections.open).toBe(0), { timeout: 10_000 });
  });

  it('ends a hanging request when the lanes are closed', async () => {
    stub.answer({ fault: 'hang' });
    const lanes = open({ ...onlyArxiv(stub.url), laneTimeoutMs: 60_000 });
    const asked = lanes.ask('sleep', within(60_000));
    await vi.waitFor(() => expect(stub.requests).toHaveLength(1));
    await lanes.close();
    expect((await asked).reports).toMatchObject([{ outcome: 'failed' }]);
    expect((await lanes.ask('sleep', within(1_000))).reports).toMatchObject([
      { outcome: 'skipped', reason: 'closed' },
    ]);
  });

  it('answers with what the other lanes have', async () => {
    const slow = await startStub({ fault: 'hang' });
    const settings = { arxivUrl: slow.url, semanticScholarUrl: stub.url, crossrefUrl: stub.url };
    stub.answer(({ path }) => (path === '/works' ? works([work]) : papers));
    const lanes = open(settings);
    const { documents, reports } = await lanes.ask('sleep', within(1_000));
    expect(reports.map(({ lane, outcome }) => `${lane} ${outcome}`)).toEqual([
      'arxiv failed',
      'semantic_scholar answered',
      'web answered',
    ]);
    expect(documents.map(({ lane }) => lane)).toEqual([
      ...Array(3).fill('semantic_scholar'),
      'web',
    ]);
    await slow.close();
  });
});

describe('single flight', () => {
  it('asks once for all who ask the same', async () => {
    stub.answer((request, index) => ({ ...feedOf([paperEntry])(request, index), delayMs: 100 }));
    const lanes = open(onlyArxiv(stub.url));
    const ways = ['Does sleep help?', 'does  SLEEP help?', ' does sleep\nhelp? '];
    const answers = await Promise.all(ways.map((way) => askOne(lanes, way)));
    expect(answers.map(outcomeOf)).toEqual(['answered', 'answered', 'answered']);
    expect(answers.map(({ documents }) => documents.length)).toEqual([1, 1, 1]);
    expect(stub.requests).toHaveLength(1);
  });

  it('goes on for who has more time when the first has left', async () => {
    stub.answer((request, index) => ({ ...feedOf([paperEntry])(request, index), delayMs: 300 }));
    const lanes = open(onlyArxiv(stub.url));
    const [first, second] = await Promise.all([
      lanes.ask('sleep', within(100)),
      lanes.ask('sleep', within(20_000)),
    ]);
    expect(first.reports).toMatchObject([{ outcome: 'failed', reason: 'timeout' }]);
    expect(second.reports).toMatchObject([{ outcome: 'answered' }]);
    expect(stub.requests).toHaveLength(1);
  });
});

describe('the circuit breaker', () => {
  it('opens after failures in a row, lets one request try, and closes when that is answered', async () => {
    vi.useFakeTimers({ toFake: ['Date'] });
    stub.answer({ status: 500 });
    const lanes = open({ ...onlyArxiv(stub.url), laneFailuresMax: 3, laneBreakMs: 30_000 });
    const outcomes = [await askNew(lanes), await askNew(lanes)];
    expect(lanes.states()).toMatchObject([{ state: 'degraded' }]);
    outcomes.push(await askNew(lanes), await askNew(lanes));
    expect(outcomes).toEqual([...Array(3).fill('failed: server_error'), 'skipped: circuit_open']);
    expect(lanes.states()).toEqual([
      { lane: 'arxiv', provider: 'arxiv', state: 'open', retryAt: Date.now() + 30_000 },
    ]);
    passTime(29_000);
    expect(await askNew(lanes)).toBe('skipped: circuit_open');
    expect(stub.requests).toHaveLength(3);

    passTime(1_001);
    stub.answer((request, index) => ({ ...feedOf([paperEntry])(request, index), delayMs: 200 }));
    const probe = askNew(lanes);
    await vi.waitFor(() => expect(stub.requests).toHaveLength(4));
    expect(await askNew(lanes)).toBe('skipped: circuit_open');
    expect(await probe).toBe('answered');
    expect(lanes.states()).toMatchObject([{ state: 'ok' }]);
    expect(await askNew(lanes)).toBe('answered');
  });

  it('opens again where the one request fails', async () => {
    vi.useFakeTimers({ toFake: ['Date'] });
    stub.answer({ body: 'rubbish' });
    const lanes = open({ ...onlyArxiv(stub.url), laneFailuresMax: 1, laneBreakMs: 30_000 });
    expect(await askNew(lanes)).toBe('failed: bad_answer');
    passTime(30_001);
    expect(await askNew(lanes)).toBe('failed: bad_answer');
    expect(await askNew(lanes)).toBe('skipped: circuit_open');
    expect(stub.requests).toHaveLength(2);
  });

  it('tells those who wait in the queue', async () => {
    stub.answer({ status: 500, delayMs: 50 });
    const lanes = open({ ...onlyArxiv(stub.url), arxivGapMs: 5_000, laneFailuresMax: 1 });
    const asked = ['aa', 'bb', 'cc'].map((word) => lanes.ask(word, within(60_000)));
    const reasons = (await Promise.all(asked)).map(({ reports: [report] }) => report?.reason);
    expect(reasons).toEqual(['server_error', 'circuit_open', 'circuit_open']);
  });

  it('does not open for questions that a provider refuses', async () => {
    stub.answer({ status: 400, body: '{"error":"no"}' });
    const lanes = open({ ...onlySemanticScholar(stub.url), laneFailuresMax: 1 });
    expect(await askNew(lanes)).toBe('failed: bad_query');
    expect(await askNew(lanes)).toBe('failed: bad_query');
  });
});

describe('too many requests', () => {
  it.each([
    ['seconds', () => '120', 'degraded', 'rate_limited'],
    ['a date', () => new Date(Date.now() + 120_000).toUTCString(), 'degraded', 'rate_limited'],
    ['hours', () => '54000', 'exhausted', 'exhausted'],
  ])('are not sent before the %s of Retry-After are over', async (_what, header, state, reason) => {
    vi.useFakeTimers({ toFake: ['Date'] });
    stub.answer({ status: 429, headers: { 'retry-after': header() } });
    const lanes = open(onlyWeb('openalex', stub.url));
    expect(await askNew(lanes)).toBe('failed: rate_limited');
    expect(lanes.states()).toMatchObject([{ state }]);
    expect(await askNew(lanes)).toBe(`skipped: ${reason}`);
    const retryAt = lanes.states()[0]?.retryAt ?? 0;
    expect(
      Math.abs(retryAt - Date.now() - (state === 'exhausted' ? 54_000_000 : 120_000)),
    ).toBeLessThan(2_000);
    expect(stub.requests).toHaveLength(1);
  });

  it('pause for longer with each in a row where no time is named', async () => {
    vi.useFakeTimers({ toFake: ['Date'] });
    stub.answer({ status: 429, body: 'Rate exceeded.' });
    const lanes = open({ ...onlyArxiv(stub.url), lanePauseMs: 5, lanePauseMsMax: 30 });
    const pauses: number[] = [];
    for (let round = 0; round < 4; round++) {
      expect(await askNew(lanes)).toBe('failed: rate_limited');
      pauses.push((lanes.states()[0]?.retryAt ?? 0) - Date.now());
      passTime(50);
    }
    expect(pauses).toEqual([5, 10, 20, 30]);
  });

  it('never keep a lane away for longer than the limit', async () => {
    stub.answer({ status: 429, headers: { 'retry-after': '999999999' } });
    const lanes = open(onlyWeb('openalex', stub.url));
    await askNew(lanes);
    const retryAt = lanes.states()[0]?.retryAt ?? 0;
    expect(retryAt).toBeLessThanOrEqual(Date.now() + 86_400_000);
  });

  it('are foreseen where the headers say that nothing is left', async () => {
    const headers = { 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': '40000' };
    stub.answer({ body: '{"results":[]}', headers });
    const lanes = open(onlyWeb('openalex', stub.url));
    expect(await askNew(lanes)).toBe('answered');
    expect(await askNew(lanes)).toBe('skipped: exhausted');
    expect(lanes.states()).toMatchObject([
      { lane: 'web', provider: 'openalex', state: 'exhausted' },
    ]);
  });

  it('keep out who was refused', async () => {
    stub.answer({ status: 403, body: 'Forbidden' });
    const lanes = open(onlyWeb('crossref', stub.url));
    expect(await askNew(lanes)).toBe('failed: refused');
    expect(await askNew(lanes)).toBe('skipped: refused');
    expect(stub.requests).toHaveLength(1);
  });
});

describe('a defect', () => {
  it('is logged once, and the lane fails without a word of it', async () => {
    const lines: string[] = [];
    const client = {
      exchange: () => Promise.reject(new TypeError('a defect of ours')),
      close: () => Promise.resolve(),
    };
    const log = createLog((line) => lines.push(line));
    const lanes = open(onlyArxiv(stub.url), { client, log });
    expect(await askNew(lanes)).toBe('failed: internal');
    expect(lines.map((line) => JSON.parse(line))).toMatchObject([
      { level: 'error', event: 'lane_failed', provider: 'arxiv' },
    ]);
    expect(lines[0]).toContain('a defect of ours');
  });
});

it('no lane is on: nothing is asked, and nothing is reported', async () => {
  const lanes = open({ lanes: 'none' });
  expect(await lanes.ask('sleep', within(1_000))).toEqual({ documents: [], reports: [] });
  expect(lanes.states()).toEqual([]);
});
