import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { createLog } from '../../../src/log.ts';
import { feedOf, paperEntry } from '../../support/lanes/arxiv-stub.ts';
import { askOne, onlyArxiv, onlyWeb, outcomeOf } from '../../support/lanes/ask-lanes.ts';
import { work, works } from '../../support/lanes/crossref-stub.ts';
import { papers } from '../../support/lanes/semantic-scholar-stub.ts';
import { startStub } from '../../support/lanes/stub-server.ts';
import { heldAnswer, useStub, within } from '../../support/lanes/use-stub.ts';
import { PATIENT } from '../../support/patient.ts';

const lanesOn = useStub();
const { open, askNew, newQuestion } = lanesOn;

describe('the rate limit of a lane', () => {
  it('sends arXiv one request at a time, a gap apart, over one connection', async () => {
    const GAP_MS = 200;
    const hanging = new Set([2, 5]);
    lanesOn.stub.answer((request, index) => {
      if (hanging.has(index)) return { fault: 'hang' };
      return { ...feedOf([paperEntry])(request, index), delayMs: (index * 37) % 90 };
    });
    const lanes = open({
      ...onlyArxiv(lanesOn.stub.url),
      arxivGapMs: GAP_MS,
      laneTimeoutMs: 1_000,
    });
    const asked = Array.from({ length: 9 }, (_, index) =>
      lanes.ask(`question ${100 + index}`, within(60_000)),
    );
    const outcomes = (await Promise.all(asked)).map(({ reports: [report] }) => report?.outcome);
    expect(outcomes.filter((outcome) => outcome === 'answered')).toHaveLength(7);
    const starts = lanesOn.stub.requests.map(({ at }) => at);
    const gaps = starts.slice(1).map((at, index) => at - (starts[index] ?? 0));
    expect(starts).toHaveLength(9);
    expect(Math.min(...gaps)).toBeGreaterThanOrEqual(GAP_MS);
    expect(lanesOn.stub.connections.most).toBe(1);
  });

  it('counts each redirect as a request', async () => {
    lanesOn.stub.answer((request, index) =>
      index % 2 === 0
        ? { status: 302, headers: { location: `/moved?${new URLSearchParams(request.query)}` } }
        : feedOf([paperEntry])(request, index),
    );
    const lanes = open({ ...onlyArxiv(lanesOn.stub.url), arxivGapMs: 150 });
    expect(await askNew(lanes)).toBe('answered');
    const [first, second] = lanesOn.stub.requests;
    expect((second?.at ?? 0) - (first?.at ?? 0)).toBeGreaterThanOrEqual(150);
  });

  it('skips a lane at once if its request would start too late', async () => {
    const lanes = open({ ...onlyArxiv(lanesOn.stub.url), arxivGapMs: 60_000 });
    expect(await askNew(lanes)).toBe('answered');
    const { reports } = await lanes.ask('another', within(30_000));
    expect(reports).toMatchObject([{ outcome: 'skipped', reason: 'throttled', documents: 0 }]);
    expect(reports[0]?.milliseconds).toBeLessThan(10_000);
    expect(lanesOn.stub.requests).toHaveLength(1);
  });

  it('skips a lane if its queue is full', async () => {
    lanesOn.stub.answer({ fault: 'hang' });
    const lanes = open({ ...onlyArxiv(lanesOn.stub.url), laneQueueMax: 2, laneTimeoutMs: 300 });
    const asked = ['a', 'b', 'c', 'd'].map((word) => lanes.ask(`${word}b ${word}c`, within(1_000)));
    const reports = (await Promise.all(asked)).map(({ reports: [report] }) => report);
    expect(reports[3]?.reason).toBe('queue_full');
    expect(reports[0]).toMatchObject({ outcome: 'failed', reason: 'timeout' });
  });

  it('follows the limits in the headers of Crossref', async () => {
    const headers = {
      'x-rate-limit-limit': '5',
      'x-rate-limit-interval': '5s',
      'x-concurrency-limit': '1',
    };
    lanesOn.stub.answer(() => ({ ...works([work]), headers }));
    const lanes = open({ ...onlyWeb('crossref', lanesOn.stub.url), webConcurrencyMax: 3 });
    await askNew(lanes);
    await Promise.all([askNew(lanes), askNew(lanes), askNew(lanes)]);
    const starts = lanesOn.stub.requests.map(({ at }) => at);
    const gaps = starts.slice(1).map((at, index) => at - (starts[index] ?? 0));
    // The first gap began before its length was known. The others are a second from start to start,
    // but the test measures arrivals.
    expect(Math.min(...gaps.slice(1))).toBeGreaterThanOrEqual(500);
  });
});

describe('the time of a lane', () => {
  it('ends at the deadline if the provider hangs, and the request at its own limit', async () => {
    lanesOn.stub.answer({ fault: 'hang' });
    const lanes = open({ ...onlyArxiv(lanesOn.stub.url), laneTimeoutMs: 1_500 });
    const { reports } = await lanes.ask('sleep', within(200));
    expect(reports).toMatchObject([{ outcome: 'late', reason: '', documents: 0 }]);
    expect(reports[0]?.milliseconds).toBeLessThan(20_000);
    await expect.poll(() => lanes.states()[0]?.state).toBe('degraded');
    await vi.waitFor(() => expect(lanesOn.stub.connections.open).toBe(0), PATIENT);
  });

  it('is not spent on a slow provider until it responds in time again', async () => {
    lanesOn.stub.answer({ fault: 'hang' });
    const lanes = open({
      ...onlyWeb('crossref', lanesOn.stub.url),
      laneWaitMsMax: 300,
      laneSlowRequestsMax: 2,
      webConcurrencyMax: 9,
      laneFailuresMax: 9,
    });
    const ask = async (): Promise<string> => {
      const { reports } = await lanes.ask(newQuestion(), within(60_000));
      const [report] = reports;
      return `${report?.outcome} ${(report?.milliseconds ?? 0) >= 290}`;
    };
    expect([await ask(), await ask()]).toEqual(['late true', 'late true']);
    const held = heldAnswer();
    lanesOn.stub.answer(() => ({ ...works([work]), until: held.released }));
    // The provider is asked all the same, for the cache.
    expect(await lanes.ask('another', within(60_000))).toMatchObject({
      reports: [{ outcome: 'late' }],
    });
    await vi.waitFor(() => expect(lanesOn.stub.requests).toHaveLength(3), PATIENT);
    const late = new Promise<unknown>((resolve) => lanes.onLateDocuments(resolve));
    held.release();
    await late;
  });

  it('is at most the longest wait of a search', async () => {
    lanesOn.stub.answer({ fault: 'hang' });
    const lanes = open({
      ...onlyArxiv(lanesOn.stub.url),
      laneTimeoutMs: 600_000,
      laneWaitMsMax: 100,
    });
    const { reports } = await lanes.ask('sleep', within(600_000));
    expect(reports).toMatchObject([{ outcome: 'late' }]);
  });

  it('ends a hanging request when the lanes close', async () => {
    lanesOn.stub.answer({ fault: 'hang' });
    const lanes = open({
      ...onlyArxiv(lanesOn.stub.url),
    });
    const asked = lanes.ask('sleep', within(60_000));
    await vi.waitFor(() => expect(lanesOn.stub.requests).toHaveLength(1), PATIENT);
    await lanes.close();
    expect((await asked).reports).toMatchObject([{ outcome: 'skipped', reason: 'closed' }]);
    expect((await lanes.ask('sleep', within(1_000))).reports).toMatchObject([
      { outcome: 'skipped', reason: 'closed' },
    ]);
  });

  it('does not hold up the documents of other lanes', async () => {
    const slow = await startStub({ fault: 'hang' });
    const addresses = {
      arxivUrl: slow.url,
      semanticScholarUrl: lanesOn.stub.url,
      crossrefUrl: lanesOn.stub.url,
    };
    // Both respond at the same time, so neither has to be as fast as the other.
    lanesOn.stub.answer(({ path }) => ({
      ...(path === '/works' ? works([work]) : papers),
      delayMs: 1_000,
    }));
    const lanes = open(addresses);
    const { documents, reports } = await lanes.ask('sleep', within(20_000));
    expect(reports.map(({ lane, outcome }) => `${lane} ${outcome}`)).toEqual([
      'arxiv late',
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

describe('the single flight of a lane', () => {
  it('sends one request for all who ask the same question', async () => {
    const held = heldAnswer();
    lanesOn.stub.answer((request, index) => ({
      ...feedOf([paperEntry])(request, index),
      until: held.released,
    }));
    const lanes = open(onlyArxiv(lanesOn.stub.url));
    const ways = ['Does sleep help?', 'does  SLEEP help?', ' does sleep\nhelp? ', 'sleep: help!'];
    const asked = ways.map((way) => askOne(lanes, way));
    await vi.waitFor(() => expect(lanesOn.stub.requests).toHaveLength(1), PATIENT);
    held.release();
    const answers = await Promise.all(asked);
    expect(answers.map(outcomeOf)).toEqual(Array(4).fill('answered'));
    expect(answers.map(({ documents }) => documents.length)).toEqual([1, 1, 1, 1]);
    expect(lanesOn.stub.requests).toHaveLength(1);
  });

  it('goes on for a search with more time when the first one leaves', async () => {
    const held = heldAnswer();
    lanesOn.stub.answer((request, index) => ({
      ...feedOf([paperEntry])(request, index),
      until: held.released,
    }));
    const lanes = open(onlyArxiv(lanesOn.stub.url));
    const asked = [lanes.ask('sleep', within(100)), lanes.ask('sleep', within(60_000))];
    expect((await asked[0])?.reports).toMatchObject([{ outcome: 'late' }]);
    held.release();
    expect((await asked[1])?.reports).toMatchObject([{ outcome: 'answered' }]);
    expect(lanesOn.stub.requests).toHaveLength(1);
  });
});

describe('the metrics of a provider in /health', () => {
  it('are the questions, the outcomes, and the latency', async () => {
    lanesOn.stub.answer([{ ...works([work]), delayMs: 40 }, { status: 500 }, { status: 403 }]);
    const lanes = open(onlyWeb('crossref', lanesOn.stub.url));
    expect(lanes.states()[0]?.metrics).toEqual({
      asks: 0,
      answered: 0,
      cached: 0,
      late: 0,
      skipped: {},
      failed: {},
      latency: undefined,
    });
    for (let round = 0; round < 4; round++) await askNew(lanes);
    const metrics = lanes.states()[0]?.metrics;
    expect(metrics).toMatchObject({
      asks: 4,
      answered: 1,
      cached: 0,
      late: 0,
      skipped: { refused: 1 },
      failed: { server_error: 1, refused: 1 },
    });
    expect(metrics?.latency?.p95Ms).toBeGreaterThanOrEqual(39);
    expect(lanes.states()[0]?.requestsToday).toBe(3);
  });
});

describe('an unexpected error', () => {
  it('is logged once, and the report says only that the lane failed', async () => {
    const lines: string[] = [];
    const client = {
      exchange: () => Promise.reject(new TypeError('a defect of ours')),
      stream: () => Promise.reject(new TypeError('a defect of ours')),
      close: () => Promise.resolve(),
    };
    const log = createLog((line) => lines.push(line));
    const lanes = open(onlyArxiv(lanesOn.stub.url), { client, log });
    expect(await askNew(lanes)).toBe('failed: internal');
    expect(lines.map((line) => JSON.parse(line))).toMatchObject([
      { level: 'error', event: 'lane_failed', provider: 'arxiv' },
    ]);
    expect(lines[0]).toContain('a defect of ours');
  });
});

it('asks and reports nothing if no lane is on', async () => {
  const lanes = open({ lanes: 'none' });
  expect(await lanes.ask('sleep', within(1_000))).toEqual({ documents: [], reports: [] });
  expect(lanes.states()).toEqual([]);
});

it('hands on the documents of a lane while the search waits for another', async () => {
  const other = await startStub({ fault: 'hang' });
  onTestFinished(() => other.close());
  const lanes = open({
    lanes: 'arxiv,web',
    webProvider: 'crossref',
    laneTimeoutMs: 500,
    arxivUrl: lanesOn.stub.url,
    crossrefUrl: other.url,
  });
  const early: unknown[] = [];
  const onResponse = (documents: readonly unknown[]): unknown => early.push(documents);
  const answer = await lanes.ask('sleep', within(60_000), { onResponse });
  expect(answer.documents).toHaveLength(1);
  expect(early).toEqual([answer.documents]);
  // The last lane hands on nothing early.
  await lanes.ask('sleep', within(60_000), { onResponse, allowed: ['arxiv'] });
  expect(early).toHaveLength(1);
});
