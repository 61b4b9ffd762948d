/** What the ledger's thread gets in the test of query plans. */

import {
  placeTopUpOrder,
  saveTopUpCard,
  startTopUp,
} from '../../../src/accounts/sql/automatic-top-up-rows.ts';
import type { BillingNotice } from '../../../src/accounts/sql/billing-notice-rows.ts';
import { topUp } from '../../../src/accounts/sql/credit-entries.ts';
import { addCustomer, setLowBalance } from '../../../src/accounts/sql/customers.ts';
import { ownerOf } from '../../../src/accounts/sql/member-rows.ts';
import type { Connection } from '../../../src/database/sqlite/connection.ts';
import { changeOnSqlite, runOnSqlite } from '../../../src/database/sqlite/run-on-sqlite.ts';
import { openLaneStore } from '../../../src/lanes/records/lane-store.ts';
import { countsOf, recorded } from '../../support/recorded.ts';

/** What bills customers in the background runs, and reaches nobody: nobody listens there. */
export const billingInBackground = {
  smtpUrl: 'smtp://127.0.0.1:1',
  mailFrom: 'verbatim@example.org',
  noticeCheckMs: 1,
  stripeSecretKey: 'sk_test_x',
  stripeWebhookSecret: 'whsec_x',
  stripeAddress: 'http://127.0.0.1:1',
  topUpCheckMs: 1,
};

/** A notice of a low balance that nobody has claimed. */
function addNotice(db: Connection, customerId: number): BillingNotice {
  changeOnSqlite(db, setLowBalance({ customerId, credits: 1_000_000 }));
  const notice: BillingNotice = { customerId, kind: 'low_balance', paymentId: 0 };
  const insert = 'INSERT INTO billing_notices (customer_id, kind, retry_at) VALUES (?, ?, ?)';
  // The service that runs here does not take it.
  db.prepare(insert).run(customerId, notice.kind, Number.MAX_SAFE_INTEGER);
  return notice;
}

/** Somebody whose month allows no automatic order after the first. */
function fillMonth(db: Connection, now: number): void {
  const customerId = changeOnSqlite(db, addCustomer({ email: 'full@example.org', now })).id;
  const terms = { threshold: 9, credits: 9, amount: 9, currency: 'usd', amountPerMonthMax: 9 };
  changeOnSqlite(db, startTopUp({ ...terms, customerId, setUp: 'full', now }));
  const card = { stripeCustomer: 'c', paymentMethod: 'p', card: 'visa' };
  for (const _ of ['first', 'repeat']) {
    changeOnSqlite(db, saveTopUpCard({ ...card, setUp: 'full' }));
  }
  const order = { customerId, monthStart: 0, retryAt: now, expiresAt: now, now };
  changeOnSqlite(db, placeTopUpOrder({ ...order, orderId: 'full' }));
  db.prepare("UPDATE payments SET state = 'expired' WHERE order_id = 'full'").run();
  changeOnSqlite(db, placeTopUpOrder({ ...order, orderId: 'too much' }));
}

/** Every change of billing, in an order in which each finds something. */
export function billingInputs(db: Connection, customerId: number, now: number) {
  const notice = addNotice(db, customerId);
  fillMonth(db, now);
  const terms = { threshold: 9, credits: 9, amount: 9, currency: 'usd', amountPerMonthMax: 99 };
  const claim = { now, retryAt: now, limit: 5 };
  const card = { stripeCustomer: 'cus', paymentMethod: 'pm', card: 'visa' };
  const times = { monthStart: 0, retryAt: now, expiresAt: now, now };
  return {
    claimNotice: { ...notice, now },
    returnNotice: { ...notice, retryAt: now, attemptsMax: 2 },
    saveBuyer: { customerId, address: 'x', taxId: 'x' },
    startTopUp: { ...terms, customerId, setUp: 'first', now },
    saveTopUpCard: { ...card, setUp: 'first' },
    changeTopUp: { ...terms, threshold: 1_000_000, customerId, now },
    placeTopUpOrder: { customerId, orderId: 'automatic', ...times },
    claimTopUpOrders: claim,
    nameTopUpPayment: { orderId: 'automatic', paymentIntent: 'pi' },
    endTopUpOrder: { orderId: 'automatic', reason: 'declined' },
    pauseTopUp: { customerId, reason: 'declined' },
    turnOffTopUp: { customerId },
    claimCardRemovals: claim,
    endCardRemoval: { stripeCustomer: 'cus' },
  } as const;
}

/** A customer with credit, to be deleted. */
export function addGone(db: Connection): { id: number; owner: number } {
  const now = Date.now();
  const { id } = changeOnSqlite(db, addCustomer({ email: 'gone@example.org', now }));
  changeOnSqlite(db, topUp({ customerId: id, credits: 3, now }));
  return { id, owner: runOnSqlite(db, ownerOf(id)) };
}

/** An answer that is stored, with its charge. */
export const answerTo = (customerId: number, now: number) => ({
  request: { customerId, idempotencyKey: 'k', fingerprint: Buffer.alloc(32) },
  requestId: 'c',
  headers: {},
  body: '{}',
  charged: ['c'],
  released: [],
  expiresAt: now + 60_000,
  now,
});

/** A key that a customer makes. */
export const ownKey = (customerId: number, now: number) => ({
  customerId,
  name: 'Own',
  creditsPerMonthMax: null,
  keysMax: 9,
  keysEverMax: 9,
  now,
});

/** Every statement of the lanes that the service's threads run. */
export function askLanes(database: string): void {
  const { cache, records, close } = openLaneStore(
    { path: database, lockWaitMs: 0 },
    {
      laneCacheAgeMsMax: 9,
      laneCacheBytesMax: 9,
      laneCacheEntriesMax: 9,
      laneCachePendingMax: 9,
      laneCacheRetryMs: 9,
    },
  );
  cache.write('key', 'answer');
  records.setBackoff('arxiv', { reason: 'rate_limited', until: 9, consecutive: 1 });
  records.clearBackoff('arxiv');
  records.acquireLease('arxiv', 9);
  records.releaseLease('arxiv', 9);
  records.countRequest('arxiv');
  close();
}

/** A request and its count. */
export function recordOf(customerId: number, createdAt: number) {
  const requests = [recorded({ customerId, keyId: 1, createdAt })];
  return { requests, counts: countsOf(requests) };
}

/** All pages of a customer whose key has a prefix, with every filter. */
export function customerPaths(prefix: string): string[] {
  return [
    ...['', '/keys', `/keys/${prefix}/edit`],
    ...['/usage?days=90', `/usage?key=${prefix}`, `/usage.csv?days=30&key=${prefix}`],
    ...['/billing', '/billing/payments.csv', '/billing/payments.json', '/try'],
    `/billing/statements/${new Date().toISOString().slice(0, 7)}`,
    ...['/account', '/account/security', '/account/export.zip'],
    ...requestPaths(prefix),
  ];
}

/** Pages of requests and of ledger entries with every filter. */
function requestPaths(prefix: string): string[] {
  const filtered = [
    '',
    'path=/v1/search',
    'path=/mcp',
    'status=200',
    'status=failed',
    'status=402',
  ];
  const searched = filtered.flatMap((filter) => [
    ...[`/requests?${filter}`, `/requests?${filter}&key=${prefix}&before=9`],
    ...[`/requests?${filter}&from=2026-01-01&to=2100-01-01&after=9`, `/requests.csv?${filter}`],
  ]);
  const kinds = ['', 'payments', 'searches', 'returned'].map((kind) => `kind=${kind}`);
  const filters = kinds.flatMap((kind) => [kind, `${kind}&key=${prefix}`]);
  const entries = filters.flatMap((filter) => [
    `/accounting?${filter}`,
    `/accounting?${filter}&from=2026-01-01&to=2100-01-01&before=9`,
    `/accounting.csv?${filter}`,
  ]);
  return [...searched, ...entries];
}
