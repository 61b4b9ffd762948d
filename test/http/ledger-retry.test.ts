/** Another process may hold SQLite's write lock for longer than we wait: nothing is forgotten. */
import { setTimeout as wait } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { withLimits } from '../support/limits.ts';
import { createCustomer, postSearch } from '../support/service.ts';
import { useService } from '../support/use-service.ts';
import { holdWriters, untilHealth } from './contract.ts';

const LOCK_WAIT_MS = 100;
/** The lock is taken between the answer and its settlement. */
const SETTLE_DELAY_MS = 4_000;

let secret: string;

const service = useService({
  fill: (database) => {
    ({ secret } = createCustomer(database));
  },
  env: {
    VERBATIM_LOCK_WAIT_MS: String(LOCK_WAIT_MS),
    ...withLimits({ settleDelayMs: SETTLE_DELAY_MS, ledgerRetryMs: 100 }),
  },
});

async function readUsage(): Promise<{ requests: number; balance: number }> {
  const headers = { Authorization: `Bearer ${secret}` };
  const response = await fetch(`${service.url}/v1/usage`, { headers });
  return (await response.json()) as { requests: number; balance: number };
}

it('writes a failed settlement when the lock is free', async () => {
  expect((await postSearch(service.url, secret)).status).toBe(200);
  const release = holdWriters(service.database);
  await wait(SETTLE_DELAY_MS + 5 * LOCK_WAIT_MS);
  expect(await readUsage()).toMatchObject({ requests: 0, balance: 999 });
  release();
  await expect.poll(readUsage).toMatchObject({ requests: 1, balance: 999 });
  await untilHealth(service.url, { status: 'ok' });
});

it('rejects a search whose hold cannot be written, and charges nothing', async () => {
  const release = holdWriters(service.database);
  const response = await postSearch(service.url, secret);
  release();
  expect(response.status).toBe(503);
  expect(await readUsage()).toMatchObject({ requests: 1, balance: 999 });
});
