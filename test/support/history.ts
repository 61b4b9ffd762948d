/** A customer with a password, keys, credit and three months of searches, for pages to show. */

import { type ApiKey, type CreatedKey, createKey } from '../../src/accounts/sql/api-keys.ts';
import { addCode, keyOfRefreshToken, redeemCode } from '../../src/accounts/sql/client-grants.ts';
import { refundSearch, topUp } from '../../src/accounts/sql/credit-entries.ts';
import { addCustomer, setLowBalance } from '../../src/accounts/sql/customers.ts';
import { ownerOf } from '../../src/accounts/sql/member-rows.ts';
import { setPasswordByLink } from '../../src/accounts/sql/passwords.ts';
import { type NewRequest, recordRequests } from '../../src/accounts/sql/request-rows.ts';
import { createLink } from '../../src/accounts/sql/sign-in-links.ts';
import { createLedger } from '../../src/accounts/sqlite/ledger/ledger.ts';
import { openStore } from '../../src/database/open.ts';
import type { Connection } from '../../src/database/sqlite/connection.ts';
import { changeOnSqlite, runOnSqlite } from '../../src/database/sqlite/run-on-sqlite.ts';
import { countsOf, recorded } from './recorded.ts';

export const PASSWORD = 'quarry lantern mosaic';
/** Of PASSWORD, as cheap as those that the servers of tests make. */
export const PASSWORD_HASH =
  '$scrypt$ln=4,r=8,p=3$RfkbJZcIOO7o4pKTMghFSA==$Mq6UcfmjJeWe0BXPK0JSn0ZCkljEJMQ7FTrp5H/TMqI=';

const DAY_MS = 86_400_000;
const SESSION_LIMITS = { lifetimeMs: DAY_MS, idleMs: DAY_MS, perMemberMax: 5 };

export interface Someone {
  customerId: number;
  memberId: number;
  email: string;
}

/** Works on a database beside the server that runs on it, as the command line would. */
export function inStore<Result>(database: string, work: (db: Connection) => Result): Result {
  const db = openStore({ path: database, lockWaitMs: 5_000 });
  try {
    return work(db);
  } finally {
    db.close();
  }
}

/** A customer who signs in with PASSWORD. */
export function addSomeone(
  database: string,
  { email, credits = 0 }: { email: string; credits?: number },
): Someone {
  const now = Date.now();
  return inStore(database, (db) => {
    const customerId = changeOnSqlite(db, addCustomer({ email, now })).id;
    const memberId = runOnSqlite(db, ownerOf(customerId));
    const { token } = changeOnSqlite(db, createLink({ memberId, expiresAt: now + DAY_MS }));
    changeOnSqlite(
      db,
      setPasswordByLink({ token, passwordHash: PASSWORD_HASH, limits: SESSION_LIMITS, now }),
    );
    if (credits > 0) changeOnSqlite(db, topUp({ customerId, credits, note: 'to begin with', now }));
    return { customerId, memberId, email };
  });
}

export function addKey(database: string, customerId: number, name: string): CreatedKey {
  const caps = { requestsPerMinute: null, inFlightMax: null };
  return inStore(database, (db) =>
    changeOnSqlite(db, createKey({ customerId, name, ...caps, now: Date.now() - 80 * DAY_MS })),
  );
}

/** A client that a customer connected, with a monthly cap of 1,000 credits. */
export function addConnection(database: string, customerId: number, name: string): ApiKey {
  const now = Date.now();
  const client = {
    clientId: 'https://agent.example/client.json',
    redirectUri: 'https://agent.example/',
  };
  const codeChallenge = 'x'.repeat(43);
  const lifetimeMs = 30 * DAY_MS;
  return inStore(database, (db) => {
    const input = { ...client, codeChallenge, now };
    const bounds = { creditsPerMonthMax: 1_000, expiresAt: now + lifetimeMs, codesMax: 1 };
    const code = changeOnSqlite(db, addCode({ ...input, ...bounds, customerId, clientName: name }));
    const times = { accessTokenMs: lifetimeMs, refreshTokenMs: lifetimeMs, refreshGraceMs: 0 };
    const limits = { ...times, tokensPerGrantMax: 1, keysMax: 100, keysEverMax: 100 };
    const issued = changeOnSqlite(db, redeemCode({ ...input, code, limits }));
    return runOnSqlite(db, keyOfRefreshToken(issued?.refresh ?? '')) as ApiKey;
  });
}

interface SearchesToAdd {
  days: number;
  countOf: (daysAgo: number) => number;
  /** Whether their latency, lanes, and outcomes are known. */
  isMeasured?: boolean;
}

/** Searches of a key on each of the last days, as many as `countOf` says of a day before today. */
export function addSearches(
  database: string,
  { customerId, keyId }: { customerId: number; keyId: number },
  { days, countOf, isMeasured = false }: SearchesToAdd,
): void {
  inStore(database, (db) => {
    const ledger = createLedger(db);
    const requests: NewRequest[] = [];
    db.transaction(() => {
      for (let daysAgo = days - 1; daysAgo >= 0; daysAgo--) {
        const now = Date.now() - daysAgo * DAY_MS - 60_000;
        for (let count = countOf(daysAgo); count > 0; count--) {
          const requestId = crypto.randomUUID();
          ledger.hold({ requestId, customerId, keyId, credits: 1, now });
          const lanes = count % 8 === 0 ? (['arxiv'] as const) : [];
          const outcome = count % 9 === 0 ? ('nothing' as const) : ('close' as const);
          const measures = { milliseconds: 12 + ((count * 37 + daysAgo) % 90), lanes, outcome };
          ledger.settle(requestId, now + 20, isMeasured ? measures : undefined);
          requests.push(recorded({ customerId, keyId, requestId, createdAt: now }));
        }
      }
      runOnSqlite(db, recordRequests({ requests, counts: countsOf(requests) }));
    }).immediate();
  });
}

/** One search that failed and one that was refunded. */
export function addReturned(
  database: string,
  { customerId, keyId }: { customerId: number; keyId: number },
): { failed: string; refunded: string } {
  return inStore(database, (db) => {
    const ledger = createLedger(db);
    const now = Date.now();
    const [failed, refunded] = [crypto.randomUUID(), crypto.randomUUID()];
    const own = { customerId, keyId, createdAt: now };
    const requests = [
      recorded({ ...own, requestId: failed, status: 504, code: 'search_timeout' }),
      recorded({ ...own, requestId: refunded }),
    ];
    changeOnSqlite(db, recordRequests({ requests, counts: countsOf(requests) }));
    ledger.hold({ requestId: failed, customerId, keyId, credits: 1, now });
    ledger.release(failed, now + 5);
    ledger.hold({ requestId: refunded, customerId, keyId, credits: 1, now });
    ledger.settle(refunded, now + 5);
    changeOnSqlite(
      db,
      refundSearch({ requestId: refunded, note: 'wrong abstract', now: now + 10 }),
    );
    return { failed, refunded };
  });
}

export function warnBelow(database: string, customerId: number, credits: number): void {
  inStore(database, (db) => changeOnSqlite(db, setLowBalance({ customerId, credits })));
}
