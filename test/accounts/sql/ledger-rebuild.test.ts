/** The step that makes the ledger's table anew: every row is there after it, and every rule. */
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { describe, expect, it } from 'vitest';
import { topUp } from '../../../src/accounts/sql/credit-entries.ts';
import { auditLedger } from '../../../src/accounts/sqlite/ledger/audit.ts';
import { documentsAndFullText } from '../../../src/database/migrations/01-documents-and-full-text.ts';
import { customersKeysAndLedger } from '../../../src/database/migrations/02-customers-keys-and-ledger.ts';
import type { Connection } from '../../../src/database/sqlite/connection.ts';
import { changeOnSqlite } from '../../../src/database/sqlite/run-on-sqlite.ts';
import { openMigrated } from '../../database/migrations/open-migrated.ts';
import { NOW, openMemoryStore, rowsOf, temporaryFolder } from '../../support/accounts.ts';

const folder = temporaryFolder();
let files = 0;
const SEARCHES = 700;
/** Those that there were. */
const columns =
  'id, customer_id, key_id, kind, credits, balance, request_id, reference, note, created_at';

/** A file as the version before payments left it, with every kind of entry and gaps in the ids. */
function oldFile(): { path: string; entries: unknown[] } {
  const path = join(folder, `${++files}.db`);
  const db = new Database(path);
  db.exec(documentsAndFullText.sql);
  db.exec(customersKeysAndLedger.sql);
  db.exec(`
    INSERT INTO customers VALUES (1, 'ada@example.org', 0, 5), (2, 'bob@example.org', 0, 6);
    INSERT INTO api_keys VALUES
      (1, 1, 'one', x'01', '0000000001', NULL, NULL, 7, NULL),
      (2, 2, 'two', x'02', '0000000002', 9, 3, 8, 9);
  `);
  fillLedger(db);
  db.exec(`
    UPDATE customers SET balance = (
      SELECT sum(credits) FROM ledger_entries WHERE customer_id = customers.id);
    INSERT INTO open_holds SELECT request_id, customer_id, key_id, -credits, created_at
      FROM ledger_entries h WHERE kind = 'hold' AND NOT EXISTS (SELECT 1 FROM ledger_entries r
        WHERE r.request_id = h.request_id AND r.kind IN ('settle', 'release'));
    INSERT INTO usage SELECT key_id, '1970-01', count(*) / 2, 0 FROM ledger_entries
      WHERE kind IN ('settle', 'refund') GROUP BY key_id;
  `);
  db.pragma('user_version = 2');
  const entries = rowsOf(db, 'SELECT * FROM ledger_entries ORDER BY id');
  db.close();
  return { path, entries };
}

function fillLedger(db: Connection): void {
  const insert = db.prepare(
    `INSERT INTO ledger_entries VALUES (@id, @customer, @key, @kind, @credits, @balance, @request,
       @reference, @note, @id)`,
  );
  const balances = [0, 0, 0];
  let id = 0;
  const add = (customer: number, kind: string, credits: number, request: string | null): void => {
    // Transactions that were undone have left gaps.
    id += kind === 'hold' ? 3 : 1;
    const balance = (balances[customer] ?? 0) + credits;
    balances[customer] = balance;
    const key = request === null ? null : customer;
    const isPayment = request === null;
    insert.run({
      id,
      customer,
      key,
      kind,
      credits,
      balance,
      request,
      reference: isPayment ? `payment ${id}` : null,
      note: isPayment ? 'a note, with "quotes" and ümlauts' : null,
    });
  };
  db.transaction(() => {
    for (const customer of [1, 2]) add(customer, 'topup', 5_000, null);
    for (let search = 0; search < SEARCHES; search++) {
      const customer = 1 + (search % 2);
      const request = `search ${search}`;
      add(customer, 'hold', -1, request);
      if (search % 3 === 0) continue;
      if (search % 3 === 1) add(customer, 'release', 1, request);
      else {
        add(customer, 'settle', 0, request);
        add(customer, 'refund', 1, request);
      }
    }
  }).immediate();
}

const schemaOf = (db: Connection): unknown[] =>
  rowsOf(
    db,
    `SELECT type, name, tbl_name, sql FROM sqlite_schema
     WHERE tbl_name = 'ledger_entries' ORDER BY type, name`,
  );

describe('a ledger of the version before payments', () => {
  it('has every row after the step, as it was', async () => {
    const { path, entries } = oldFile();
    expect(entries.length).toBeGreaterThan(2 * SEARCHES);
    const db = await openMigrated(path);
    expect(rowsOf(db, `SELECT ${columns} FROM ledger_entries ORDER BY id`)).toEqual(entries);
    expect(auditLedger(db).differences).toEqual([]);
    expect(db.pragma('integrity_check')).toEqual([{ integrity_check: 'ok' }]);
    expect(db.pragma('foreign_key_check')).toEqual([]);
    db.close();
  });

  it('has the triggers and indexes that it had', async () => {
    const { path } = oldFile();
    const before = new Database(path);
    const old = schemaOf(before) as { type: string; name: string; sql: string | null }[];
    before.close();
    const db = await openMigrated(path);
    expect(schemaOf(db)).toEqual(schemaOf(openMemoryStore()));
    const isRule = ({ type }: { type: string }): boolean => type !== 'table';
    // Later steps have added to them.
    expect(schemaOf(db)).toEqual(expect.arrayContaining(old.filter(isRule)));
    expect(old.filter(isRule)).toHaveLength(6);
    expect(() => db.exec('DELETE FROM ledger_entries')).toThrow('never deleted');
    expect(() => db.exec('UPDATE ledger_entries SET credits = 9')).toThrow('never changed');
    db.close();
  });

  it('counts on from its last entry', async () => {
    const { path, entries } = oldFile();
    const last = Math.max(...(entries as { id: number }[]).map(({ id }) => id));
    const db = await openMigrated(path);
    changeOnSqlite(db, topUp({ customerId: 1, credits: 5, now: NOW }));
    expect(rowsOf(db, 'SELECT max(id) AS id FROM ledger_entries')).toEqual([{ id: last + 1 }]);
    expect(rowsOf(db, "SELECT name FROM sqlite_sequence WHERE name LIKE 'ledger%'")).toEqual([
      { name: 'ledger_entries' },
    ]);
    db.close();
  });
});
