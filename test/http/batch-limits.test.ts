/** A batch at its limits: out of time, and on a server that stops. */
import { describe, expect, it, onTestFinished } from 'vitest';
import { serveWith } from '../lanes/serve-with-lanes.ts';
import {
  copySampleIndex,
  createCustomer,
  removeDatabase,
  startService,
} from '../support/service.ts';
import { bearer, type Caller, expectAudited, holdWriters, ledger, send } from './contract.ts';

interface Outcome {
  status: number;
  code?: string;
}

async function ask({ url, secret }: Caller, questions: number): Promise<Outcome[]> {
  const { status, text } = await send(url, {
    method: 'POST',
    path: '/v1/search/batch',
    headers: { ...bearer(secret), 'content-type': 'application/json' },
    body: JSON.stringify({ questions: Array(questions).fill({ query: 'sleep', limit: 1 }) }),
  });
  expect(status, text).toBe(200);
  return (JSON.parse(text) as { outcomes: Outcome[] }).outcomes;
}

describe('a batch without time', () => {
  it('answers what it has begun, and the questions left are not charged', async () => {
    const running = await serveWith(undefined, { batchTimeoutMs: 1, batchSearchesInFlightMax: 1 });
    const outcomes = await ask(running, 3);
    expect(outcomes.map(({ status, code }) => [status, code])).toEqual([
      [200, undefined],
      [504, 'search_timeout'],
      [504, 'search_timeout'],
    ]);
    await expectAudited(running.database);
    const kinds = ledger(running.database, running.email).map(({ kind }) => kind);
    expect(kinds).toEqual(['settle', 'hold', 'topup']);
  });

  it('begins no search after one that timed out', async () => {
    const running = await serveWith(undefined, { requestTimeoutMs: 1, searchBatchMax: 1 });
    const outcomes = await ask(running, 20);
    expect(new Set(outcomes.map(({ status }) => status))).toEqual(new Set([504]));
    await expectAudited(running.database);
    const holds = ledger(running.database, running.email).filter(({ kind }) => kind === 'hold');
    // As many as run at a time.
    expect(holds.length).toBe(4);
  });
});

it('a server that stops finishes what a batch has begun, and begins nothing', async () => {
  const database = await copySampleIndex();
  onTestFinished(() => removeDatabase(database));
  const { secret } = createCustomer(database);
  const service = await startService(database, {
    VERBATIM_LOCK_WAIT_MS: '60000',
    VERBATIM_REQUEST_TIMEOUT_MS: '60000',
    VERBATIM_DRAIN_TIMEOUT_MS: '60000',
  });
  const release = holdWriters(database);
  const asking = ask({ url: service.url, secret }, 9);
  // The searches in flight wait for their holds.
  const metric = /^verbatim_searches_in_flight (\d+)$/m;
  const inFlight = async (): Promise<string | undefined> => {
    const text = await (await fetch(`${service.metricsUrl}/metrics`)).text();
    return metric.exec(text)?.[1];
  };
  await expect.poll(inFlight).toBe('4');
  const ended = service.end('SIGTERM');
  const stopping = (): boolean => service.log.some(({ event }) => event === 'stopping');
  await expect.poll(stopping).toBe(true);
  release();
  const outcomes = await asking;
  expect(outcomes.map(({ status }) => status)).toEqual([
    200, 200, 200, 200, 503, 503, 503, 503, 503,
  ]);
  expect(await ended).toBe(0);
  await expectAudited(database);
  expect(ledger(database).filter(({ kind }) => kind === 'settle')).toHaveLength(4);
});
