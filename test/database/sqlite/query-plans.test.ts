/**
 * Nobody waits for a scan: every statement that the main thread and the ledger's thread prepare is
 * found, and SQLite is asked how it would run it. The service runs in this process; what its ledger
 * thread does is done here too. Whoever adds a statement to a file that these threads use must run
 * it here, or say why neither thread does.
 */
import { readFileSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import {
  type AccountWriteInput,
  type AccountWriteName,
  createLedgerHandler,
  type LedgerOperation,
} from '../../../src/accounts/ledger-thread/ledger-worker.ts';
import { type CreatedKey, listKeysOf, newSecret } from '../../../src/accounts/sql/api-keys.ts';
import type { BillingNotice } from '../../../src/accounts/sql/billing-notice-rows.ts';
import { topUp } from '../../../src/accounts/sql/credit-entries.ts';
import { findLogin, type Login } from '../../../src/accounts/sql/passwords.ts';
import type { PaymentEvent } from '../../../src/accounts/sql/payment-decisions.ts';
import { listOpenCheckouts } from '../../../src/accounts/sql/payments.ts';
import { createLink } from '../../../src/accounts/sql/sign-in-links.ts';
import { type RunningService, startService } from '../../../src/commands/service.ts';
import { openStore } from '../../../src/database/open.ts';
import type { Connection } from '../../../src/database/sqlite/connection.ts';
import { identifyFile } from '../../../src/database/sqlite/file-identity.ts';
import { changeOnSqlite, runOnSqlite } from '../../../src/database/sqlite/run-on-sqlite.ts';
import { createLog } from '../../../src/log.ts';
import { readSettings } from '../../../src/settings/config.ts';
import { connectClient, newCode } from '../../support/connected-client.ts';
import { addKey, addReturned, addSearches, addSomeone, PASSWORD } from '../../support/history.ts';
import { createClient, signedInClient } from '../../support/pages.ts';
import { copySampleIndex, postSearch, removeDatabase } from '../../support/service.ts';
import { recordStatements } from '../../support/statements.ts';
import {
  addGone,
  answerTo,
  askLanes,
  billingInBackground,
  billingInputs,
  customerPaths,
  ownKey,
  recordOf,
} from './account-inputs.ts';
import * as operator from './operator-inputs.ts';
import { elsewhere, filesElsewhere, filesNotLoaded } from './statements-elsewhere.ts';

vi.mock(import('../../../src/database/sql/sql.ts'), async (original) => {
  const { notingWork } = await import('../../support/statements.ts');
  return notingWork(await original());
});

const ADA = 'ada@example.org';
const top = resolve(import.meta.dirname, '../../..');

/** Tables that may be read as a whole, and why. */
const small: Readonly<Record<string, string>> = {
  open_holds: 'as few as searches in flight',
  index_facts: 'a handful of names',
  operators: 'a handful of people',
  alert_settings: 'as few as kinds',
  alert_states: 'as few as kinds and servers',
  index_updates: 'as few as are kept',
  sources: 'at most 200',
  json_each: 'a parameter, not a table',
  card_removals: 'a handful of cards',
};

/** Statements that may scan what grows, by function and text, and why. */
const scans: readonly [name: string, text: string, why: string][] = [
  ['accounts/sql/entry-ids.ts firstIdSince', 'ORDER BY id DESC LIMIT 1', 'the last of an index'],
  [
    'lanes/records/lane-cache.ts prepareWrite',
    'ORDER BY stored_at, rowid LIMIT 1',
    'the first of an index',
  ],
  ['accounts/sql/request-rows.ts insertRequests', 'AS (VALUES', 'the rows to insert'],
];

let database: string;
let service: RunningService;
let db: Connection;
const prepared = recordStatements();

beforeAll(async () => {
  database = await copySampleIndex();
  const { customerId } = addSomeone(database, { email: ADA, credits: 100 });
  const created = addKey(database, customerId, 'Notebook');
  addSearches(database, { customerId, keyId: created.key.id }, { days: 3, countOf: () => 2 });
  addReturned(database, { customerId, keyId: created.key.id });
  const baseSettings = {
    database,
    host: '127.0.0.1',
    port: 0,
    metricsPort: 0,
    searchThreads: 1,
    warmUpSearches: 3,
    ...billingInBackground,
  };
  service = await startService({
    settings: readSettings({ ...baseSettings, selfRegistration: true }, {}),
    log: createLog(() => {}),
    openLanes: async () => undefined,
  });
  db = openStore({ path: database, lockWaitMs: 5_000 });
  await visitEverything(`http://127.0.0.1:${service.port}`, created);
  writeEverything(customerId, created.key.id);
  askLanes(database);
});
afterAll(async () => {
  db?.close();
  await service?.stop();
  if (database !== undefined) await removeDatabase(database);
});

/** Every page and endpoint, with every filter. */
async function visitEverything(url: string, { key, secret }: CreatedKey): Promise<void> {
  const found = await postSearch(url, secret);
  expect(found.status).toBe(200);
  const requestId = found.headers.get('x-request-id');
  const repeatable = { headers: { 'idempotency-key': 'visit' } };
  expect((await postSearch(url, secret, repeatable)).status).toBe(200);
  const refused = await postSearch(url, newSecret().secret);
  expect(refused.status).toBe(401);
  const headers = { Authorization: `Bearer ${secret}` };
  expect((await fetch(`${url}/v1/usage`, { headers })).status).toBe(200);
  expect((await fetch(`${url}/health`)).status).toBe(200);
  expect((await fetch(`http://127.0.0.1:${service.metricsPort}/metrics`)).status).toBe(200);
  const visitor = createClient(url);
  const { memberId = 0 } = runOnSqlite(db, findLogin(ADA)) ?? {};
  const { token } = changeOnSqlite(db, createLink({ memberId, expiresAt: Date.now() + 60_000 }));
  await visitor.get(`/dashboard/link?token=${token}`);
  await visitor.submit('/dashboard/register', { email: 'new@example.org' });
  await operator.visitAsOperator(url, db);
  const own = await signedInClient(url, ADA, PASSWORD);
  for (const path of [...customerPaths(key.prefix), `/requests/${requestId}`]) {
    const got = await own.get(`/dashboard${path}`);
    expect(got.status, path).toBe(200);
  }
  expect((await own.get('/dashboard/billing/none/receipt')).status).toBe(404);
  const search = { query: 'does sleep help memory', limit: '3', key: key.prefix };
  const tried = await own.submit('/dashboard/try', search);
  expect((await own.get(String(tried.headers.location))).status).toBe(200);
}

/** Every operation of the ledger's thread. */
function writeEverything(customerId: number, keyId: number): void {
  const file = identifyFile(database);
  if (file === undefined) throw new Error('the test has lost its database');
  const handle = createLedgerHandler({ path: database, lockWaitMs: 5_000, file });
  const now = Date.now();
  const price = { credits: 9, amount: 9, currency: 'usd' };
  const placed = { orderId: 'o', customerId, ...price, perHourMax: 5, now };
  const checkout = { orderId: 'o', session: 's', url: 'u', expiresAt: now };
  const paid = { orderId: 'o', paymentIntent: 'pi', amount: 9, currency: 'usd' };
  const again: PaymentEvent = {
    id: 'e1',
    createdAt: now,
    kind: 'session',
    session: 's',
    state: 'paid',
    ...paid,
  };
  const events: PaymentEvent[] = [
    again,
    { id: 'e2', createdAt: now, kind: 'refund_sum', ...paid, amount: 3 },
    { id: 'e5', createdAt: now, kind: 'refund', refund: 'r', ...paid, hasFailed: true },
    { id: 'e3', createdAt: now, kind: 'dispute', dispute: 'd', ...paid, takesBack: true },
    {
      id: 'e4',
      createdAt: now,
      kind: 'session',
      session: 's2',
      state: 'paid',
      ...paid,
      orderId: 'o2',
      paymentIntent: 'pi2',
    },
  ];
  // The operator has counted this payment by hand, and wrong.
  changeOnSqlite(db, topUp({ customerId, credits: 1, reference: 's2', now }));
  const account = <Name extends AccountWriteName>(
    name: Name,
    input: AccountWriteInput<Name>,
  ): LedgerOperation => ({ kind: 'account', name, input });
  const operations: LedgerOperation[] = [
    { kind: 'probe' },
    { kind: 'hold', requestId: 'a', customerId, keyId, credits: 1, now },
    { kind: 'settle', requestId: 'a', now },
    { kind: 'hold', requestId: 'b', customerId, keyId, credits: 1, now },
    { kind: 'release', requestId: 'b', now },
    { kind: 'hold', requestId: 'c', customerId, keyId, credits: 1, now },
    { kind: 'hold', requestId: 'd', customerId, keyId, credits: 1, now },
    { kind: 'settle', requestId: 'd', now },
    { kind: 'answer', answer: answerTo(customerId, now) },
    account('placeOrder', placed),
    account('openCheckout', checkout),
    account('placeOrder', { ...placed, orderId: 'o2' }),
    account('openCheckout', { ...checkout, orderId: 'o2', session: 's2' }),
    ...events.map((event) => account('recordPaymentEvent', { event, now })),
  ];
  for (const operation of operations) {
    expect(handle([operation])[0], operation.kind).not.toHaveProperty('failure');
  }
  const { passwordHash, memberId } = runOnSqlite(db, findLogin(ADA)) as Login & {
    passwordHash: string;
  };
  const member = { customerId, email: 'm@example.org', role: 'billing', now } as const;
  const invited = { ...member, membersMax: 9, linkExpiresAt: now };
  const limits = { lifetimeMs: 60_000, idleMs: 60_000, perMemberMax: 5 };
  const minted = handle([
    { kind: 'account', name: 'createLink', input: { memberId, expiresAt: now + 60_000 } },
    { kind: 'account', name: 'inviteMember', input: invited },
    { kind: 'account', name: 'createOwnKey', input: ownKey(customerId, now) },
    { kind: 'account', name: 'createOwnKey', input: ownKey(customerId, now) },
  ]) as { value: { token?: string; key?: { prefix: string }; member?: { id: number } } }[];
  const [token = '', , prefix = '', rotated = ''] = minted.map(
    ({ value }) => value.token ?? value.key?.prefix,
  );
  const invitedId = minted[1]?.value.member?.id ?? 0;
  const gone = addGone(db);
  const signedIn = operator.addSignedIn(db);
  const started = { memberId, limits, now, passwordHash };
  const [secret, hash] = [Buffer.alloc(20), Buffer.alloc(32)];
  const { client, code, refresh } = connectClient(db, handle, { customerId, now });
  const raised = { channel: 'mail', isRaised: true, told: now, triedAt: 0 };
  const alertState = { kind: 'disk', server: '', ...raised };
  // The compiler wants all of them.
  const inputs: { [Name in AccountWriteName]: AccountWriteInput<Name> } = {
    saveAlertState: { state: alertState, triedMax: 0 },
    createLink: { memberId, expiresAt: now },
    createOwnKey: ownKey(customerId, now),
    editOwnKey: {
      customerId,
      prefix,
      name: 'Edited',
      expiresAt: now,
      creditsPerMonthMax: 5,
      lanes: 'none',
    },
    rotateOwnSecret: { customerId, prefix: rotated, graceEnds: now + 60_000, now },
    revokeOwnKey: { customerId, prefix, now },
    setCustomerLanes: { customerId, lanes: 'web' },
    saveProfile: { customerId, name: 'Ada & Co', timeZone: 'Europe/Berlin' },
    recordRequests: recordOf(customerId, now),
    setAskedDays: { customerId, days: 0 },
    forgetAsked: { now, limit: 9 },
    deleteOldRequests: { before: 0, requestsMax: 9, limit: 9 },
    deleteRequestsOf: { customerId, limit: 9 },
    registerCustomer: { email: 'another@example.org', now },
    deleteUnconfirmed: { before: now + 1, now, limit: 9 },
    placeOrder: placed,
    openCheckout: checkout,
    cancelOrders: { customerId, orderId: 'o', now },
    recordPaymentEvent: { event: again, now },
    ...billingInputs(db, customerId, now),
    setLowBalance: { customerId, credits: 5 },
    startSession: { ...started, replaces: 'x' },
    renewHash: { memberId, passwordHash, newHash: passwordHash },
    replacePassword: { ...started, newHash: passwordHash },
    setPasswordByLink: { token, passwordHash, limits, now, welcomeCredits: 5 },
    enableSecondFactor: { email: ADA, secret, step: 1, recoveryHashes: [hash], keep: token, now },
    useSecondFactor: { email: ADA, proof: { step: 2 } },
    renewRecoveryCodes: { email: ADA, proof: { recoveryHash: hash }, recoveryHashes: [hash] },
    disableSecondFactor: { email: ADA, proof: { step: 3 } },
    touchSession: { token, now },
    endSession: { token },
    endSessions: { ownerId: memberId },
    endNamedSession: { ownerId: memberId, name: '0' },
    inviteMember: { ...invited, email: 'newer@example.org' },
    renewInvitation: { customerId, memberId, expiresAt: now },
    setMemberRole: { customerId, memberId, role: 'owner' },
    removeMember: { customerId, memberId: invitedId },
    deleteCustomer: { customerId: gone.id, memberId: gone.owner, creditsForfeited: 3, now },
    deleteAnswersOf: { customerId: gone.id, limit: 5 },
    deleteExpiredAnswers: { now, limit: 5 },
    deleteOldMeasures: { before: '2020-01-01', limit: 5 },
    deleteOldQuestions: { before: now, limit: 5 },
    addCode: newCode(customerId, now),
    redeemCode: { ...client, code, redirectUri: '', codeChallenge: '' },
    refreshGrant: { ...client, token: refresh },
    revokeToken: { ...client, token: refresh },
    ...operator.serverInputs(now),
    changeAsOperator: operator.asOperator(
      'topUp',
      { email: ADA, credits: 5, note: 'x', now },
      signedIn.token,
    ),
    ...operator.ownChanges(signedIn),
  };
  for (const [name, input] of Object.entries(inputs)) {
    handle([{ kind: 'account', name: name as AccountWriteName, input }]);
  }
  const receipt: BillingNotice = { customerId, kind: 'receipt', paymentId: 1 };
  handle([{ kind: 'account', name: 'claimNotice', input: { ...receipt, now } }]);
  runOnSqlite(db, listOpenCheckouts({ customerId, now }));
  const own = runOnSqlite(db, listKeysOf(customerId)).find(({ id }) => id === keyId);
  for (const change of operator.operatorChanges(ADA, own?.prefix ?? '', 'a')) {
    const name = 'changeAsOperator';
    const [outcome] = handle([{ kind: 'account', name, input: change }]);
    expect(outcome, change.name).not.toHaveProperty('failure');
  }
}

/** Tables, by their names in the statement, that SQLite would read as a whole. */
function scannedBy(sql: string): string[] {
  const plan = db.prepare(`EXPLAIN QUERY PLAN ${sql}`).all(parametersOf(sql)) as {
    detail: string;
  }[];
  return plan.flatMap(({ detail }) => {
    const name = /^SCAN (?!CONSTANT ROW|\d+-ROW|\()(\w+)/.exec(detail)?.[1];
    return name === undefined || name in small ? [] : [name];
  });
}

function mayScan(name: string, sql: string): boolean {
  return scans.some(([functionName, text]) => functionName === name && sql.includes(text));
}

/** null for each parameter: a plan does not depend on them. */
function parametersOf(sql: string): Record<string, null> | null[] {
  const names = [...sql.matchAll(/[:@](\w+)/g)].map((match) => match[1] as string);
  if (names.length > 0) return Object.fromEntries(names.map((name) => [name, null]));
  return Array((sql.match(/\?/g) ?? []).length).fill(null);
}

/** The functions with a `.prepare(` or a `query(`, by the lines of it: `accounts/sql/api-keys.ts listKeys` by `accounts/sql/api-keys.ts:79`. */
function placesIn(file: string): Map<string, string> {
  const lines = readFileSync(join(top, 'src', file), 'utf8').split('\n');
  const places = new Map<string, string>();
  let name = '';
  for (const [index, line] of lines.entries()) {
    name = /^(?:export )?function\*? (\w+)/.exec(line)?.[1] ?? name;
    if (/\.prepare\(|yield\* query(?:First)?[(<]/.test(line))
      places.set(`${file}:${index + 1}`, `${file} ${name}`);
  }
  return places;
}

/** The files with SQL that the two threads load; but for migrations, which run beforehand. */
function storeFiles(): string[] {
  const seen = new Set<string>();
  const visit = (path: string): void => {
    if (seen.has(path) || filesNotLoaded.includes(path)) return;
    if (path.startsWith('src/database/migrations/')) return;
    seen.add(path);
    const text = readFileSync(join(top, path), 'utf8').replace(/^import type [^;]+;/gm, '');
    for (const [, target = ''] of text.matchAll(/(?:from |import\()'(\.[^']+)'/g)) {
      visit(relative(top, resolve(top, path, '..', target)));
    }
  };
  for (const root of [
    'accounts/ledger-thread/ledger-worker',
    'commands/service',
    'lanes/open-lanes',
  ]) {
    visit(`src/${root}.ts`);
  }
  return [...seen].flatMap(
    (path) =>
      /^src\/((?:accounts|database|index|lanes\/records)\/[\w/-]+\.ts)$/.exec(path)?.[1] ?? [],
  );
}

describe('the main thread and the ledger’s thread', () => {
  const files = storeFiles().filter((file) => !filesElsewhere.includes(file));
  const places = new Map(files.flatMap((file) => [...placesIn(file)]));

  it('prepare statements at places that this test has all run', () => {
    const run = new Set([...prepared.values()].map(({ place }) => place));
    const missing = [...places]
      .filter(([place, name]) => !run.has(place) && !(name in elsewhere))
      .map(([place, name]) => `${place} (${name})`);
    expect(missing).toEqual([]);
    expect(places.size).toBeGreaterThan(60);
  });

  it('scan no table that grows', () => {
    const scanning = [...prepared.values()].flatMap(({ sql, place }) => {
      const name = places.get(place);
      if (name === undefined || name in elsewhere || mayScan(name, sql)) return [];
      return scannedBy(sql).map((table) => `${place} scans ${table}: ${sql}`);
    });
    expect(scanning).toEqual([]);
  });

  it('are excused for nothing that is not there', () => {
    const names = new Set(places.values());
    expect(Object.keys(elsewhere).filter((it) => !names.has(it))).toEqual([]);
    for (const [name, text] of scans) {
      const sqls = [...prepared.values()].filter(
        ({ place, sql }) => places.get(place) === name && sql.includes(text),
      );
      expect(
        sqls.flatMap(({ sql }) => scannedBy(sql)),
        name,
      ).not.toEqual([]);
    }
  });
});
