import { expect, it } from 'vitest';
import {
  countWrites,
  createWriteCounter,
} from '../../../src/accounts/ledger-thread/ledger-counts.ts';
import type {
  LedgerOperation,
  LedgerResult,
  LedgerTask,
} from '../../../src/accounts/ledger-thread/ledger-worker.ts';
import type { Pool } from '../../../src/workers/pool.ts';

const hold = (requestId: string, credits = 1): LedgerOperation => ({
  kind: 'hold',
  requestId,
  credits,
  customerId: 1,
  keyId: 1,
  now: 0,
});
const end = (kind: 'settle' | 'release', requestId: string): LedgerOperation => {
  return { kind, requestId, now: 0 };
};
const payment: LedgerOperation = { kind: 'account', name: 'recordPaymentEvent', input: {} };

/** A pool that writes whatever it is given, with these results. */
function poolOf(results: LedgerResult[]): Pool<LedgerTask, LedgerResult[]> {
  return { run: async () => results, close: async () => {} };
}

it('counts what was written, with the credits of each hold', async () => {
  const counter = createWriteCounter();
  const write = async (operations: LedgerOperation[], values: unknown[]): Promise<void> => {
    const results = values.map((value) => ({ value }));
    expect(await countWrites(poolOf(results), counter).run(operations)).toBe(results);
  };
  await write([hold('a'), hold('b', 3), hold('c')], [9, 6, 5]);
  expect(counter.read().openHolds).toBe(3);
  await write([end('settle', 'a'), end('release', 'b'), payment], [5, 8, { credits: 500 }]);
  expect(counter.read()).toEqual({
    holds: { held: 3, settled: 1, released: 1 },
    credits: { settled: 1, released: 3, bought: 500 },
    openHolds: 1,
  });
});

it('does not count what changed nothing, or failed', async () => {
  const counter = createWriteCounter();
  const failure = { message: 'no', stack: undefined };
  const pool = countWrites(
    poolOf([{ value: undefined }, { failure }, { value: undefined }, { value: { credits: -5 } }]),
    counter,
  );
  await pool.run([hold('a'), hold('b'), end('release', 'c'), payment]);
  // An attempt to empty the write-ahead log is no operation.
  await pool.run({ emptyWalWaitMs: 1 });
  expect(counter.read()).toEqual({
    holds: { held: 0, settled: 0, released: 0 },
    credits: { settled: 0, released: 0, bought: 0 },
    openHolds: 0,
  });
});
