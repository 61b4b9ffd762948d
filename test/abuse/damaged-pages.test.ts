/**
 * Servers on a file in which pages of one table are overwritten. The first customer's rows are on those
 * pages, the last one's are not.
 */
import { setTimeout as wait } from 'node:timers/promises';
import {
  afterAll,
  afterEach,
  beforeAll,
  beforeEach,
  describe,
  expect,
  it,
  onTestFinished,
} from 'vitest';
import { createKey } from '../../src/accounts/sql/api-keys.ts';
import { topUp } from '../../src/accounts/sql/credit-entries.ts';
import { addCustomer, readBalance } from '../../src/accounts/sql/customers.ts';
import { auditLedger } from '../../src/accounts/sqlite/ledger/audit.ts';
import { createLedger } from '../../src/accounts/sqlite/ledger/ledger.ts';
import { changeOnSqlite, runOnSqlite } from '../../src/database/sqlite/run-on-sqlite.ts';
import { send } from '../http/contract.ts';
import { type DamagedPages, type DamageOptions, damagePages } from '../support/damage.ts';
import { inStore } from '../support/history.ts';
import { feedOf, paperEntry } from '../support/lanes/arxiv-stub.ts';
import { startStub } from '../support/lanes/stub-server.ts';
import { withLimits } from '../support/limits.ts';
import { PATIENT } from '../support/patient.ts';
import { scrape } from '../support/scrape.ts';
import {
  copySampleIndex,
  postSearch,
  removeDatabase,
  type Service,
  startService,
} from '../support/service.ts';

/** So many that a tree that grows has more than three leaves: SQLite reads three when the last one is full. */
const CUSTOMERS = 1_200;
const CREDITS = 1_000;
/** Searches of each customer, which take turns, with a look at `/health` after each. */
const SEARCHES = 8;
const QUESTIONS = [
  'does sleep help memory',
  'how do vaccines protect against measles',
  'what makes an index of a database fast',
  'how do stars and galaxies form',
  'do soils store carbon',
];

let database: string;
let service: Service;
let damaged: DamagedPages;
/** The secrets of the first and of the last customer. */
let keys: { first: string; last: string };

let original: string;
beforeAll(async () => {
  original = await copySampleIndex();
  keys = inStore(original, (db) => db.transaction(() => fill(db))());
});
afterAll(() => removeDatabase(original));
beforeEach(async () => {
  database = await copySampleIndex(original);
});
afterEach(async () => {
  await service.end();
  await removeDatabase(database);
});

/** Adds customers, each with credit, a key, and one search. */
function fill(db: Parameters<Parameters<typeof inStore>[1]>[0]): typeof keys {
  const now = Date.now();
  const ledger = createLedger(db);
  const limits = { requestsPerMinute: 10_000, inFlightMax: null };
  const secrets = Array.from({ length: CUSTOMERS }, (_, n) => {
    const customerId = changeOnSqlite(
      db,
      addCustomer({ email: `customer-${n}@example.org`, now }),
    ).id;
    changeOnSqlite(db, topUp({ customerId, credits: CREDITS, now }));
    const { key, secret } = changeOnSqlite(
      db,
      createKey({ customerId, name: 'default', ...limits, now }),
    );
    const requestId = `search-${n}`;
    ledger.hold({ requestId, customerId, keyId: key.id, credits: 1, now });
    ledger.settle(requestId, now);
    return secret;
  });
  return { first: secrets[0] as string, last: secrets.at(-1) as string };
}

interface Health {
  status: string;
  reason?: string;
  damaged?: { part: string; reason: string; since: string }[];
}

async function health(): Promise<[status: number, Health]> {
  const response = await fetch(`${service.url}/health`);
  return [response.status, (await response.json()) as Health];
}

async function search(secret: string, query: string, headers = {}): Promise<number> {
  const response = await postSearch(service.url, secret, { body: { query }, headers });
  await response.text();
  return response.status;
}

const first = (leaves: number[]): number[] => leaves.slice(0, 1);
const last = (leaves: number[]): number[] => leaves.slice(-1);
const half = (leaves: number[]): number[] => leaves.filter((_, index) => index % 2 === 0);

/** Statuses of the searches of both customers, which take turns, and states of `/health` after the first. */
async function traffic() {
  const statuses = { first: [] as number[], last: [] as number[] };
  const states = new Set<string>();
  for (let asked = 0; asked < SEARCHES; asked++) {
    const query = QUESTIONS[asked % QUESTIONS.length] as string;
    statuses.first.push(await search(keys.first, query));
    // A call without a result that can be charged is known after its response.
    if (asked === 0) await wait(500);
    statuses.last.push(await search(keys.last, query));
    const [status, { reason = '' }] = await health();
    states.add(`${status} ${reason}`);
  }
  return { ...statuses, states: [...states] };
}

function balances(): Record<'first' | 'last', number> {
  return inStore(database, (db) => ({
    first: runOnSqlite(db, readBalance(1)),
    last: runOnSqlite(db, readBalance(CUSTOMERS)),
  }));
}

/** Ends the server, writes the pages back, and expects a ledger and a server that are well. */
async function expectWellAfterRepair(charged: Record<'first' | 'last', number>): Promise<void> {
  await service.end();
  damaged.repair();
  service = await startService(database);
  const [status, { status: state, damaged: parts }] = await health();
  expect([status, state, parts]).toEqual([200, 'ok', undefined]);
  const audit = inStore(database, auditLedger);
  expect([audit.differences, audit.held]).toEqual([[], 0]);
  expect(balances()).toEqual({
    first: CREDITS - 1 - charged.first,
    last: CREDITS - 1 - charged.last,
  });
  expect(await search(keys.first, 'does sleep help memory')).toBe(200);
}

/** How often a status came. */
const count = (statuses: readonly number[], status: number): number =>
  statuses.filter((each) => each === status).length;

describe('damage that searches or the ledger need', () => {
  const DAMAGE = /^503 \w+: the database is damaged \(SQLITE_CORRUPT\w*\)$/;
  interface Case {
    part: string;
    choose?: DamageOptions['choose'];
    /** Free searches of the first customer, before it is known that they cannot be charged. */
    free?: number;
    /** Whether the last customer's searches go on. */
    goesOn?: boolean;
  }
  const cases: [table: string, Case][] = [
    ['customers', { part: 'keys_and_credit', choose: first, goesOn: true }],
    ['usage', { part: 'ledger', choose: first, free: 1, goesOn: true }],
    ['usage_days', { part: 'ledger', choose: first, free: 1, goesOn: true }],
    ['ledger_entries_by_customer', { part: 'ledger', choose: first, goesOn: true }],
    ['ledger_entries', { part: 'ledger', choose: last }],
  ];

  it.each(cases)('%s', async (table, { part, choose, free = 0, goesOn = false }) => {
    damaged = damagePages(database, table, choose && { choose });
    service = await startService(database);
    expect((await health())[0]).toBe(200);
    const { first, last, states } = await traffic();
    expect(states).toEqual([expect.stringMatching(DAMAGE)]);
    expect(states[0]).toContain(` ${part}: `);
    expect(first).toEqual([...Array(free).fill(200), ...Array(first.length - free).fill(503)]);
    expect(new Set(last)).toEqual(new Set([goesOn ? 200 : 503]));
    const reading = await scrape(service.metricsUrl);
    expect(reading.sum('verbatim_damaged_parts', { part, blocking: 'true' })).toBe(1);
    expect(service.log.filter(({ event }) => event === 'damaged')).toHaveLength(1);
    expect(service.log.filter(({ event }) => event === 'recovered')).toEqual([]);
    await expectWellAfterRepair({ first: 0, last: count(last, 200) });
  });

  it('postings, which some questions need', async () => {
    damaged = damagePages(database, 'postings', { choose: half });
    service = await startService(database);
    const { first, last, states } = await traffic();
    expect(states).toEqual([expect.stringMatching(DAMAGE)]);
    expect(new Set([...first, ...last])).toEqual(new Set([200, 503]));
    await expectWellAfterRepair({ first: count(first, 200), last: count(last, 200) });
  });

  it('stored answers, which searches with an Idempotency-Key need', async () => {
    damaged = damagePages(database, 'stored_answers');
    service = await startService(database);
    const repeatable = { 'Idempotency-Key': 'once' };
    expect(await search(keys.first, 'does sleep help memory', repeatable)).toBe(503);
    expect((await health())[0]).toBe(503);
    const { first, states } = await traffic();
    expect(new Set(first)).toEqual(new Set([200]));
    expect(states).toEqual([expect.stringMatching(DAMAGE)]);
    await expectWellAfterRepair({ first: first.length, last: first.length });
  });
});

describe('damage that searches do not need', () => {
  /** Expects `/health`, the metrics, and the operator's page to name the part, and a search to be served. */
  async function expectNamed(part: string): Promise<void> {
    expect(await search(keys.last, 'does sleep help memory')).toBe(200);
    const reason = `${part}: the database is damaged (SQLITE_CORRUPT)`;
    const since = expect.stringMatching(/^20\d\d-.*Z$/);
    const [status, body] = await health();
    expect([status, body.status, body.damaged]).toEqual([200, 'ok', [{ part, reason, since }]]);
    const reading = await scrape(service.metricsUrl);
    expect(reading.sum('verbatim_damaged_parts', { part, blocking: 'false' })).toBe(1);
    expect(reading.sum('verbatim_ready')).toBe(1);
    const { text } = await send(service.operatorUrl, { path: '/operator' });
    expect(text).toContain(`database file is damaged (${part})`);
  }

  async function serveDamaged(table: string, env: Record<string, string> = {}): Promise<void> {
    damaged = damagePages(database, table);
    service = await startService(database, { VERBATIM_OPERATOR: 'true', ...env });
    expect(await health()).toEqual([200, expect.not.objectContaining({ damaged: [] })]);
  }

  it('titles, by which references are verified', async () => {
    await serveDamaged('title_keys');
    const body = JSON.stringify({ items: [{ reference: { title: 'Sleep after learning' } }] });
    const headers = { authorization: `Bearer ${keys.last}`, 'content-type': 'application/json' };
    const verified = await send(service.url, { method: 'POST', path: '/v1/verify', headers, body });
    expect([verified.status, verified.headers['x-credit-balance']]).toEqual([
      503,
      String(CREDITS - 1),
    ]);
    await expectNamed('index');
    await expectWellAfterRepair({ first: 0, last: 1 });
  });

  it('a page of customers, and a page of the operator', async () => {
    await serveDamaged('sessions');
    const headers = { cookie: `verbatim=${'a'.repeat(43)}` };
    expect((await send(service.url, { path: '/dashboard', headers })).status).toBe(503);
    await expectNamed('accounts');
    await service.end();
    damaged.repair();

    await serveDamaged('operator_actions');
    expect((await send(service.operatorUrl, { path: '/operator/trail' })).status).toBe(503);
    await expectNamed('accounts');
  });

  it('a sample of the server, which the thread of the ledger writes', async () => {
    await serveDamaged('server_samples', withLimits({ historyStepMs: 50 }));
    await expect.poll(async () => (await health())[1].damaged?.length, PATIENT).toBe(1);
    await expectNamed('accounts');
    expect(service.log.filter(({ event }) => event === 'degraded')).toEqual([]);
  });

  it('the cache of lanes, without which a provider is asked', async () => {
    const arxiv = await startStub(feedOf([paperEntry]));
    onTestFinished(() => arxiv.close());
    await serveDamaged('lane_answers', {
      VERBATIM_LANES: 'arxiv',
      VERBATIM_LANE_CONTACT: 'ops@example.org',
      VERBATIM_ARXIV_URL: arxiv.url,
    });
    expect(await search(keys.last, 'how do sourdough starters resist moulds')).toBe(200);
    expect(arxiv.requests).toHaveLength(1);
    await expectNamed('lanes');
  });
});

it('a server does not start without what it must read then, and says why', async () => {
  for (const table of ['index_facts', 'open_holds']) {
    damaged = damagePages(database, table);
    await expect(startService(database)).rejects.toThrow(
      /cannot use \S+ as a database: the database is damaged \(SQLITE_CORRUPT/,
    );
    damaged.repair();
  }
  service = await startService(database);
  expect((await health())[0]).toBe(200);
});
