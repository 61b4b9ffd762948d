/** Customers for the load, and the check of the ledger afterwards. */

import { createKey } from '../../src/accounts/sql/api-keys.ts';
import { topUp } from '../../src/accounts/sql/credit-entries.ts';
import { addCustomer } from '../../src/accounts/sql/customers.ts';
import { auditLedger } from '../../src/accounts/sqlite/ledger/audit.ts';
import { changeOnSqlite } from '../../src/database/sqlite/run-on-sqlite.ts';
import { inStore } from './databases.ts';

/** More than any run needs, because credit and limits are not what is measured. */
export const CREDITS = 1_000_000_000;

/** No limit that a load could reach. */
export const UNLIMITED = { requestsPerMinute: 1_000_000_000, inFlightMax: 100_000 };

export interface Customer {
  id: number;
  secret: string;
}

/** Adds customers with credit and a key each. */
export function createCustomers(
  database: string,
  names: readonly string[],
  limits = UNLIMITED,
): Customer[] {
  return inStore(database, (db) =>
    names.map((name) => {
      const now = Date.now();
      const { id } = changeOnSqlite(db, addCustomer({ email: `${name}@localhost`, now }));
      changeOnSqlite(db, topUp({ customerId: id, credits: CREDITS, now }));
      return {
        id,
        secret: changeOnSqlite(db, createKey({ customerId: id, name, ...limits, now })).secret,
      };
    }),
  );
}

/** Adds one customer. Returns the key's secret. */
export function createCustomer(database: string, name: string, limits = UNLIMITED): string {
  return createCustomers(database, [name], limits)[0]?.secret ?? '';
}

export interface Books {
  /** One sentence for each difference that the audit found, and for credits that are still held. */
  wrong: string[];
  /** The request ids of all searches that were charged. */
  charged: string[];
  /** Holds that were released. */
  released: number;
}

/** Audits the ledger of a server that has stopped. What is counted is of customers made here. */
export function readBooks(database: string): Books {
  return inStore(database, (db) => {
    const { differences, held } = auditLedger(db);
    const entries = db
      .prepare(
        `SELECT kind, request_id AS id FROM ledger_entries
         WHERE customer_id IN (SELECT id FROM customers WHERE email LIKE '%@localhost')`,
      )
      .all() as { kind: string; id: string }[];
    return {
      wrong: [
        ...differences.map((difference) => `the audit found ${JSON.stringify(difference)}`),
        ...(held === 0 ? [] : [`${held} credits are still held`]),
      ],
      charged: entries.filter(({ kind }) => kind === 'settle').map(({ id }) => id),
      released: entries.filter(({ kind }) => kind === 'release').length,
    };
  });
}

/** The same, for a load that must be charged exactly for what it was served, and get back the rest. */
export function auditServed(database: string, served: number, unserved?: number): string[] {
  const { wrong, charged, released } = readBooks(database);
  if (charged.length === served && released === (unserved ?? released)) return wrong;
  const found = `${charged.length} were charged and ${released} released`;
  return [...wrong, `${served} searches were served, ${found}`];
}
