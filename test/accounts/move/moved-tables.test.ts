/** No table and no column of accounts is forgotten when the accounts move. */
import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import Database from 'better-sqlite3';
import { describe, expect, it } from 'vitest';
import { movedTables, stayingTables } from '../../../src/accounts/move/tables/moved-tables.ts';
import { openMemoryStore } from '../../support/accounts.ts';
import { fillEveryTable } from './every-table.ts';

const folder = resolve(import.meta.dirname, '../../../src/database/schema');
const schema = (database: string): string =>
  ['accounts', 'ledger', 'payments', ...(database === 'postgres' ? ['paid-calls', 'lanes'] : [])]
    .map((name) => readFileSync(join(folder, database, `${name}.sql`), 'utf8'))
    .join('\n');
const known = [...movedTables, ...Object.keys(stayingTables)];

describe('the tables that move', () => {
  it('are all tables of accounts in an SQLite file', () => {
    const db = new Database(':memory:');
    db.exec(schema('sqlite'));
    const tables = db.prepare("SELECT name FROM sqlite_schema WHERE type = 'table'").pluck().all();
    const own = (tables as string[]).filter((name) => !name.startsWith('sqlite_'));
    expect(own.filter((name) => !known.includes(name))).toEqual([]);
    expect(movedTables.filter((name) => !own.includes(name))).toEqual([]);
  });

  it('are all tables on PostgreSQL but those that stay', () => {
    const made = schema('postgres').matchAll(/CREATE (?:UNLOGGED )?TABLE (\w+)/g);
    const tables = [...made].map(([, name = '']) => name);
    // The table of migrations is made before them.
    expect([...tables, 'migrations'].sort()).toEqual([...known].sort());
  });

  it('come after those that they refer to', () => {
    const db = openMemoryStore();
    for (const [place, table] of movedTables.entries()) {
      const owners = db
        .prepare('SELECT "table" FROM pragma_foreign_key_list(?)')
        .pluck()
        .all(table);
      const before: readonly string[] = movedTables.slice(0, place + 1);
      expect((owners as string[]).filter((owner) => !before.includes(owner))).toEqual([]);
    }
  });

  it('have a row each in the accounts that tests move', () => {
    const db = openMemoryStore();
    fillEveryTable(db);
    const empty = movedTables.filter(
      (table) => db.prepare(`SELECT 1 FROM ${table}`).get() === undefined,
    );
    expect(empty).toEqual([]);
  });
});
