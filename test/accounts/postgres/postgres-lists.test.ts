/** Lists of steps on PostgreSQL: all at once, they do what they do one by one. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { auditLedger } from '../../../src/accounts/postgres/postgres-audit.ts';
import { createPostgresOperator } from '../../../src/accounts/postgres/postgres-operator.ts';
import { applySteps, type Step } from '../../../src/accounts/postgres/postgres-paid-calls.ts';
import { commandLine } from '../../../src/accounts/sql/operator-trail.ts';
import { migrate } from '../../../src/database/postgres/migrations/migrate-postgres.ts';
import { type Database, openDatabase } from '../../../src/database/postgres/postgres-database.ts';
import { NOW } from '../../support/accounts.ts';
import { createRandom, type Random } from '../../support/random.ts';
import { addPerson, type Person } from '../conformance/accounts-under-test.ts';
import { type Cluster, startCluster } from './postgres-cluster.ts';

const NODE = '00000000-0000-0000-0000-000000000001';
const DAY_MS = 86_400_000;
const TIMEOUT_MS = 60_000;

let cluster: Cluster;
let database: Database;

beforeAll(async () => {
  cluster = startCluster();
  database = openDatabase({
    url: cluster.url,
    // So that one connection has all plans.
    connectionsMax: 1,
    connectTimeoutMs: TIMEOUT_MS,
    statementTimeoutMs: TIMEOUT_MS,
  });
  await migrate(database);
});

afterAll(async () => {
  await database.close();
  cluster.stop();
});

const addRich = (input: { credits: number; creditsPerMonthMax?: number }): Promise<Person> =>
  addPerson({ operator: createPostgresOperator(database, commandLine) }, input);

/** Steps of some people. Some find no credit, exceed a cap, come twice, or have nothing to end. */
function drawList(random: Random, people: number, requests: string[]): DrawnStep[] {
  return Array.from({ length: 1 + random.below(8) }, () => {
    const now = NOW + random.below(3) * DAY_MS;
    if (requests.length === 0 || random.below(2) === 0) {
      const requestId = String(requests.push('') - 1);
      return {
        kind: 'hold',
        requestId,
        person: random.below(people),
        credits: 1 + random.below(3),
        now,
      };
    }
    const kind = random.below(3) === 0 ? 'release' : 'settle';
    const measures = { milliseconds: random.below(50), lanes: [], outcome: 'close' } as const;
    return { kind, requestId: String(random.below(requests.length)), now, measures };
  });
}

type DrawnStep =
  | { kind: 'hold'; requestId: string; person: number; credits: number; now: number }
  | Exclude<Step, { kind: 'hold' }>;

/** The steps with the people and the requests of one of the twins. */
function stepsOf(list: readonly DrawnStep[], people: readonly Person[], twin: string): Step[] {
  return list.map((step): Step => {
    const requestId = `${twin}-${step.requestId}`;
    if (step.kind !== 'hold') return { ...step, requestId };
    const { customerId, key } = people[step.person] as Person;
    return { ...step, requestId, customerId, keyId: key.id };
  });
}

/** What the tables say of people, without what differs between twins. */
async function tablesOf(people: readonly Person[]): Promise<unknown[]> {
  const read = (sql: string, id: number) => database.query(sql, [id]);
  const tables: unknown[] = [];
  for (const { customerId, key } of people) {
    tables.push(
      await read('SELECT balance FROM customers WHERE id = $1', customerId),
      await read(
        `SELECT kind, credits, balance, created_at, call FROM ledger_entries
         WHERE customer_id = $1 AND kind <> 'topup' ORDER BY id`,
        customerId,
      ),
      await read(
        'SELECT credits, created_at, node_id FROM open_holds WHERE customer_id = $1 ORDER BY 2, 1',
        customerId,
      ),
    );
    for (const table of ['usage', 'usage_days', 'latency_days', 'lane_days', 'outcome_days']) {
      const sql = `SELECT to_jsonb(t) - 'key_id' AS row FROM ${table} AS t WHERE key_id = $1 ORDER BY 1`;
      tables.push(await read(sql, key.id));
    }
  }
  return tables;
}

describe('a list', () => {
  it('does at once what its steps do one by one', async () => {
    const random = createRandom(19);
    const wealth = [{ credits: 40 }, { credits: 9 }, { credits: 40, creditsPerMonthMax: 12 }];
    const together: Person[] = [];
    const apart: Person[] = [];
    for (const input of wealth) {
      together.push(await addRich(input));
      apart.push(await addRich(input));
    }
    const requests: string[] = [];
    for (let round = 0; round < 60; round++) {
      const list = drawList(random, wealth.length, requests);
      const all = await applySteps(database, stepsOf(list, together, 'together'), NODE);
      const each = [];
      for (const step of stepsOf(list, apart, 'apart')) {
        each.push(...(await applySteps(database, [step], NODE)));
      }
      expect(all).toEqual(each);
    }
    expect(await tablesOf(together)).toEqual(await tablesOf(apart));
    expect((await auditLedger(database)).differences).toEqual([]);
  });

  it('reads few rows of the ledger, also with the plans of a connection that knew it empty', async () => {
    const { customerId, key } = await addRich({ credits: 10_000 });
    const rowsRead = async (): Promise<number> => {
      await database.query('SELECT pg_stat_force_next_flush()');
      const [row] = await database.query<{ read: number }>(
        `SELECT sum(idx_tup_read)::bigint AS read FROM pg_stat_user_indexes
         WHERE relname IN ('ledger_entries', 'open_holds', 'customers')`,
      );
      return row?.read ?? 0;
    };
    const before = await rowsRead();
    const lists = 150;
    let open: Step[] = [];
    for (let list = 0; list < lists; list++) {
      const ended = open.map((step): Step => ({ ...step, kind: 'settle' }));
      open = [0, 1].map((number): Step => {
        const requestId = `many-${list}-${number}`;
        return { kind: 'hold', requestId, customerId, keyId: key.id, credits: 1, now: NOW };
      });
      await applySteps(database, [...open, ...ended], NODE);
    }
    const perList = ((await rowsRead()) - before) / lists;
    // Each of the four steps of a list looks up some rows. The ledger has 600 at the end.
    expect(perList).toBeGreaterThan(4);
    expect(perList).toBeLessThan(60);
  });
});
