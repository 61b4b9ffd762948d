/** Stores with customers and keys, for tests that need no server. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll } from 'vitest';
import { type CreatedKey, createKey } from '../../src/accounts/sql/api-keys.ts';
import { addCustomer } from '../../src/accounts/sql/customers.ts';
import { openStore } from '../../src/database/open.ts';
import type { Connection } from '../../src/database/sqlite/connection.ts';
import { changeOnSqlite } from '../../src/database/sqlite/run-on-sqlite.ts';

/** The fixed clock of tests that need no other: a time in the month that PERIOD names. */
export const NOW = Date.UTC(2026, 2, 14, 9, 30);
export const PERIOD = '2026-03';

export function openMemoryStore(): Connection {
  return openStore({ path: ':memory:', lockWaitMs: 0 });
}

/** A folder that is removed after the tests of the file or `describe` that calls this. */
export function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'verbatim-store-'));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

export interface Account {
  customerId: number;
  keyId: number;
}

/** A customer without credit, with one key. */
export function addAccount(db: Connection, email = 'ada@example.org'): Account {
  const customerId = changeOnSqlite(db, addCustomer({ email, now: NOW })).id;
  return { customerId, keyId: addKey(db, customerId).key.id };
}

export function addKey(db: Connection, customerId: number): CreatedKey {
  const caps = { requestsPerMinute: null, inFlightMax: null };
  return changeOnSqlite(db, createKey({ customerId, name: 'default', ...caps, now: NOW }));
}

/** All rows of a query, for comparison with what a test expects. */
export function rowsOf(db: Connection, sql: string): unknown[] {
  return db.prepare(sql).all();
}
