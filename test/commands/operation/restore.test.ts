/** `verbatim restore`: checks first, writes over nothing, and mixes no files of two databases. */
import {
  copyFileSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { beforeAll, beforeEach, describe, expect, inject, it } from 'vitest';
import { auditLedger } from '../../../src/accounts/sqlite/ledger/audit.ts';
import { TABLES_VERSION } from '../../../src/database/migrations/migrate-file.ts';
import { lockForServing } from '../../../src/database/sqlite/process-lock.ts';
import { temporaryFolder } from '../../support/accounts.ts';
import { inStore } from '../../support/history.ts';
import { createCustomer } from '../../support/service.ts';
import { runCommand } from '../../support/verbatim.ts';

const top = temporaryFolder();
const made = join(top, 'made.db');
let folder: string;
let backup: string;
let database: string;

beforeAll(async () => {
  const original = join(top, 'original.db');
  copyFileSync(inject('sampleIndex'), original);
  createCustomer(original);
  await runCommand(['backup', made, '--db', original]);
});

beforeEach(() => {
  folder = mkdtempSync(join(top, 'test-'));
  backup = join(folder, 'backup.db');
  database = join(folder, 'verbatim.db');
  copyFileSync(made, backup);
});

/** Restores, expects it to fail, and returns the message. Nothing is where the database would be. */
async function refused(...options: string[]): Promise<string> {
  const before = readdirSync(folder).filter((name) => !name.endsWith('-lock'));
  const args = ['restore', backup, '--db', database, ...options];
  const { stdout, stderr } = await runCommand(args, { code: 1 });
  expect(readdirSync(folder).filter((name) => !name.endsWith('-lock'))).toEqual(before);
  return `${stdout}${stderr}`;
}

function changeBackup(sql: string): void {
  const db = new Database(backup);
  db.exec(sql);
  db.close();
}

describe('verbatim restore', () => {
  it('makes the database from the backup, which stays', async () => {
    const before = readFileSync(backup);
    const { stdout } = await runCommand(['restore', backup, '--db', database]);
    expect(stdout).toMatch(
      /^\S+verbatim\.db restored: [\d.]+ MB, 1 ledger entries, the last of 20\S+ \S+ UTC\n$/,
    );
    expect(readFileSync(backup).equals(before)).toBe(true);
    expect(statSync(database).mode & 0o777).toBe(0o600);
    expect(inStore(database, auditLedger)).toMatchObject({ entries: 1, differences: [] });
    const { stdout: verified } = await runCommand(['index', 'verify', '--db', database]);
    expect(verified).toContain('the index is sound');
    expect(readdirSync(folder).filter((name) => name.includes('partial'))).toEqual([]);
  });

  it('takes the transactions in the log beside the backup along', async () => {
    const db = new Database(backup);
    db.pragma('journal_mode = WAL');
    db.exec("UPDATE customers SET email = 'in-the-log@example.org'");
    await runCommand(['restore', backup, '--db', database]);
    db.close();
    const email = inStore(database, (one) => one.prepare('SELECT email FROM customers').get());
    expect(email).toEqual({ email: 'in-the-log@example.org' });
  });

  it('only checks with --check', async () => {
    const args = ['restore', backup, '--check', '--db', database, '--json'];
    expect(JSON.parse((await runCommand(args)).stdout)).toMatchObject({
      file: backup,
      tables: TABLES_VERSION,
      entries: 1,
      problems: [],
      bytes: statSync(backup).size,
    });
    expect(readdirSync(folder)).toEqual(['backup.db']);
  });

  it('refuses to write over a database', async () => {
    writeFileSync(database, '');
    expect(await refused()).toContain('exists; stop the server and move the file away');
  });

  it('refuses while a server holds a database that was moved away', async () => {
    copyFileSync(made, database);
    const unlock = await lockForServing(database);
    renameSync(database, join(folder, 'moved.db'));
    expect(await refused()).toContain('another verbatim process is serving');
    unlock();
  });

  it('refuses beside the log of another database, and removes an empty one', async () => {
    writeFileSync(`${database}-wal`, 'transactions of another database');
    expect(await refused()).toContain('verbatim.db-wal belongs to another database');
    writeFileSync(`${database}-wal`, '');
    writeFileSync(`${database}-shm`, 'the index of another log');
    await runCommand(['restore', backup, '--db', database]);
    expect(existsSync(`${database}-wal`)).toBe(false);
    expect(inStore(database, auditLedger).differences).toEqual([]);
  });

  it.each<[what: string, spoil: () => void, message: RegExp]>([
    ['is missing', () => rmSync(backup), /there is no file/],
    ['is no database', () => writeFileSync(backup, 'x'.repeat(9000)), /not a database/],
    ['is cut short', () => truncateSync(backup, 500_000), /damaged|malformed|not a database/],
    [
      'has a ledger that does not add up',
      () => changeBackup('UPDATE customers SET balance = 5'),
      /the balance is 5, but the entries add up to 1000/,
    ],
    [
      'is of a newer version',
      () => changeBackup(`PRAGMA user_version = ${TABLES_VERSION + 1}`),
      /backup\.db was written by .*Verbatim .* use that (build|version) or a newer one/,
    ],
    [
      'belongs to another program',
      () => {
        rmSync(backup);
        changeBackup('CREATE TABLE notes (text)');
      },
      /backup\.db is a database of another program/,
    ],
  ])('refuses a backup that %s', async (_what, spoil, message) => {
    spoil();
    expect(await refused()).toMatch(message);
    expect(await refused('--check')).toMatch(message);
  });

  it('finds a changed byte in the middle of the file', async () => {
    const bytes = readFileSync(backup);
    // The length of the header of a B-tree page, in every tenth page.
    for (let page = 10; page * 8192 < bytes.length; page += 10) bytes[page * 8192 + 5] = 0xff;
    writeFileSync(backup, bytes);
    expect(await refused()).toMatch(/damaged|malformed|SQLite/);
  });

  it('restores an older version without an audit', async () => {
    changeBackup(`DROP TABLE migrations; PRAGMA user_version = ${TABLES_VERSION - 1}`);
    const { stdout } = await runCommand(['restore', backup, '--db', database]);
    expect(stdout).toContain(`tables of version ${TABLES_VERSION - 1}; its ledger can be audited`);
  });
});
