import { copyFileSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { describe, expect, it } from 'vitest';
import { OLDEST_VERSION } from '../../../src/database/migrations/migrate-file.ts';
import { openExistingStore, openStore, openStoreForReading } from '../../../src/database/open.ts';
import type { Connection } from '../../../src/database/sqlite/connection.ts';
import { addAccount, openMemoryStore, rowsOf, temporaryFolder } from '../../support/accounts.ts';
import { runVerbatim } from '../../support/verbatim.ts';
import { migrateWithoutCopy } from './open-migrated.ts';
import { createStored } from './stored-databases.ts';

const folder = temporaryFolder();
let files = 0;
const newPath = (): string => join(folder, `${++files}.db`);
const open = (path: string): Connection => openStore({ path, lockWaitMs: 1_000 });
const versionOf = (db: Connection): unknown => db.pragma('user_version', { simple: true });
const newest = versionOf(openMemoryStore());

const schemaOf = (db: Connection): unknown[] =>
  rowsOf(db, 'SELECT type, name, sql FROM sqlite_schema ORDER BY type, name');

/** A file in whatever state, written without our code. */
function fileWith(prepare: (db: Connection) => void): string {
  const path = newPath();
  const db = new Database(path);
  prepare(db);
  db.close();
  return path;
}

describe('a new file', () => {
  it('gets all tables, durable commits and checked foreign keys', () => {
    const db = open(newPath());
    const tables = rowsOf(db, "SELECT name FROM sqlite_schema WHERE type = 'table'");
    for (const name of ['documents', 'customers', 'api_keys', 'ledger_entries', 'open_holds']) {
      expect(tables).toContainEqual({ name });
    }
    const pragmas = ['journal_mode', 'synchronous', 'foreign_keys'];
    const FULL = 2;
    expect(pragmas.map((name) => db.pragma(name, { simple: true }))).toEqual(['wal', FULL, 1]);
    db.close();
  });

  it('is not changed by being opened again', () => {
    const path = newPath();
    const first = open(path);
    const account = addAccount(first);
    const schema = schemaOf(first);
    first.close();
    const again = open(path);
    expect(versionOf(again)).toBe(newest);
    expect(schemaOf(again)).toEqual(schema);
    expect(rowsOf(again, 'SELECT id FROM customers')).toEqual([{ id: account.customerId }]);
    again.close();
  });

  it('is made once by processes that start together', async () => {
    const path = newPath();
    const names = ['ada', 'bob', 'eve', 'zoe'];
    await Promise.all(
      names.map((name) => runVerbatim(['customer', 'add', `${name}@example.org`, '--db', path])),
    );
    const db = open(path);
    expect(versionOf(db)).toBe(newest);
    expect(rowsOf(db, 'SELECT id FROM customers')).toHaveLength(names.length);
    db.close();
  });
});

describe('a file that is not ours', () => {
  it('of a newer Verbatim is refused and not touched', () => {
    const path = fileWith((db) => db.pragma('user_version = 99'));
    const before = readFileSync(path);
    for (const opener of [openStoreForReading, openExistingStore, openStore]) {
      expect(() => opener({ path, lockWaitMs: 0 })).toThrow(
        `${path} was written by a newer Verbatim (tables 99); this is source, which knows ${newest}: ` +
          'use the version that wrote it',
      );
    }
    const db = new Database(path);
    expect(rowsOf(db, 'SELECT * FROM sqlite_schema')).toEqual([]);
    db.close();
    expect(readFileSync(path).length).toBeGreaterThanOrEqual(before.length);
  });

  it('of a later version is refused by the name of that version', () => {
    const path = newPath();
    const later = open(path);
    later.exec("INSERT INTO migrations VALUES (99, 'wings', 0, '0.3.0')");
    later.pragma('user_version = 99');
    later.close();
    for (const opener of [openStoreForReading, openExistingStore, openStore]) {
      expect(() => opener({ path, lockWaitMs: 0 })).toThrow(
        `${path} was written by Verbatim 0.3.0; this is source: use that version or a newer one`,
      );
    }
  });

  it('but of another program is refused and not touched', () => {
    const path = fileWith((db) => db.exec('CREATE TABLE bookmarks (url TEXT)'));
    for (const opener of [openStoreForReading, openExistingStore, openStore]) {
      expect(() => opener({ path, lockWaitMs: 0 })).toThrow(
        `${path} is a database of another program`,
      );
    }
    const db = new Database(path);
    expect(rowsOf(db, 'SELECT name FROM sqlite_schema')).toEqual([{ name: 'bookmarks' }]);
    db.close();
  });

  const rubbish: [what: string, bytes: Buffer][] = [
    ['text', Buffer.from('{"id":"sample:1","title":"no database"}\n'.repeat(200))],
    ['a few bytes', Buffer.from('xx')],
    ['a database with a broken head', Buffer.from(`SQLite format 3\0${'ÿ'.repeat(2_000)}`)],
  ];
  it.each(rubbish)('%s is refused and not touched', (_what, bytes) => {
    const path = newPath();
    writeFileSync(path, bytes);
    expect(() => open(path)).toThrow(`cannot use ${path} as a database: `);
    expect(readFileSync(path).equals(bytes)).toBe(true);
  });

  it('is not where there is no folder', () => {
    const path = join(folder, 'none', 'verbatim.db');
    expect(() => open(path)).toThrow(`cannot use ${path} as a database: `);
  });
});

describe('an older file that nobody has migrated', () => {
  it.each([
    ['reading', openStoreForReading],
    ['writing', openExistingStore],
    ['writing or creating', openStore],
  ])('is refused for %s with the command that migrates it', async (_how, opener) => {
    const path = await createStored();
    expect(() => opener({ path, lockWaitMs: 0 })).toThrow(
      expect.objectContaining({
        code: 'migration_needed',
        message:
          `${path} was written by an older Verbatim (tables ${OLDEST_VERSION}, this version has ` +
          `${newest}); run: verbatim migrate --db ${path}`,
      }),
    );
    const db = new Database(path);
    expect(versionOf(db)).toBe(OLDEST_VERSION);
    db.close();
  });
});

describe('a file that is older than all steps', () => {
  it('is refused with the version that migrates it, and not touched', async () => {
    const path = await createStored();
    const old = new Database(path);
    old.pragma(`user_version = ${OLDEST_VERSION - 1}`);
    old.close();
    const before = readFileSync(path);
    const refusal = expect.objectContaining({
      code: 'database_unusable',
      message:
        `${path} has tables of version ${OLDEST_VERSION - 1}; they are older than those of ` +
        `Verbatim 0.2.0; run: verbatim migrate --db ${path} (of Verbatim 0.2.0)`,
    });
    for (const opener of [openStoreForReading, openExistingStore, openStore]) {
      expect(() => opener({ path, lockWaitMs: 0 })).toThrow(refusal);
    }
    await expect(migrateWithoutCopy(path)).rejects.toThrow(refusal);
    expect(readFileSync(path).equals(before)).toBe(true);
  });
});

describe('a reader', () => {
  it.each([
    ['for reading', openStoreForReading],
    ['for writing to what is there', openExistingStore],
  ])('%s makes no file', (_how, opener) => {
    const path = newPath();
    expect(() => opener({ path, lockWaitMs: 0 })).toThrow(`there is no database at ${path}`);
    expect(existsSync(path)).toBe(false);
  });

  it('changes nothing', () => {
    const path = newPath();
    open(path).close();
    const db = openStoreForReading({ path, lockWaitMs: 0 });
    expect(() => addAccount(db)).toThrow('readonly');
    db.close();
  });

  it('sees what was committed before the writer was killed', () => {
    const path = newPath();
    const writer = open(path);
    addAccount(writer);
    // What a kill leaves: the file and its log, as they are in the middle of it all.
    const copy = newPath();
    for (const suffix of ['', '-wal']) copyFileSync(`${path}${suffix}`, `${copy}${suffix}`);
    writer.close();
    const reader = openStoreForReading({ path: copy, lockWaitMs: 0 });
    expect(rowsOf(reader, 'SELECT email FROM customers')).toEqual([{ email: 'ada@example.org' }]);
    reader.close();
  });
});
