/** `verbatim migrate`, and the commands and servers that meet a database of an earlier version. */
import { chmodSync, existsSync, readFileSync, renameSync, statSync, writeFileSync } from 'node:fs';
import Database from 'better-sqlite3';
import { describe, expect, it, onTestFinished } from 'vitest';
import { auditLedger } from '../../src/accounts/sqlite/ledger/audit.ts';
import { OLDEST_VERSION, TABLES_VERSION } from '../../src/database/migrations/migrate-file.ts';
import { openStore } from '../../src/database/open.ts';
import { lockForServing } from '../../src/database/sqlite/process-lock.ts';
import { samplePath } from '../../src/settings/bundle.ts';
import { namesBeside, versionOf } from '../database/migrations/migrated-files.ts';
import { createStored, papers } from '../database/migrations/stored-databases.ts';
import { startService } from '../support/service.ts';
import { runCommand } from '../support/verbatim.ts';

/** The version of a program that was not built. */
const COPY = '.before-source';

describe('verbatim migrate', () => {
  it('copies the database, migrates it, and says what it does', async () => {
    const path = await createStored();
    const { stdout, stderr } = await runCommand(['migrate', '--db', path]);
    expect(stdout).toBe(`${path} is ready for Verbatim source\n`);
    expect(stderr.split('\n')[0]).toBe(`copied the database to ${path}${COPY}`);
    expect(stderr).toContain(`step 38 of ${TABLES_VERSION}: lists and centroids\n`);
    expect(versionOf(path)).toBe(TABLES_VERSION);
    expect(versionOf(path + COPY)).toBe(OLDEST_VERSION);
  });

  it('copies what stands in the write-ahead log only, with the permissions of the database', async () => {
    const path = await createStored();
    chmodSync(path, 0o600);
    const writer = new Database(path);
    onTestFinished(() => {
      writer.close();
    });
    writer.exec("UPDATE customers SET email = 'eve@example.org' WHERE id = 1");
    await runCommand(['migrate', '--db', path]);
    const copy = new Database(path + COPY);
    expect(copy.prepare('SELECT email FROM customers WHERE id = 1').pluck().get()).toBe(
      'eve@example.org',
    );
    expect(copy.pragma('integrity_check', { simple: true })).toBe('ok');
    copy.close();
    expect(statSync(path + COPY).mode & 0o777).toBe(0o600);
  });

  it('makes no copy with --no-copy, and prints JSON for programs', async () => {
    const path = await createStored();
    const { stdout } = await runCommand(['migrate', '--no-copy', '--json', '--db', path]);
    expect(JSON.parse(stdout)).toEqual({ from: OLDEST_VERSION, to: TABLES_VERSION, copy: null });
    expect(namesBeside(path)).toEqual(['stored.db']);
  });

  it('does nothing to a database of this version', async () => {
    const path = await createStored();
    await runCommand(['migrate', '--db', path]);
    const names = namesBeside(path);
    const { stdout } = await runCommand(['migrate', '--db', path]);
    expect(stdout).toBe(`${path} needs no migration\n`);
    expect(namesBeside(path)).toEqual(names);
  });

  it('keeps an earlier copy, and makes a further one only of other content', async () => {
    const path = await createStored();
    const original = readFileSync(path);
    await runCommand(['migrate', '--db', path]);
    writeFileSync(path, original);
    const { stderr } = await runCommand(['migrate', '--db', path]);
    expect(stderr).toContain(`copied the database to ${path}${COPY}\n`);
    expect(namesBeside(path)).toEqual(['stored.db', `stored.db${COPY}`]);
    writeFileSync(path, original);
    const other = new Database(path);
    other.exec('CREATE TABLE ballast (a)');
    other.close();
    const second = await runCommand(['migrate', '--db', path]);
    expect(second.stderr).toContain(`copied the database to ${path}${COPY}-2\n`);
    expect(statSync(path + COPY).size).toBeLessThan(statSync(`${path}${COPY}-2`).size);
  });

  it('makes a copy that the older program can use again', async () => {
    const path = await createStored();
    await runCommand(['migrate', '--db', path]);
    renameSync(path + COPY, path);
    await runCommand(['migrate', '--no-copy', '--db', path]);
    const db = openStore({ path, lockWaitMs: 0 });
    expect(auditLedger(db)).toMatchObject({ customers: 2, entries: 9, differences: [] });
    db.close();
  });

  it('refuses while a server has the database', async () => {
    const path = await createStored();
    const unlock = await lockForServing(path);
    const { stderr } = await runCommand(['migrate', '--db', path], { code: 1 });
    unlock();
    expect(stderr).toContain('another verbatim process is serving');
    expect(versionOf(path)).toBe(OLDEST_VERSION);
  });

  it('refuses a damaged database before it changes anything', async () => {
    const path = await createStored();
    const bytes = readFileSync(path);
    bytes.fill(0xff, 40 * 4096, 60 * 4096);
    writeFileSync(path, bytes);
    const { stderr } = await runCommand(['migrate', '--db', path], { code: 1 });
    expect(stderr).toMatch(/^verbatim: .* (is damaged|the database is damaged)/);
    expect(namesBeside(path)).toEqual(['stored.db']);
    expect(readFileSync(path).equals(bytes)).toBe(true);
  });
});

describe('a command that meets a database of an earlier version', () => {
  const commands = [
    ['index', 'stats'],
    ['search', 'tides'],
    ['index', 'add', samplePath()],
    ['customer', 'list'],
    ['credit', 'add', 'ada@example.org', '5'],
    ['key', 'create', 'ada@example.org'],
  ];
  it.each(commands.map((args) => [args]))('%j names the command that is needed', async (args) => {
    const path = await createStored();
    const before = readFileSync(path);
    const { stderr, stdout } = await runCommand([...args, '--db', path], { code: 1 });
    expect(stdout).toBe('');
    expect(stderr).toContain(`run: verbatim migrate --db ${path}\n`);
    expect(readFileSync(path).equals(before)).toBe(true);
    expect(namesBeside(path)).toEqual(['stored.db']);
  });
});

describe('a server that meets a database of an earlier version', () => {
  it('copies and migrates it, logs that, and serves', async () => {
    const path = await createStored();
    const service = await startService(path);
    onTestFinished(async () => {
      await service.end();
    });
    const events = service.log.map(({ event }) => event);
    expect(events.slice(0, 3)).toEqual(['copying_database', 'database_copied', 'migrating']);
    const copied = service.log.find(({ event }) => event === 'database_copied');
    expect(existsSync(String(copied?.['path']))).toBe(true);
    const health = (await (await fetch(`${service.url}/health`)).json()) as { documents: number };
    expect(health.documents).toBe(papers.length);
  });
});
