/** A database in which every page has much to show, and who looks at it. */

import { createKey } from '../../src/accounts/sql/api-keys.ts';
import { refundSearch, topUp } from '../../src/accounts/sql/credit-entries.ts';
import { addCustomer } from '../../src/accounts/sql/customers.ts';
import { ownerOf } from '../../src/accounts/sql/member-rows.ts';
import { enrollOperator } from '../../src/accounts/sql/operator-sign-in-rows.ts';
import { addAction } from '../../src/accounts/sql/operator-trail.ts';
import { addOperator } from '../../src/accounts/sql/operators.ts';
import { addSession } from '../../src/accounts/sql/sessions.ts';
import { createLedger } from '../../src/accounts/sqlite/ledger/ledger.ts';
import type { Connection } from '../../src/database/sqlite/connection.ts';
import { changeOnSqlite, runOnSqlite } from '../../src/database/sqlite/run-on-sqlite.ts';
import { addKey, addSomeone, inStore, PASSWORD_HASH } from '../../test/support/history.ts';
import { addSamples } from './add-samples.ts';
import { fillPayments, orderName } from './fill-payments.ts';

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
const ACTIONS = 2_000;
const SESSIONS = 20;
const ORIGIN = { device: 'Firefox on Linux', address: '192.0.2.7' };
const LIMITS = { lifetimeMs: DAY_MS, idleMs: DAY_MS, perMemberMax: SESSIONS };
/** One search of so many has this outcome. */
const EVERY = { notClose: 10, lane: 8, failed: 50, refunded: 5_000 };

export function fillDatabase(
  database: string,
  options: Record<'searches' | 'keys' | 'payments' | 'customers', number>,
): Filled {
  const credits = options.searches * 2;
  const { customerId } = addSomeone(database, { email: 'ada@example.org', credits });
  const keys = Array.from({ length: options.keys }, (_, number) =>
    addKey(database, customerId, `Key ${number + 1}`),
  );
  return inStore(database, (db) => {
    const now = Date.now();
    fillPayments(db, customerId, options.payments);
    addOthers(db, options.customers - 1, now);
    const keyIds = keys.map(({ key }) => key.id);
    addSearches(db, { customerId, keyIds, searches: options.searches, now });
    addSamples(db, now);
    addActions(db, now);
    return {
      customerId,
      prefix: keys[0]?.key.prefix ?? '',
      orderId: orderName(1),
      cookies: {
        verbatim: customerSession(db, customerId, now),
        'verbatim-operator-session': operatorSession(db, now),
      },
    };
  });
}

/** Searches with every outcome, over all keys and days, of which two of seven have few. */
function addSearches(
  db: Connection,
  given: { customerId: number; keyIds: number[]; searches: number; now: number },
): void {
  const { customerId, keyIds, searches, now } = given;
  const ledger = createLedger(db);
  db.transaction(() => {
    for (let number = searches; number > 0; number--) {
      const daysAgo = (number / searches) * DAYS;
      const isMoved = Math.floor(daysAgo) % 7 < 2 && daysAgo > 2 && number % 4 > 0;
      const at = now - Math.round((daysAgo - (isMoved ? 2 : 0)) * DAY_MS);
      const requestId = crypto.randomUUID();
      const keyId = keyIds[number % keyIds.length] as number;
      ledger.hold({ requestId, customerId, keyId, credits: 1, now: at });
      if (number % EVERY.failed === 0) ledger.release(requestId, at + 20);
      else ledger.settle(requestId, at + 20, measuresOf(number));
      if (number % EVERY.refunded === 1) {
        changeOnSqlite(
          db,
          refundSearch({ requestId, note: 'wrong abstract', now: at + MINUTE_MS }),
        );
      }
    }
  }).immediate();
}

function measuresOf(number: number) {
  const isClose = number % EVERY.notClose !== 0;
  return {
    milliseconds: 5 + ((number * 37) % 900),
    lanes: number % EVERY.lane === 0 ? (['arxiv'] as const) : [],
    outcome: isClose ? ('close' as const) : ('nothing' as const),
    question: isClose ? undefined : { text: `question ${number}`, questionsMax: 1_000 },
  };
}

/** Customers with a key, credit, and a search each. */
function addOthers(db: Connection, count: number, now: number): void {
  const ledger = createLedger(db);
  const caps = { requestsPerMinute: null, inFlightMax: null };
  for (let number = 1; number <= count; number++) {
    const customerId = changeOnSqlite(
      db,
      addCustomer({ email: `customer-${number}@example.org`, now }),
    ).id;
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
