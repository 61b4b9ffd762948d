/** Whether a provider is asked: its circuit breaker, its backoffs, and its daily cap. */
import { describe, expect, it, vi } from 'vitest';
import { feedOf, paperEntry } from '../../support/lanes/arxiv-stub.ts';
import { onlyArxiv, onlySemanticScholar, onlyWeb } from '../../support/lanes/ask-lanes.ts';
import { papers } from '../../support/lanes/semantic-scholar-stub.ts';
import { heldAnswer, useStub, within } from '../../support/lanes/use-stub.ts';
import { PATIENT } from '../../support/patient.ts';

const lanesOn = useStub();
const { open, askNew } = lanesOn;

/** Moves the clock of backoffs and the circuit breaker. Timers and sockets are not affected. */
function passTime(ms: number): void {
  vi.setSystemTime(Date.now() + ms);
}

describe('the circuit breaker', () => {
  it('opens after failures in a row, and closes after a successful probe', async () => {
    vi.useFakeTimers({ toFake: ['Date'] });
    lanesOn.stub.answer({ status: 500 });
    const lanes = open({
      ...onlyArxiv(lanesOn.stub.url),
      laneFailuresMax: 3,
      laneCircuitOpenMs: 30_000,
    });
    const outcomes = [await askNew(lanes), await askNew(lanes)];
    expect(lanes.states()).toMatchObject([{ state: 'degraded' }]);
    outcomes.push(await askNew(lanes), await askNew(lanes));
    expect(outcomes).toEqual([...Array(3).fill('failed: server_error'), 'skipped: circuit_open']);
    expect(lanes.states()).toMatchObject([
      { lane: 'arxiv', provider: 'arxiv', state: 'open', retryAt: Date.now() + 30_000 },
    ]);
    passTime(29_000);
    expect(await askNew(lanes)).toBe('skipped: circuit_open');
    expect(lanesOn.stub.requests).toHaveLength(3);

    passTime(1_001);
    const held = heldAnswer();
    lanesOn.stub.answer((request, index) => ({
      ...feedOf([paperEntry])(request, index),
      until: held.released,
    }));
    const probe = askNew(lanes);
    await vi.waitFor(() => expect(lanesOn.stub.requests).toHaveLength(4), PATIENT);
    expect(await askNew(lanes)).toBe('skipped: circuit_open');
    held.release();
    expect(await probe).toBe('answered');
    expect(lanes.states()).toMatchObject([{ state: 'ok' }]);
    expect(await askNew(lanes)).toBe('answered');
  });

  it('opens again after a failed probe', async () => {
    vi.useFakeTimers({ toFake: ['Date'] });
    lanesOn.stub.answer({ body: 'rubbish' });
    const lanes = open({
      ...onlyArxiv(lanesOn.stub.url),
      laneFailuresMax: 1,
      laneCircuitOpenMs: 30_000,
    });
    expect(await askNew(lanes)).toBe('failed: bad_answer');
    passTime(30_001);
    expect(await askNew(lanes)).toBe('failed: bad_answer');
    expect(await askNew(lanes)).toBe('skipped: circuit_open');
    expect(lanesOn.stub.requests).toHaveLength(2);
  });

  it('rejects the queued requests when it opens', async () => {
    lanesOn.stub.answer({ status: 500, delayMs: 50 });
    const lanes = open({
      ...onlyArxiv(lanesOn.stub.url),
      arxivGapMs: 5_000,
      laneFailuresMax: 1,
    });
    const asked = ['aa', 'bb', 'cc'].map((word) => lanes.ask(word, within(60_000)));
    const reasons = (await Promise.all(asked)).map(({ reports: [report] }) => report?.reason);
    expect(reasons).toEqual(['server_error', 'circuit_open', 'circuit_open']);
  });

  it('does not open for late responses, which still arrive', async () => {
    const lanes = open({ ...onlyArxiv(lanesOn.stub.url), laneFailuresMax: 1 });
    const late: string[] = [];
    lanes.onLateDocuments((documents) => late.push(...documents.map(({ id }) => id)));
    for (let round = 1; round <= 3; round++) {
      const held = heldAnswer();
      lanesOn.stub.answer((request, index) => ({
        ...feedOf([paperEntry])(request, index),
        until: held.released,
      }));
      const { reports } = await lanes.ask(`question ${100 + round}`, within(300));
      expect(reports).toMatchObject([{ outcome: 'late' }]);
      held.release();
      await expect.poll(() => late.length).toBe(round);
    }
    expect(lanes.states()).toMatchObject([{ state: 'ok' }]);
  });

  it('stays half-open after a probe that says nothing about the provider', async () => {
    vi.useFakeTimers({ toFake: ['Date'] });
    lanesOn.stub.answer({ status: 500 });
    const lanes = open({ ...onlySemanticScholar(lanesOn.stub.url), laneFailuresMax: 1 });
    expect(await askNew(lanes)).toBe('failed: server_error');
    passTime(30_001);
    lanesOn.stub.answer([{ status: 400, body: '{"error":"no"}' }, { status: 500 }]);
    expect(await askNew(lanes)).toBe('failed: bad_query');
    expect(lanes.states()).toMatchObject([{ state: 'open', retryAt: undefined }]);
    expect(await askNew(lanes)).toBe('failed: server_error');
    expect(await askNew(lanes)).toBe('skipped: circuit_open');
    passTime(30_001);
    lanesOn.stub.answer(papers);
    expect(await askNew(lanes)).toBe('answered');
    expect(lanes.states()).toMatchObject([{ state: 'ok' }]);
  });

  it('does not open for questions that the provider refuses', async () => {
    lanesOn.stub.answer({ status: 400, body: '{"error":"no"}' });
    const lanes = open({ ...onlySemanticScholar(lanesOn.stub.url), laneFailuresMax: 1 });
    expect(await askNew(lanes)).toBe('failed: bad_query');
    expect(await askNew(lanes)).toBe('failed: bad_query');
  });
});

describe('backoff', () => {
  it.each([
    ['seconds', () => '120', 'degraded', 'rate_limited'],
    ['a date', () => new Date(Date.now() + 120_000).toUTCString(), 'degraded', 'rate_limited'],
    ['a long time', () => '54000', 'exhausted', 'exhausted'],
  ])('lasts as long as Retry-After asks for, given as %s', async (_what, header, state, reason) => {
    vi.useFakeTimers({ toFake: ['Date'] });
    lanesOn.stub.answer({ status: 429, headers: { 'retry-after': header() } });
    const lanes = open(onlyWeb('openalex', lanesOn.stub.url));
    expect(await askNew(lanes)).toBe('failed: rate_limited');
    expect(lanes.states()).toMatchObject([{ state }]);
    expect(await askNew(lanes)).toBe(`skipped: ${reason}`);
    const retryAt = lanes.states()[0]?.retryAt ?? 0;
    expect(
      Math.abs(retryAt - Date.now() - (state === 'exhausted' ? 54_000_000 : 120_000)),
    ).toBeLessThan(2_000);
    expect(lanesOn.stub.requests).toHaveLength(1);
  });

  it('doubles after each 429 in a row without Retry-After', async () => {
    vi.useFakeTimers({ toFake: ['Date'] });
    lanesOn.stub.answer({ status: 429, body: 'Rate exceeded.' });
    const lanes = open({ ...onlyArxiv(lanesOn.stub.url), laneBackoffMs: 5, laneBackoffMsMax: 30 });
    const backoffs: number[] = [];
    for (let round = 0; round < 4; round++) {
      expect(await askNew(lanes)).toBe('failed: rate_limited');
      backoffs.push((lanes.states()[0]?.retryAt ?? 0) - Date.now());
      passTime(50);
    }
    expect(backoffs).toEqual([5, 10, 20, 30]);
  });

  it('never lasts longer than the limit', async () => {
    lanesOn.stub.answer({ status: 429, headers: { 'retry-after': '999999999' } });
    const lanes = open(onlyWeb('openalex', lanesOn.stub.url));
    await askNew(lanes);
    const retryAt = lanes.states()[0]?.retryAt ?? 0;
    expect(retryAt).toBeLessThanOrEqual(Date.now() + 86_400_000);
  });

  it('starts when the headers say that the quota is used up', async () => {
    const headers = { 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': '40000' };
    lanesOn.stub.answer({ body: '{"results":[]}', headers });
    const lanes = open(onlyWeb('openalex', lanesOn.stub.url));
    expect(await askNew(lanes)).toBe('answered');
    expect(await askNew(lanes)).toBe('skipped: exhausted');
    expect(lanes.states()).toMatchObject([
      { lane: 'web', provider: 'openalex', state: 'exhausted' },
    ]);
  });

  it('starts after a refusal', async () => {
    lanesOn.stub.answer({ status: 403, body: 'Forbidden' });
    const lanes = open(onlyWeb('crossref', lanesOn.stub.url));
    expect(await askNew(lanes)).toBe('failed: refused');
    expect(await askNew(lanes)).toBe('skipped: refused');
    expect(lanesOn.stub.requests).toHaveLength(1);
  });
});

describe('the daily cap', () => {
  it('stops requests to a provider until midnight UTC', async () => {
    vi.useFakeTimers({ toFake: ['Date'], now: Date.UTC(2026, 10, 22, 23, 59) });
    const lanes = open({ ...onlyArxiv(lanesOn.stub.url), arxivRequestsPerDayMax: 2 });
    const outcomes = [await askNew(lanes), await askNew(lanes), await askNew(lanes)];
    expect(outcomes).toEqual(['answered', 'answered', 'skipped: capped']);
    expect(lanes.states()).toMatchObject([
      { state: 'exhausted', retryAt: Date.UTC(2026, 10, 23), requestsToday: 2 },
    ]);
    passTime(60_000);
    expect(await askNew(lanes)).toBe('answered');
    expect(lanes.states()).toMatchObject([{ state: 'ok', requestsToday: 1 }]);
  });

  it('applies to queued requests, and counts redirects', async () => {
    lanesOn.stub.answer((request, index) =>
      index === 0
        ? { status: 302, headers: { location: `/moved?${new URLSearchParams(request.query)}` } }
        : feedOf([paperEntry])(request, index),
    );
    const lanes = open({
      ...onlyArxiv(lanesOn.stub.url),
      arxivRequestsPerDayMax: 2,
      arxivGapMs: 50,
    });
    const asked = ['aa', 'bb', 'cc'].map((word) => lanes.ask(word, within(60_000)));
    const reasons = (await Promise.all(asked)).map(({ reports: [report] }) => report?.reason);
    expect(reasons.filter((reason) => reason === 'capped').length).toBeGreaterThanOrEqual(2);
    expect(lanesOn.stub.requests).toHaveLength(2);
  });

  it('is off when it is 0', async () => {
    const lanes = open({ ...onlyArxiv(lanesOn.stub.url), arxivRequestsPerDayMax: 0 });
    expect([await askNew(lanes), await askNew(lanes)]).toEqual(['answered', 'answered']);
  });
});
