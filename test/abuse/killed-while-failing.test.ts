/**
 * A server under load whose disk fails and recovers is killed repeatedly. Whatever the moment:
 * the ledger adds up, no hold stays, and nobody pays for a search whose answer they did not get.
 */
import { execFileSync } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { readBalance } from '../../src/accounts/sql/customers.ts';
import { auditLedger } from '../../src/accounts/sqlite/ledger/audit.ts';
import { runOnSqlite } from '../../src/database/sqlite/run-on-sqlite.ts';
import { search } from '../http/contract.ts';
import { inStore } from '../support/history.ts';
import { withLimits } from '../support/limits.ts';
import { createRandom, testSeed } from '../support/random.ts';
import {
  copySampleIndex,
  createCustomer,
  removeDatabase,
  type Service,
  startService,
} from '../support/service.ts';
import { QUICK, QUICK_LIMITS } from './faults.ts';

const KILLS = 3;
const CLIENTS = 6;
const LOAD_MS = 900;
const FAULT_MS_MAX = 250;
const CREDITS = 100_000;
const seed = testSeed();
const random = createRandom(seed);

const env = {
  ...QUICK,
  ...withLimits({ ...QUICK_LIMITS, ledgerRetryMs: 50 }),
  VERBATIM_REQUESTS_PER_MINUTE: '1000000',
  VERBATIM_IN_FLIGHT_PER_KEY_MAX: '20',
};

let database: string;
let secret: string;
let service: Service;
const answered = new Set<string>();
const statuses = new Map<number, number>();

beforeAll(async () => {
  database = await copySampleIndex();
  ({ secret } = createCustomer(database, { credits: CREDITS }));
});

afterAll(async () => {
  await service.end('SIGKILL');
  await removeDatabase(database);
});

/** Asks repeatedly until the server is gone. */
async function runClient(url: string): Promise<void> {
  for (;;) {
    try {
      const { status, headers } = await search({ url, secret });
      statuses.set(status, (statuses.get(status) ?? 0) + 1);
      if (status === 200) answered.add(String(headers['x-request-id']));
    } catch {
      return;
    }
  }
}

/** The disk fails and recovers in turns, until the server is killed amid it. */
async function failAndKill(): Promise<void> {
  const clients = Array.from({ length: CLIENTS }, () => runClient(service.url));
  const limit = (bytes: string): unknown =>
    execFileSync('prlimit', [`--pid=${service.process.pid}`, `--fsize=${bytes}:unlimited`]);
  const until = performance.now() + LOAD_MS;
  for (let fails = random.below(2) === 0; performance.now() < until; fails = !fails) {
    limit(fails ? '1' : 'unlimited');
    await sleep(random.below(FAULT_MS_MAX));
  }
  await service.end('SIGKILL');
  await Promise.all(clients);
}

it(`charges only for answers that arrived, ${KILLS} times, seed ${seed}`, async () => {
  for (let kill = 0; kill < KILLS; kill++) {
    service = await startService(database, env);
    await failAndKill();
  }
  service = await startService(database, env);
  const books = inStore(database, (db) => ({
    ...auditLedger(db),
    balance: runOnSqlite(db, readBalance(1)),
  }));
  expect(books).toMatchObject({ held: 0, differences: [] });
  const settled = settledRequests();
  expect(settled.filter((requestId) => !answered.has(requestId))).toEqual([]);
  expect(CREDITS - books.balance).toBe(settled.length);
  // Otherwise nothing failed, or nothing worked.
  for (const status of [200, 503]) expect(statuses.get(status) ?? 0).toBeGreaterThan(0);
  expect([...statuses.keys()].sort()).toEqual([200, 503]);
}, 180_000);

function settledRequests(): string[] {
  return inStore(database, (db) =>
    db.prepare("SELECT request_id FROM ledger_entries WHERE kind = 'settle'").pluck().all(),
  ) as string[];
}
