/** Lanes in the metrics: a provider that answers, and one that fails. */
import { expect, it, onTestFinished } from 'vitest';
import { openLaneStore } from '../../src/lanes/records/lane-store.ts';
import { readSettings } from '../../src/settings/config.ts';
import { search } from '../http/contract.ts';
import { serveWith } from '../lanes/serve-with-lanes.ts';
import { feedOf } from '../support/lanes/arxiv-stub.ts';
import { openLanes } from '../support/lanes/ask-lanes.ts';
import { startStub } from '../support/lanes/stub-server.ts';
import { scrape } from '../support/scrape.ts';
import { copySampleIndex } from '../support/service.ts';

const OUT_OF_DOMAIN = 'how do sourdough starters resist spoilage moulds';

it('have the outcome by provider, its state, and the time that searches spent', async () => {
  const arxiv = await startStub(feedOf([]));
  const crossref = await startStub(() => ({ status: 400 }));
  const database = await copySampleIndex();
  const settings = {
    database,
    lanes: 'arxiv,web',
    webProvider: 'crossref',
    arxivUrl: arxiv.url,
    crossrefUrl: crossref.url,
    // Enough time on a busy machine.
    requestTimeoutMs: 120_000,
    laneTimeoutMs: 60_000,
    laneWaitMsMax: 60_000,
  };
  const store = openLaneStore({ path: database, lockWaitMs: 5_000 }, readSettings(settings, {}));
  const { cache, records } = store;
  const running = await serveWith(openLanes(settings, { cache, records }), settings);
  onTestFinished(async () => {
    store.close();
    await arxiv.close();
    await crossref.close();
  });
  expect((await search(running, { query: OUT_OF_DOMAIN })).status).toBe(200);
  const reading = await scrape(running.metricsUrl);
  const questions = (provider: string, outcome: string): number | undefined =>
    reading.sum('verbatim_lane_questions_total', { provider, outcome });
  expect(questions('arxiv', 'answered')).toBe(1);
  expect(questions('arxiv', 'failed')).toBe(0);
  expect(questions('crossref', 'answered')).toBe(0);
  expect(questions('crossref', 'failed')).toBe(1);
  const failed = { provider: 'crossref', outcome: 'failed', reason: 'bad_query' };
  expect(reading.sum('verbatim_lane_questions_total', failed)).toBe(1);
  const stateOf = (provider: string, state: string): number | undefined =>
    reading.sum('verbatim_lane_state', { provider, state });
  expect(stateOf('arxiv', 'ok')).toBe(1);
  expect(reading.sum('verbatim_lane_state', { provider: 'crossref' })).toBe(1);
  expect(reading.sum('verbatim_lane_requests_today', { provider: 'arxiv' })).toBe(1);
  const stage = { stage: 'lanes' };
  expect(reading.sum('verbatim_search_stage_duration_seconds_count', stage)).toBe(1);
  expect(reading.sum('verbatim_search_stage_duration_seconds_sum', stage)).toBeGreaterThan(0);
  expect(reading.sum('verbatim_threads', { role: 'lanes' })).toBe(1);
  expect(reading.text).not.toContain('sourdough');
});
