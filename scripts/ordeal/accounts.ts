/** Customers for the load, and the check of the ledger afterwards. */
import { createKey } from '../../src/accounts/sql/api-keys.ts';
import { auditLedger } from '../../src/accounts/sql/audit.ts';
import { addCustomer } from '../../src/accounts/sql/customers.ts';
import { topUp } from '../../src/accounts/sql/ledger.ts';
import { openStore } from '../../src/database/open.ts';
import type { Connection } from '../../src/database/sqlite/connection.ts';

const CREDITS = 1_000_000_000;
const LOCK_WAIT_MS = 5_000;

/** The limits of a key; null is the server's default. */
export interface KeyLimits {
  requestsPerMinute: number | null;
  inFlightMax: number | null;
}

/** No limit that a load could reach. */
export const UNLIMITED: KeyLimits = { requestsPerMinute: 1_000_000_000, inFlightMax: 100_000 };

/** Adds a customer with credit and a key. Returns the key's secret. */
export function createCustomer(database: string, name: string, limits: KeyLimits): string {
  return inStore(database, (db) => {
    const now = Date.now();
    const customerId = addCustomer(db, { email: `${name}@localhost`, now }).id;
    topUp(db, { customerId, credits: CREDITS, now });
    return createKey(db, { customerId, name, ...limits, now }).secret;
  });
}

export interface Books {
  /** One sentence for each difference that the audit found, and for credits that are still held. */
  wrong: string[];
  /** The request ids of all searches that were charged. */
  charged: string[];
  /** Holds that were released. */
  released: number;
}

/** Audits the ledger of a server that has stopped. */
export function readBooks(database: string): Books {
  return inStore(database, (db) => {
    const { differences, held } = auditLedger(db);
    const requests = (kind: string): string[] =>
      db
        .prepare('SELECT request_id FROM ledger_entries WHERE kind = ?')
        .pluck()
        .all(kind) as string[];
    return {
      wrong: [
        ...differences.map((difference) => `the audit found ${JSON.stringify(difference)}`),
        ...(held === 0 ? [] : [`${held} credits are still held`]),
      ],
      charged: requests('settle'),
      released: requests('release').length,
    };
  });
}

function inStore<Result>(database: string, work: (db: Connection) => Result): Result {
  const db = openStore({ path: database, lockWaitMs: LOCK_WAIT_MS });
  try {
    return work(db);
  } finally {
    db.close();
  }
}
