/** Numbers of an interval, and of a server that was restarted within it. */
import { expect, it } from 'vitest';
import { describeNumbers } from '../../src/commands/monitor/numbers-view.ts';
import { createMetrics } from '../../src/metrics/create-metrics.ts';
import { parseExposition } from '../../src/metrics/exposition.ts';
import { serviceNumbers, type TimedReading } from '../../src/metrics/service-numbers.ts';
import { fakeSources } from './fake-sources.ts';

/** Readings of one process at 10 seconds' distance, with 20 searches in between. */
async function readTwice(): Promise<[TimedReading, TimedReading]> {
  const metrics = createMetrics();
  metrics.register(fakeSources);
  const read = async (at: number): Promise<TimedReading> => ({
    at,
    reading: parseExposition((await metrics.read()).text),
  });
  const first = await read(Date.now());
  for (let i = 0; i < 20; i++) {
    metrics.observer.searched(15, { queue: 0.7, embed: 4, ledger: 12 });
    metrics.observer.responded({ route: '/x', status: 200, sent: i > 0, milliseconds: 15 });
  }
  metrics.observer.responded({ route: '/x', status: 503, sent: true, milliseconds: 1 });
  for (const reason of ['busy', 'late', 'busy'] as const) metrics.observer.notReranked(reason);
  const second = await read(first.at + 10_000);
  metrics.close();
  return [first, second];
}

it('are of the time between two readings', async () => {
  const [first, second] = await readTwice();
  const numbers = serviceNumbers(second, first);
  expect(numbers).toMatchObject({
    version: '1.2.3',
    isReady: true,
    intervalSeconds: 10,
    searchesPerSecond: 2,
    // 15 ms is in the middle of the bucket from 10 to 20 ms.
    searchMs: { p50: 15, p95: 19.5 },
    responsesPerSecond: { '2xx': 2, '3xx': 0, '4xx': 0, '5xx': 0.1 },
    unsentPerSecond: 0.1,
    notReranked: { busy: 2, late: 1 },
    holdsOpen: 2,
    isLedgerWritable: true,
    damagedParts: ['usage_days'],
    documents: 2,
    lanes: [{ lane: 'arxiv', state: 'ok', questions: { answered: 0, failed: 0 } }],
  });
  expect(numbers.stagesMs['embed']?.p50).toBeCloseTo(3.5, 5);
  expect(numbers.stagesMs['lanes']).toEqual({ p50: undefined, p95: undefined });
});

it('are of the time since the start without an earlier reading of the same process', async () => {
  const [first, second] = await readTwice();
  const restarted = {
    ...first,
    reading: parseExposition('process_start_time_seconds 1\nverbatim_http_requests_total 9'),
  };
  for (const numbers of [serviceNumbers(second), serviceNumbers(second, restarted)]) {
    expect(numbers.intervalSeconds).toBe(numbers.uptimeSeconds);
    expect(numbers.searchesPerSecond).toBeCloseTo(20 / numbers.uptimeSeconds, 5);
    expect(numbers.lanes[0]?.questions).toMatchObject({ answered: 4, failed: 1, skipped: 1 });
  }
});

it('fit a terminal of 80 columns and 24 rows', async () => {
  const [first, second] = await readTwice();
  const large = {
    ...serviceNumbers(second, first),
    searchesPerSecond: 12_345,
    searchesInFlight: 6_400,
    searchesInFlightMax: 6_400,
    documents: 123_456_789,
    sentences: 1_234_567_890,
    databaseBytes: 999e9,
    walBytes: 999e6,
    diskFreeBytes: 99e12,
  };
  const lines = describeNumbers(large, 'last 10 s');
  for (const line of lines) expect(line.length, line).toBeLessThanOrEqual(80);
  expect(lines.length).toBeLessThanOrEqual(22);
  expect(lines).toContain('reranker   not used: busy 2, late 1');
  expect(lines).toContain('searches   12,345/s  p50 15.0 ms  p95 19.5 ms  in flight 6400 of 6400');
});

it('say what is wrong', async () => {
  const [first] = await readTwice();
  const ill = { ...serviceNumbers(first), isReady: false, isLedgerWritable: false, threadsDied: 3 };
  const text = describeNumbers(ill, 'since the start').join('\n');
  expect(text).toContain('NOT READY');
  expect(text).toContain('NOT WRITABLE');
  expect(text).toMatch(/^DAMAGED +usage_days$/m);
  expect(text).toContain('3 died');
});
