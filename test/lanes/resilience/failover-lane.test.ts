/** Failover between several providers of the web lane. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { askOne, openLanes, outcomeOf } from '../../support/lanes/ask-lanes.ts';
import { work, works } from '../../support/lanes/crossref-stub.ts';
import { jsonResponse, type StubServer, startStub } from '../../support/lanes/stub-server.ts';

const noWorks = jsonResponse({ results: [] });
let crossref: StubServer;
let openalex: StubServer;
let lanes: ReturnType<typeof openLanes>;
let questions = 100;
beforeEach(async () => {
  crossref = await startStub(works([work]));
  openalex = await startStub(noWorks);
  lanes = openLanes({
    lanes: 'web',
    webProvider: 'crossref,openalex',
    webGapMs: 1,
    crossrefUrl: crossref.url,
    openalexUrl: openalex.url,
    laneFailuresMax: 2,
  });
});
afterEach(async () => {
  await lanes.close();
  await Promise.all([crossref.close(), openalex.close()]);
});

/** The provider in the report of a new question, and the outcome. */
async function askNew(): Promise<string> {
  const asked = await askOne(lanes, `question ${++questions}`);
  return `${asked.report.provider} ${outcomeOf(asked)}`;
}

describe('a web lane with several providers', () => {
  it('asks only the first one while it is available', async () => {
    expect([await askNew(), await askNew()]).toEqual(['crossref answered', 'crossref answered']);
    expect(openalex.requests).toHaveLength(0);
  });

  it.each([
    ['backing off', { status: 429, headers: { 'retry-after': '1' } }, 'rate_limited', 1],
    ['exhausted', { status: 429, headers: { 'retry-after': '50000' } }, 'rate_limited', 1],
    ['blocked', { status: 403 }, 'refused', 1],
    ['failing', { status: 500 }, 'server_error', 2],
  ])('asks the next one if the first is %s', async (_how, answer, reason, failures) => {
    crossref.answer(answer);
    for (let round = 0; round < failures; round++) {
      expect(await askNew()).toBe(`crossref failed: ${reason}`);
    }
    expect([await askNew(), await askNew()]).toEqual(['openalex answered', 'openalex answered']);
    expect(crossref.requests).toHaveLength(failures);
  });

  it('reports the reason of the first one if none is available', async () => {
    crossref.answer({ status: 403 });
    openalex.answer({ status: 429, headers: { 'retry-after': '50000' } });
    expect(await askNew()).toBe('crossref failed: refused');
    expect(await askNew()).toBe('openalex failed: rate_limited');
    expect(await askNew()).toBe('crossref skipped: refused');
  });

  it('shows the state of each', async () => {
    crossref.answer({ status: 403 });
    await askNew();
    expect(lanes.states()).toMatchObject([
      { lane: 'web', provider: 'crossref', state: 'exhausted' },
      { lane: 'web', provider: 'openalex', state: 'ok' },
    ]);
  });

  it('asks all of them in a check, and waits for each', async () => {
    crossref.answer({ ...works([work]), delayMs: 5 });
    openalex.answer({ ...noWorks, delayMs: 200 });
    const check = openLanes(
      {
        lanes: 'web',
        webProvider: 'crossref,openalex',
        laneWaitMsMax: 1,
        crossrefUrl: crossref.url,
        openalexUrl: openalex.url,
        laneTimeoutMs: 60_000,
      },
      { isCheck: true },
    );
    const { reports } = await check.ask('sleep', performance.now() + 60_000);
    expect(reports.map(({ provider, outcome }) => `${provider} ${outcome}`)).toEqual([
      'crossref answered',
      'openalex answered',
    ]);
    await check.close();
  });
});
