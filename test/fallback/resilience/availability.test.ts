/** Whether a provider is asked: its breaker, its pauses, the cap of its requests. */
import { describe, expect, it, vi } from 'vitest';
import { feedOf, paperEntry } from '../../support/lanes/arxiv-stub.ts';
import { onlyArxiv, onlySemanticScholar, onlyWeb } from '../../support/lanes/ask-lanes.ts';
import { papers } from '../../support/lanes/semantic-scholar-stub.ts';
import { heldAnswer, useStub, within } from '../../support/lanes/use-stub.ts';
import { PATIENT } from '../../support/patient.ts';

const lanesOn = useStub();
const { open, askNew } = lanesOn;

/** Moves the clock that breaks and pauses are measured by; timers and sockets go on as they do. */
function passTime(ms: number): void {
  vi.setSystemTime(Date.now() + ms);
}

describe('the circuit breaker', () => {
  it('opens after failures in a row, lets one request try, and closes when that is answered', async () => {
    vi.useFakeTimers({ toFake: ['Date'] });
    lanesOn.stub.answer({ status: 500 });
    const lanes = open({ ...onlyArxiv(lanesOn.stub.url), laneFailuresMax: 3, laneBreakMs: 30_000 });
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

  it('opens again where the one request fails', async () => {
    vi.useFakeTimers({ toFake: ['Date'] });
    lanesOn.stub.answer({ body: 'rubbish' });
    const lanes = open({ ...onlyArxiv(lanesOn.stub.url), laneFailuresMax: 1, laneBreakMs: 30_000 });
    expect(await askNew(lanes)).toBe('failed: bad_answer');
    passTime(30_001);
    expect(await askNew(lanes)).toBe('failed: bad_answer');
    expect(await askNew(lanes)).toBe('skipped: circuit_open');
    expect(lanesOn.stub.requests).toHaveLength(2);
  });

  it('tells those who wait in the queue', async () => {
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

  it('does not open for searches that cannot wait, whose answers still come', async () => {
    const lanes = open({ ...onlyArxiv(lanesOn.stub.url), laneFailuresMax: 1 });
    const late: string[] = [];
    lanes.onLateDocuments((documents) => late.push(...documents.map(({ id }) => id)));
    for (let round = 1; round <= 3; round++) {
      const held = heldAnswer();
      lanesOn.stub.answer((request, index) => ({
        ...feedOf([paperEntry])(request, index),
        until: held.released,
      }));
      const { reports } = await lanes.ask(`question ${100 + round}`, within(30));
      expect(reports).toMatchObject([{ outcome: 'late' }]);
      held.release();
      await expect.poll(() => late.length).toBe(round);
    }
    expect(lanes.states()).toMatchObject([{ state: 'ok' }]);
  });

  it('is neither closed nor opened by a try that says nothing', async () => {
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

  it('does not open for questions that a provider refuses', async () => {
    lanesOn.stub.answer({ status: 400, body: '{"error":"no"}' });
    const lanes = open({ ...onlySemanticScholar(lanesOn.stub.url), laneFailuresMax: 1 });
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

  it('pause for longer with each in a row where no time is named', async () => {
    vi.useFakeTimers({ toFake: ['Date'] });
    lanesOn.stub.answer({ status: 429, body: 'Rate exceeded.' });
    const lanes = open({ ...onlyArxiv(lanesOn.stub.url), lanePauseMs: 5, lanePauseMsMax: 30 });
    const pauses: number[] = [];
    for (let round = 0; round < 4; round++) {
      expect(await askNew(lanes)).toBe('failed: rate_limited');
      pauses.push((lanes.states()[0]?.retryAt ?? 0) - Date.now());
      passTime(50);
    }
    expect(pauses).toEqual([5, 10, 20, 30]);
  });

  it('never keep a lane away for longer than the limit', async () => {
    lanesOn.stub.answer({ status: 429, headers: { 'retry-after': '999999999' } });
    const lanes = open(onlyWeb('openalex', lanesOn.stub.url));
    await askNew(lanes);
    const retryAt = lanes.states()[0]?.retryAt ?? 0;
    expect(retryAt).toBeLessThanOrEqual(Date.now() + 86_400_000);
  });

  it('are foreseen where the headers say that nothing is left', async () => {
    const headers = { 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': '40000' };
    lanesOn.stub.answer({ body: '{"results":[]}', headers });
    const lanes = open(onlyWeb('openalex', lanesOn.stub.url));
    expect(await askNew(lanes)).toBe('answered');
    expect(await askNew(lanes)).toBe('skipped: exhausted');
    expect(lanes.states()).toMatchObject([
      { lane: 'web', provider: 'openalex', state: 'exhausted' },
    ]);
  });

  it('keep out who was refused', async () => {
    lanesOn.stub.answer({ status: 403, body: 'Forbidden' });
    const lanes = open(onlyWeb('crossref', lanesOn.stub.url));
    expect(await askNew(lanes)).toBe('failed: refused');
    expect(await askNew(lanes)).toBe('skipped: refused');
    expect(lanesOn.stub.requests).toHaveLength(1);
  });
});

describe('the cap of a day', () => {
  it('keeps a provider from being asked until midnight, UTC', async () => {
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

  it('holds for those who wait in the queue, and counts redirects', async () => {
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

  it('is none where it is 0', async () => {
    const lanes = open({ ...onlyArxiv(lanesOn.stub.url), arxivRequestsPerDayMax: 0 });
    expect([await askNew(lanes), await askNew(lanes)]).toEqual(['answered', 'answered']);
  });
});
