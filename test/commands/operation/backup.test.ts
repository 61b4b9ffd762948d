/** `verbatim backup`: what the copy has, how it is called, what is deleted, and what it refuses. */
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { beforeEach, describe, expect, inject, it } from 'vitest';
import { temporaryFolder } from '../../support/accounts.ts';
import { checkCommand, failure } from '../../support/command-line.ts';
import { createCustomer } from '../../support/service.ts';
import { runCommand, runCommandJson, runVerbatim } from '../../support/verbatim.ts';

const top = temporaryFolder();
let folder: string;
let database: string;

beforeEach(() => {
  folder = mkdtempSync(join(top, 'test-'));
  database = join(folder, 'verbatim.db');
  copyFileSync(inject('sampleIndex'), database);
  createCustomer(database);
});

interface Result {
  file: string;
  bytes: number;
  entries: number;
  deleted: string[];
}

const backup = (path: string, ...options: string[]): Promise<Result> =>
  runCommandJson<Result>(['backup', path, '--db', database, ...options]);

/** Everything in the tables that a customer or a search sees. */
function contents(path: string): unknown[] {
  const db = new Database(path, { readonly: true });
  const tables = ['documents', 'postings', 'signals', 'customers', 'api_keys', 'ledger_entries'];
  const rows = tables.map((table) => db.prepare(`SELECT * FROM ${table} ORDER BY 1, 2`).all());
  db.close();
  return rows;
}

describe('verbatim backup', () => {
  it('copies everything into one file that only its owner can read', async () => {
    const reader = new Database(database);
    reader.prepare("UPDATE customers SET email = 'in-the-log@example.org'").run();
    const { bytes, entries } = await backup(join(folder, 'copy.db'));
    reader.close();
    const stats = statSync(join(folder, 'copy.db'));
    expect({ bytes, entries }).toEqual({ bytes: stats.size, entries: 1 });
    expect(stats.mode & 0o777).toBe(0o600);
    expect(readdirSync(folder).filter((name) => name.startsWith('copy'))).toEqual(['copy.db']);
    expect(contents(join(folder, 'copy.db'))).toEqual(contents(database));
  });

  it('notes the backup beside the database, for its owner only, and again for the next one', async () => {
    const note = `${database}-last-backup`;
    for (const name of ['first.db', 'second.db']) {
      await backup(join(folder, name));
      expect(readFileSync(note, 'utf8')).toBe(`${join(folder, name)}\n`);
      expect(statSync(note).mode & 0o777).toBe(0o600);
    }
  });

  it('says where it is, that it was checked, and what is not in it', async () => {
    const env = { VERBATIM_ACCOUNTS: 'postgres://ada@127.0.0.1:1/accounts' };
    const { stdout } = await runCommand(['backup', folder, '--db', database], { env });
    expect(stdout).toMatch(/\.db: [\d.]+ MB with 1 ledger entries, checked, in \d+ s\n/);
    expect(stdout).toContain('\nNOT in this backup: customers, keys, and the ledger');
    const json = await runCommand(['backup', folder, '--db', database, '--json'], { env });
    expect(JSON.parse(json.stdout).missing).toEqual(['customers, keys, and the ledger']);
    expect(await backup(folder)).toMatchObject({ missing: [] });
  });

  it('names a backup in a folder after the database and the time in UTC', async () => {
    const { file } = await backup(folder);
    expect(file).toMatch(/\/verbatim-20\d{6}T\d{6}\.\d{3}Z\.db$/);
    expect(existsSync(file)).toBe(true);
  });

  it('deletes only old backups of this database, and none that was served', async () => {
    const backups = join(folder, 'backups');
    mkdirSync(backups);
    const { file: made } = await backup(join(folder, 'made.db'));
    const put = (name: string): void => copyFileSync(made, join(backups, name));
    put('verbatim-20260101T000000.000Z.db');
    put('verbatim-20260102T000000.000Z.db');
    put('verbatim-20260103T000000.000Z.db');
    const kept = ['other-20260101T000000.000Z.db', 'verbatim-old.db', 'verbatim-20260101.db'];
    for (const name of kept) put(name);
    writeFileSync(join(backups, 'verbatim-20250101T000000.000Z.db'), 'notes of the operator');
    mkdirSync(join(backups, 'verbatim-20250102T000000.000Z.db'));
    symlinkSync(made, join(backups, 'verbatim-20250104T000000.000Z.db'));
    put('verbatim-20250103T000000.000Z.db');
    const served = new Database(join(backups, 'verbatim-20250103T000000.000Z.db'));
    served.pragma('journal_mode = WAL');
    served.close();
    const before = readdirSync(backups);
    const { file, deleted } = await backup(backups, '--keep', '2');
    expect(deleted.map((path) => path.slice(backups.length + 1))).toEqual([
      'verbatim-20260102T000000.000Z.db',
      'verbatim-20260101T000000.000Z.db',
    ]);
    const left = before.filter((name) => !deleted.includes(join(backups, name)));
    expect(readdirSync(backups).sort()).toEqual([...left, file.slice(backups.length + 1)].sort());
  });

  it('removes what killed backups have left, and nothing of those that run', async () => {
    const left = 'verbatim-20260101T000000.000Z.db.999999999.partial';
    const running = `verbatim-20260101T000000.000Z.db.${process.pid}.partial`;
    for (const name of [left, `${left}-journal`, running]) writeFileSync(join(folder, name), 'x');
    // As another process than this one, which has the number of a backup that runs.
    await runVerbatim(['backup', folder, '--db', database]);
    expect(readdirSync(folder).filter((name) => name.includes('partial'))).toEqual([running]);
  });

  it('refuses what it cannot do, and writes nothing', async () => {
    writeFileSync(join(folder, 'there.db'), '');
    const before = readdirSync(folder);
    const rows: [path: string, options: string[], message: string, code: number][] = [
      ['there.db', [], 'exists; name another file or move it away', 1],
      ['verbatim.db', [], 'exists; name another file or move it away', 1],
      ['none/copy.db', [], 'there is no folder', 1],
      ['none/', [], 'there is no folder', 1],
      ['copy.db', ['--keep', '3'], '--keep needs a folder', 2],
    ];
    for (const [path, options, message, code] of rows) {
      const args = ['backup', join(folder, path), '--db', database, ...options];
      const { stderr } = await runCommand(args, { code });
      expect(stderr).toContain(message);
    }
    expect(readdirSync(folder)).toEqual(before);
  });

  it('names the database that is missing', async () => {
    await checkCommand(join(folder, 'none.db'), [
      ['backup', join(folder, 'copy.db')],
      failure('no database at DATABASE'),
    ]);
    expect(existsSync(join(folder, 'copy.db'))).toBe(false);
  });

  it('keeps no copy of a damaged database', async () => {
    truncateSync(database, statSync(database).size / 2);
    const args = ['backup', join(folder, 'copy.db'), '--db', database];
    const { stderr } = await runCommand(args, { code: 1 });
    expect(stderr).toMatch(/^verbatim: [^\n]+\n$/);
    expect(readdirSync(folder).filter((name) => name.startsWith('copy'))).toEqual([]);
  });

  it('keeps no copy whose ledger does not add up', async () => {
    const db = new Database(database);
    db.exec('UPDATE customers SET balance = balance + 1');
    db.close();
    const args = ['backup', join(folder, 'copy.db'), '--db', database];
    const { stderr } = await runCommand(args, { code: 1 });
    expect(stderr).toContain('the balance is 1001, but the entries add up to 1000');
    expect(readdirSync(folder).filter((name) => name.startsWith('copy'))).toEqual([]);
  });

  it('ends before it lets the write-ahead log grow without bound', async () => {
    const writer = new Database(database);
    writer.exec("UPDATE customers SET email = 'new@example.org'");
    const args = ['backup', join(folder, 'copy.db'), '--db', database];
    const env = { VERBATIM_WAL_BYTES_MAX: '1000' };
    const { stderr } = await runCommand(args, { code: 1, env });
    expect(stderr).toMatch(/write-ahead log of .* has grown to \d+ bytes/);
    writer.close();
    expect(readdirSync(folder).filter((name) => name.startsWith('copy'))).toEqual([]);
  });
});
