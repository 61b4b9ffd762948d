/** A database in which every page has much to show, and who looks at it. */

import { createKey } from '../../src/accounts/sql/api-keys.ts';
import { topUp } from '../../src/accounts/sql/credit-entries.ts';
import { addCustomer } from '../../src/accounts/sql/customers.ts';
import { ownerOf } from '../../src/accounts/sql/member-rows.ts';
import { enrollOperator } from '../../src/accounts/sql/operator-sign-in-rows.ts';
import { addAction } from '../../src/accounts/sql/operator-trail.ts';
import { addOperator } from '../../src/accounts/sql/operators.ts';
import { recordRequests } from '../../src/accounts/sql/request-rows.ts';
import { addSession } from '../../src/accounts/sql/sessions.ts';
import { createLedger } from '../../src/accounts/sqlite/ledger/ledger.ts';
import type { Connection } from '../../src/database/sqlite/connection.ts';
import { changeOnSqlite, runOnSqlite } from '../../src/database/sqlite/run-on-sqlite.ts';
import { addOrder, take } from '../../test/accounts/payments/orders.ts';
import { sessionObject, stripeEvent } from '../../test/accounts/payments/stripe-stub.ts';
import { addPayer } from '../../test/support/billing-history.ts';
import {
  addKey,
  addReturned,
  addSearches,
  inStore,
  PASSWORD_HASH,
} from '../../test/support/history.ts';
import { countsOf, recorded } from '../../test/support/recorded.ts';
import { addSamples } from './add-samples.ts';

export interface Filled {
  customerId: number;
  /** The prefix of one of the customer's keys. */
  prefix: string;
  /** Of a payment that has a receipt. */
  orderId: string;
  /** Cookies with the sessions of the customer and of an operator. */
  cookies: Record<string, string>;
}

const DAY_MS = 86_400_000;
const MINUTE_MS = 60_000;
/** Days over which the searches are spread. */
const DAYS = 90;
/** Days of which requests are kept. */
const REQUEST_DAYS = 14;
const ACTIONS = 2_000;
const SESSIONS = 20;
const ORIGIN = { device: 'Firefox on Linux', address: '192.0.2.7' };
const LIMITS = { lifetimeMs: DAY_MS, idleMs: DAY_MS, perMemberMax: SESSIONS };

export function fillDatabase(
  database: string,
  options: Record<'searches' | 'requests' | 'keys' | 'payments' | 'customers', number>,
): Filled {
  const { customerId } = addPayer(database, 'ada@example.org');
  inStore(database, (db) => {
    changeOnSqlite(db, topUp({ customerId, credits: options.searches * 2, now: Date.now() }));
  });
  const keys = Array.from({ length: options.keys }, (_, number) =>
    addKey(database, customerId, `Key ${number + 1}`),
  );
  addReturned(database, { customerId, keyId: keys[0]?.key.id ?? 0 });
  const ofDay = Math.ceil(options.searches / DAYS / options.keys);
  for (const { key } of keys) {
    const searches = { days: DAYS, countOf: () => ofDay, isMeasured: true };
    addSearches(database, { customerId, keyId: key.id }, searches);
  }
  return inStore(database, (db) => {
    const now = Date.now();
    const orderIds = Array.from({ length: options.payments }, () => addPayment(db, customerId));
    const keyIds = keys.map(({ key }) => key.id);
    addRequests(db, options.requests, { customerId, keyIds, now });
    addOthers(db, options.customers - 1, now);
    addSamples(db, now);
    addActions(db, now);
    return {
      customerId,
      prefix: keys[0]?.key.prefix ?? '',
      orderId: orderIds[0] ?? '',
      cookies: {
        verbatim: customerSession(db, customerId, now),
        'verbatim-operator-session': operatorSession(db, now),
      },
    };
  });
}

/** Returns the id of an order that is paid. */
function addPayment(db: Connection, customerId: number): string {
  const paid = addOrder(db, { customerId });
  take(db, stripeEvent('checkout.session.completed', sessionObject(paid)));
  return paid.orderId;
}

/** Requests over all keys and two weeks, of which one in 50 failed and one in 20 was a look-up. */
function addRequests(
  db: Connection,
  requests: number,
  { customerId, keyIds, now }: { customerId: number; keyIds: number[]; now: number },
): void {
  const stages = { queue: 0.2, embed: 2.1, words: 1.2, dense: 3.4, rank: 1, cite: 0.9 };
  db.transaction(() => {
    for (let number = requests; number > 0; number--) {
      const isFailed = number % 50 === 0;
      const one = recorded({
        customerId,
        keyId: keyIds[number % keyIds.length] as number,
        path: number % 20 === 0 ? '/v1/paper' : '/v1/search',
        status: isFailed ? 402 : 200,
        code: isFailed ? 'insufficient_credit' : null,
        milliseconds: 5 + ((number * 37) % 900),
        lanes: number % 8 === 0 ? 'arxiv' : null,
        details: JSON.stringify({ stages }),
        createdAt: now - Math.round((number / requests) * REQUEST_DAYS * DAY_MS),
      });
      runOnSqlite(db, recordRequests({ requests: [one], counts: countsOf([one]) }));
    }
  }).immediate();
}

/** One search in ten found nothing close, and one in eight was answered by a lane. */
function measuresOf(number: number) {
  const isClose = number % 10 > 0;
  const question = isClose ? undefined : { text: `question ${number}`, questionsMax: 1_000 };
  const outcome = isClose ? ('close' as const) : ('nothing' as const);
  const lanes = number % 8 === 0 ? (['arxiv'] as const) : [];
  return { milliseconds: 5 + ((number * 37) % 900), lanes, outcome, question };
}

/** Customers with a key, credit, and a search each. */
function addOthers(db: Connection, count: number, now: number): void {
  const ledger = createLedger(db);
  const caps = { requestsPerMinute: null, inFlightMax: null };
  for (let number = 1; number <= count; number++) {
    const email = `customer-${number}@example.org`;
    const customerId = changeOnSqlite(db, addCustomer({ email, now })).id;
    changeOnSqlite(db, topUp({ customerId, credits: 100, now }));
    const { key } = changeOnSqlite(db, createKey({ customerId, name: 'Notebook', ...caps, now }));
    const requestId = crypto.randomUUID();
    ledger.hold({ requestId, customerId, keyId: key.id, credits: 1, now });
    ledger.settle(requestId, now + 20, measuresOf(number));
  }
}

function addActions(db: Connection, now: number): void {
  for (let number = 0; number < ACTIONS; number++) {
    const entry = { action: 'credit add', customerId: 1 + (number % 9), details: '5 credits' };
    changeOnSqlite(db, addAction({ actor: 'command line', at: now - number * MINUTE_MS, entry }));
  }
}

/** The last session of many. */
function customerSession(db: Connection, customerId: number, now: number): string {
  const memberId = runOnSqlite(db, ownerOf(customerId));
  const start = () =>
    changeOnSqlite(db, addSession({ ownerId: memberId, limits: LIMITS, now, ...ORIGIN }));
  return Array.from({ length: SESSIONS }, start).at(-1)?.token ?? '';
}

/** An operator who is signed in, without anybody having typed anything. */
function operatorSession(db: Connection, now: number): string {
  const email = 'operator@example.org';
  const { link } = changeOnSqlite(db, addOperator({ email, linkExpiresAt: now + DAY_MS, now }));
  const factor = { secret: Buffer.alloc(20), step: 0, recoveryHashes: [] };
  const given = { token: link.token, passwordHash: PASSWORD_HASH, limits: LIMITS, now };
  return changeOnSqlite(db, enrollOperator({ ...given, ...factor, ...ORIGIN })).token;
}
