/**
 * A server is killed while agents call its tools. Whatever the moment: the ledger adds up, no hold
 * stays, and nobody pays for a result that they did not get.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { auditLedger } from '../../src/accounts/sqlite/ledger/audit.ts';
import { type Got, send } from '../http/contract.ts';
import { inStore } from '../support/history.ts';
import { PATIENT } from '../support/patient.ts';
import { createRandom, testSeed } from '../support/random.ts';
import {
  copySampleIndex,
  createCustomer,
  removeDatabase,
  type Service,
  startService,
} from '../support/service.ts';

const KILLS = 4;
const CLIENTS = 8;
/** A kill comes when so many results have arrived, and a moment later. */
const RESULTS_MAX = 20;
const MOMENT_MS_MAX = 20;
const PAPER = 'sample:psychology-sleep-and-forgetting';
const seed = testSeed();
const random = createRandom(seed);
const env = {
  VERBATIM_REQUESTS_PER_MINUTE: '1000000',
  VERBATIM_IN_FLIGHT_PER_KEY_MAX: String(2 * CLIENTS),
};

const calls = [
  { name: 'fetch', arguments: { id: PAPER } },
  { name: 'fetch', arguments: { id: 'nothing' } },
  { name: 'verify', arguments: { items: [{ quote: 'people forget less', id: PAPER }] } },
  { name: 'verify', arguments: { items: [{ quote: 'x', id: '10.9999/nothing' }] } },
  { name: 'search', arguments: { query: 'does sleep help memory', limit: 3 } },
];

let database: string;
let secret: string;
let service: Service;
/** Request ids of results that arrived whole, and what else came while the server was there. */
const paid = new Set<string>();
const broken: string[] = [];
let sent = 0;
let killed = 0;

beforeAll(async () => {
  database = await copySampleIndex();
  ({ secret } = createCustomer(database, { credits: 100_000 }));
  service = await startService(database, env);
});

afterAll(async () => {
  await service.end('SIGKILL');
  await removeDatabase(database);
});

function callTool(params: unknown): Promise<Got> {
  return send(service.url, {
    method: 'POST',
    path: '/mcp',
    headers: {
      authorization: `Bearer ${secret}`,
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
    },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params }),
  });
}

/** The calls that have an entry of a kind. */
function requestsOf(kind: string): string[] {
  const sql = 'SELECT request_id FROM ledger_entries WHERE kind = ?';
  return inStore(database, (db) => db.prepare(sql).pluck().all(kind) as string[]);
}

async function runClient(isOver: () => boolean): Promise<void> {
  while (!isOver()) {
    sent++;
    try {
      const got = await callTool(calls[random.below(calls.length)]);
      const { result } = JSON.parse(got.text);
      if (result.isError !== true) paid.add(String(got.headers['x-request-id']));
    } catch (error) {
      if (!isOver()) broken.push(String(error));
      return;
    }
  }
}

describe(`a server that is killed while agents call it, seed ${seed}`, () => {
  it(`charges only for results that arrived, ${KILLS} times`, async () => {
    for (; killed < KILLS; killed++) {
      let isOver = false;
      const enough = paid.size + random.below(RESULTS_MAX);
      const clients = Array.from({ length: CLIENTS }, () => runClient(() => isOver));
      await vi.waitUntil(() => paid.size >= enough || broken.length > 0, {
        ...PATIENT,
        interval: 1,
      });
      await sleep(random.below(MOMENT_MS_MAX));
      isOver = true;
      await service.end('SIGKILL');
      await Promise.all(clients);
      service = await startService(database, env);
      expect(inStore(database, auditLedger)).toMatchObject({ held: 0, differences: [] });
    }
    const settled = requestsOf('settle');
    expect(settled.filter((requestId) => !paid.has(requestId))).toEqual([]);
    expect(broken).toEqual([]);
    // Otherwise the kills came when there was nothing to lose.
    expect(settled.length).toBeGreaterThan(0);
    expect(requestsOf('release').length).toBeGreaterThan(0);
    expect(paid.size).toBeLessThan(sent);
  }, 1_200_000);
});
