/** Several nodes on one PostgreSQL, and the database killed under them. */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { AccountStore } from '../../../src/accounts/ports/account-store.ts';
import type { OperatorStore } from '../../../src/accounts/ports/operator-store.ts';
import { openPostgresAccounts } from '../../../src/accounts/postgres/postgres-accounts.ts';
import { createPostgresOperator } from '../../../src/accounts/postgres/postgres-operator.ts';
import {
  applySteps,
  releaseDeadHolds,
  renewLease,
} from '../../../src/accounts/postgres/postgres-paid-calls.ts';
import { commandLine } from '../../../src/accounts/sql/operator-trail.ts';
import { databaseOptions } from '../../../src/database/postgres/database-options.ts';
import { migrate } from '../../../src/database/postgres/migrations/migrate-postgres.ts';
import { type Database, openDatabase } from '../../../src/database/postgres/postgres-database.ts';
import { createLog } from '../../../src/log.ts';
import { readSettings } from '../../../src/settings/config.ts';
import { NOW } from '../../support/accounts.ts';
import { addPerson, newHold, outcomesOf, type Person } from '../conformance/accounts-under-test.ts';
import { type Cluster, startCluster } from './postgres-cluster.ts';

const HOUR_MS = 3_600_000;

let cluster: Cluster;
let database: Database;
let operator: OperatorStore;
let nodes: [AccountStore, AccountStore];

const settings = () =>
  readSettings(
    {
      accountsAddress: cluster.url,
      accountConnectTimeoutMs: 60_000,
      accountStatementTimeoutMs: 60_000,
      // Nobody dies here but by hand: the lease is longer than any test.
      nodeLeaseMs: HOUR_MS,
    },
    {},
  );

async function openNode(): Promise<AccountStore> {
  const log = createLog(() => {});
  const store = await openPostgresAccounts({ log, settings: settings() });
  await store.joinAsNode();
  return store;
}

const addRich = (input: { credits: number; creditsPerMonthMax?: number }): Promise<Person> =>
  addPerson({ operator }, input);

beforeAll(async () => {
  cluster = startCluster();
  // Two that start at once make the tables once.
  nodes = await Promise.all([openNode(), openNode()]);
  database = openDatabase(databaseOptions(settings()));
  operator = createPostgresOperator(database, commandLine);
});

afterAll(async () => {
  for (const node of nodes) await node.close(0);
  await database.close();
  cluster.stop();
});

describe('two nodes', () => {
  it('hold no more together than the balance allows', async () => {
    const person = await addRich({ credits: 10 });
    const holds = Array.from({ length: 64 }, (_, i) => nodes[i % 2 ? 0 : 1].hold(newHold(person)));
    const held = (await Promise.all(holds)).filter((balance) => balance !== undefined);
    expect(held.sort((a, b) => a - b)).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9]);
  });

  it('hold no more together than the cap allows', async () => {
    const person = await addRich({ credits: 1_000, creditsPerMonthMax: 10 });
    const holds = Array.from({ length: 64 }, (_, i) => nodes[i % 2 ? 0 : 1].hold(newHold(person)));
    expect(await outcomesOf(holds)).toEqual({ resolved: 10, codes: ['key_cap_reached'] });
  });

  it('do not wait for each other forever, whatever customers their lists have', async () => {
    const people = await Promise.all(Array.from({ length: 8 }, () => addRich({ credits: 50 })));
    const steps = Array.from({ length: 400 }, async (_, i) => {
      const [node, other] = i % 2 ? nodes : [nodes[1], nodes[0]];
      const request = newHold(people[(i * 7 + (i % 2) * 3) % people.length] as Person);
      await node.hold(request);
      return await other.settle(request.requestId);
    });
    expect((await outcomesOf(steps)).resolved).toBe(400);
    expect((await operator.audit()).differences).toEqual([]);
  });

  it('answer a request with an Idempotency-Key once', async () => {
    const person = await addRich({ credits: 10 });
    const fingerprint = new Uint8Array([1]);
    const request = { customerId: person.customerId, idempotencyKey: 'once', fingerprint };
    const answers = nodes.map(async (node) => {
      const { requestId } = await held(node, person);
      const content = { headers: {}, body: '{}', expiresAt: NOW + 1_000, now: NOW };
      const holds = { charged: [requestId], released: [] };
      return await node.storeAnswer({ request, requestId, ...content, ...holds });
    });
    expect(await outcomesOf(answers)).toEqual({ resolved: 1, codes: ['idempotency_in_flight'] });
  });

  it('redeem a code of an OAuth client that the other one issued, once', async () => {
    const { customerId } = await addRich({ credits: 10 });
    const client = { clientId: 'https://a.example', redirectUri: 'https://a.example/', now: NOW };
    const codeChallenge = 'x'.repeat(43);
    const newCode = () =>
      nodes[0].addCode({
        ...client,
        codeChallenge,
        customerId,
        clientName: 'Agent',
        creditsPerMonthMax: 9,
        expiresAt: NOW + HOUR_MS,
        codesMax: 9,
      });
    const times = { accessTokenMs: HOUR_MS, refreshTokenMs: HOUR_MS, refreshGraceMs: 0 };
    const limits = { ...times, tokensPerGrantMax: 4, keysMax: 9, keysEverMax: 9 };
    const redeem = (node: AccountStore, code: string) =>
      node.redeemCode({ ...client, code, codeChallenge, limits });
    const issued = await redeem(nodes[1], await newCode());
    const admission = { secret: issued?.access ?? '', acceptsTokens: true, now: NOW };
    expect(await nodes[0].admit(admission)).toMatchObject({ key: { customerId } });
    const contested = await newCode();
    const both = await Promise.all(nodes.map((node) => redeem(node, contested)));
    expect(both.filter((tokens) => tokens !== undefined)).toHaveLength(1);
  });

  it('count toward one rate', async () => {
    const { secret } = await addPerson({ operator }, { requestsPerMinute: 10 });
    const all = await Promise.all(
      Array.from({ length: 32 }, (_, i) =>
        nodes[i % 2 ? 0 : 1].admit({ secret, acceptsTokens: false, now: NOW }),
      ),
    );
    expect(all.filter((admission) => admission?.rate.allowed)).toHaveLength(10);
  });

  it('gain nothing from clocks that differ', async () => {
    const { secret } = await addPerson({ operator }, { requestsPerMinute: 10 });
    const limits = { count: 'tries', name: 'somebody', attemptsMax: 10, windowMs: 60_000 };
    const allowed = { rate: 0, attempts: 0 };
    for (let i = 0; i < 40; i++) {
      // The other clock is three seconds ahead, in which half a request returns.
      const [node, now] = i % 2 ? [nodes[0], NOW] : [nodes[1], NOW + 3_000];
      const admission = await node.admit({ secret, acceptsTokens: false, now });
      if (admission?.rate.allowed) allowed.rate++;
      if ((await node.takeAttempt({ ...limits, now })).isAllowed) allowed.attempts++;
    }
    expect(allowed).toEqual({ rate: 10, attempts: 10 });
  });
});

async function held(node: AccountStore, person: Person) {
  const request = newHold(person);
  await node.hold(request);
  return request;
}

describe('a lease', () => {
  const setLease = (nodeId: string, lease: { until: string; since: string }) =>
    database.query(
      `INSERT INTO nodes VALUES ($1, now() + $2::interval, now() + $3::interval)
       ON CONFLICT (id) DO UPDATE
         SET lease_until = excluded.lease_until, held_since = excluded.held_since`,
      [nodeId, lease.until, lease.since],
    );
  const holdAs = async (nodeId: string, person: Person) => {
    const request = newHold(person);
    await applySteps(database, [{ kind: 'hold', ...request }], nodeId);
    return request.requestId;
  };
  const reap = (nodeId: string) =>
    releaseDeadHolds(database, { nodeId, leaseMs: HOUR_MS, now: NOW, limit: 1_000 });
  const isOpen = async (requestId: string) =>
    (await database.query('SELECT 1 FROM open_holds WHERE request_id = $1', [requestId])).length >
    0;
  it('that is over costs nobody a credit: the answer fails, and the node is well', async () => {
    const person = await addRich({ credits: 10 });
    const [node] = nodes;
    const { requestId } = await held(node, person);
    // As another node does when the lease is over.
    await nodes[1].release(requestId);
    const request = {
      customerId: person.customerId,
      idempotencyKey: 'too late',
      fingerprint: new Uint8Array([1]),
    };
    const content = { headers: {}, body: '{}', expiresAt: NOW + 1_000, now: NOW };
    const answer = { request, requestId, ...content, charged: [requestId], released: [] };
    await expect(node.storeAnswer(answer)).rejects.toMatchObject({ code: 'degraded' });
    expect(node.fault()).toBeUndefined();
    expect(await node.readBalance(person.customerId)).toBe(10);
  });

  const alive = { until: '1 hour', since: '-3 hours' };

  it('lets others release the holds of a node when it is over, and only those', async () => {
    const person = await addRich({ credits: 10 });
    const [living, dead, gone, reaper] = [randomUUID(), randomUUID(), randomUUID(), randomUUID()];
    await setLease(living, { until: '1 second', since: '-1 hour' });
    await setLease(living, alive);
    await setLease(dead, { until: '-1 second', since: '-3 hours' });
    await setLease(reaper, alive);
    const ids = [];
    for (const nodeId of [living, dead, gone, reaper]) ids.push(await holdAs(nodeId, person));
    // What other tests have left belongs to living nodes.
    expect(await reap(reaper)).toBe(2);
    expect(await Promise.all(ids.map(isOpen))).toEqual([true, false, false, true]);
    expect(await reap(reaper)).toBe(0);
  });

  it('must have been held for two lengths by who releases', async () => {
    const person = await addRich({ credits: 10 });
    const id = await holdAs(randomUUID(), person);
    const reaper = randomUUID();
    for (const since of ['0 hours', '-119 minutes']) {
      await setLease(reaper, { until: '1 hour', since });
      expect(await reap(reaper)).toBe(0);
    }
    await setLease(reaper, { until: '-1 second', since: '-3 hours' });
    expect(await reap(reaper)).toBe(0);
    expect(await isOpen(id)).toBe(true);
    await setLease(reaper, { until: '1 hour', since: '-121 minutes' });
    expect(await reap(reaper)).toBe(1);
  });

  it('begins anew after a gap, so that nodes do not release each other after an outage', async () => {
    const person = await addRich({ credits: 10 });
    const [first, second] = [randomUUID(), randomUUID()];
    for (const nodeId of [first, second]) {
      await setLease(nodeId, { until: '-1 minute', since: '-9 hours' });
    }
    const id = await holdAs(first, person);
    await renewLease(database, second, HOUR_MS);
    expect(await reap(second)).toBe(0);
    await renewLease(database, first, HOUR_MS);
    expect(await isOpen(id)).toBe(true);
    await renewLease(database, first, HOUR_MS);
    const [row] = await database.query<{ fresh: boolean }>(
      "SELECT held_since > now() - interval '1 hour' AS fresh FROM nodes WHERE id = $1",
      [first],
    );
    expect(row?.fresh).toBe(true);
    await applySteps(database, [{ kind: 'release', requestId: id, now: NOW }], first);
  });
});

describe('a hold whose answer was lost', () => {
  it('is released by what comes after it, although it commits late', async () => {
    const person = await addRich({ credits: 10 });
    const nodeId = randomUUID();
    const request = newHold(person);
    let releasing: Promise<unknown> | undefined;
    await database.transaction(async (queries) => {
      await applySteps(queries, [{ kind: 'hold', ...request }], nodeId);
      const release = { kind: 'release' as const, requestId: request.requestId, now: NOW };
      releasing = applySteps(database, [release], nodeId);
      const isWaiting = async () =>
        (await queries.query("SELECT 1 FROM pg_locks WHERE locktype = 'advisory' AND NOT granted"))
          .length;
      await expect.poll(isWaiting).toBe(1);
    });
    expect(await releasing).toEqual([{ balance: 10, failure: null }]);
  });
});

describe('the database', () => {
  it('refuses to change, delete, or empty the ledger', async () => {
    for (const sql of [
      'UPDATE ledger_entries SET credits = 1',
      'DELETE FROM ledger_entries',
      'TRUNCATE ledger_entries CASCADE',
    ]) {
      await expect(database.query(sql)).rejects.toThrow('never changed or deleted');
    }
  });

  it('is not used by a version that does not know its tables', async () => {
    await database.query('INSERT INTO migrations VALUES (1000, now())');
    await expect(migrate(database)).rejects.toMatchObject({ code: 'database_unusable' });
    await database.query('DELETE FROM migrations WHERE number = 1000');
    await migrate(database);
  });

  it('charges nothing without an answer and loses no hold, however often it is killed', async () => {
    const person = await addRich({ credits: 1_000_000 });
    const [kept, failed, settled] = [new Set<string>(), new Set<string>(), new Set<string>()];
    let isDone = false;
    const client = async (node: AccountStore): Promise<void> => {
      while (!isDone) {
        const request = newHold(person);
        const { requestId } = request;
        const balance = await node.hold(request).catch(() => undefined);
        (balance === undefined ? failed : kept).add(requestId);
        // Without a hold there is no answer, so nothing is settled.
        if (balance !== undefined) {
          await node.settle(requestId).then(
            () => settled.add(requestId),
            () => {},
          );
        }
        await new Promise((resolve) => setImmediate(resolve));
      }
    };
    const clients = nodes.flatMap((node) => Array.from({ length: 8 }, () => client(node)));
    for (let kill = 0; kill < 3; kill++) {
      const before = settled.size;
      await expect.poll(() => settled.size).toBeGreaterThan(before + 50);
      cluster.crash();
    }
    const before = settled.size;
    await expect.poll(() => settled.size).toBeGreaterThan(before + 50);
    isDone = true;
    await Promise.all(clients);
    for (const node of nodes) await expect.poll(() => node.counts().pending).toBe(0);
    const entries = async (kind: string): Promise<Set<string>> => {
      const sql =
        'SELECT request_id AS id FROM ledger_entries WHERE kind = $1 AND customer_id = $2';
      const rows = await database.query<{ id: string }>(sql, [kind, person.customerId]);
      return new Set(rows.map(({ id }) => id));
    };
    const [holds, settles] = [await entries('hold'), await entries('settle')];
    expect([...kept].filter((id) => !holds.has(id))).toEqual([]);
    expect([...settles].filter((id) => !kept.has(id))).toEqual([]);
    expect([...kept].filter((id) => !settles.has(id))).toEqual([]);
    const open = 'SELECT 1 FROM open_holds WHERE customer_id = $1';
    expect(await database.query(open, [person.customerId])).toEqual([]);
    expect((await operator.audit()).differences).toEqual([]);
  });
});
