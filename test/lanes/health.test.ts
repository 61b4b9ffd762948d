import { expect, it } from 'vitest';
import { send } from '../http/contract.ts';
import { fakeLanes } from './fake-lanes.ts';
import { serveWith } from './serve-with-lanes.ts';

it('/health shows the state and the metrics of the lanes without asking them', async () => {
  const lanes = fakeLanes();
  const running = await serveWith(lanes);
  const got = await send(running.url, { path: '/health' });
  expect(JSON.parse(got.text)).toMatchObject({
    lanes: [
      {
        lane: 'arxiv',
        provider: 'arxiv',
        state: 'ok',
        asks: 9,
        answered: 4,
        cached: 2,
        late: 1,
        skipped: { no_time: 1 },
        failed: { timeout: 1 },
        requests_today: 5,
        latency_ms: { p50: 412, p95: 903 },
      },
      {
        lane: 'web',
        provider: 'crossref',
        state: 'exhausted',
        retry_at: '2026-11-22T00:00:00.000Z',
      },
    ],
  });
  expect(lanes.asked).toEqual([]);
});
