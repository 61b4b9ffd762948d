/** Each step is one transaction: failures, kills and other processes leave a file that goes on. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { copyFileSync, existsSync, readdirSync } from 'node:fs';
import { dirname } from 'node:path';
import Database from 'better-sqlite3';
import { describe, expect, it, onTestFinished } from 'vitest';
import { auditLedger } from '../../../src/accounts/sqlite/ledger/audit.ts';
import { bundlePath } from '../../../src/bundle.ts';
import { FIRST_RECORDED } from '../../../src/database/migrations/13-record-of-migrations.ts';
import { runSteps, steps } from '../../../src/database/migrations/migrate-file.ts';
import type { Connection } from '../../../src/database/sqlite/connection.ts';
import { verifyIndex } from '../../../src/index/verify/verify-index.ts';
import { openMemoryStore, rowsOf } from '../../support/accounts.ts';
import { runVerbatim } from '../../support/verbatim.ts';
import { DOCUMENTS, firstForm } from './first-form.ts';
import { migrateWithoutCopy, openMigrated } from './open-migrated.ts';
import { schemaOf } from './schema-of.ts';
import { papers, unpackStored } from './stored-databases.ts';

const versionOf = (db: Connection): unknown => db.pragma('user_version', { simple: true });

/** A connection without migrations, closed with the test. */
function connect(path: string): Connection {
  const db = new Database(path, { timeout: 0 });
  onTestFinished(() => {
    db.close();
  });
  return db;
}

/** Migrates a file of the documents and expects that nothing is missing. */
async function expectWhole(path: string, documents: number): Promise<void> {
  const db = await openMigrated(path);
  expect(verifyIndex(db, { problemsMax: 10 })).toMatchObject({ documents, problems: [] });
  expect(auditLedger(db).differences).toEqual([]);
  expect(schemaOf(db)).toEqual(schemaOf(openMemoryStore()));
  db.close();
}

describe('the record of migrations', () => {
  const read = 'SELECT number, name, applied_at AS time FROM migrations ORDER BY number';
  type Recorded = { number: number; name: string; time: number | null };

  it('has a row for each step, without times for those before it', () => {
    const before = Date.now();
    const db = openMemoryStore();
    const rows = rowsOf(db, read) as Recorded[];
    expect(rows.map(({ number, name }) => [number, name])).toEqual(
      steps.map(({ name }, index) => [index + 1, name]),
    );
    for (const { number, time } of rows) {
      if (number < FIRST_RECORDED) expect(time).toBeNull();
      else expect(time).toBeGreaterThanOrEqual(before);
    }
    expect(versionOf(db)).toBe(rows.length);
  });

  it('gets a row for each further step, with the number that programs compare', () => {
    const db = openMemoryStore();
    const further = { name: 'one more', sql: 'CREATE TABLE more (a)' };
    runSteps(db, [...steps, further]);
    expect((rowsOf(db, read) as Recorded[]).at(-1)).toMatchObject({
      number: steps.length + 1,
      name: 'one more',
    });
    expect(versionOf(db)).toBe(steps.length + 1);
  });
});

describe('a step that fails', () => {
  it('leaves the steps before it, and runs when its cause is gone', async () => {
    const path = await unpackStored(2);
    const old = connect(path);
    old.exec('CREATE TABLE payments (mine TEXT)');
    await expect(migrateWithoutCopy(path)).rejects.toThrow(
      `cannot use ${path} as a database: table payments already exists`,
    );
    expect(versionOf(old)).toBe(4);
    expect(rowsOf(old, "SELECT name FROM sqlite_schema WHERE name LIKE '%with_adjust'")).toEqual(
      [],
    );
    old.exec('DROP TABLE payments');
    await expectWhole(path, papers.length);
  });

  it('takes back what its conversion wrote', async () => {
    const db = connect(await unpackStored(2));
    const failing = steps.slice(0, 3).map((step) => ({
      ...step,
      convert(connection: Connection) {
        step.convert?.(connection);
        throw new Error('no power');
      },
    }));
    expect(() => runSteps(db, failing)).toThrow('no power');
    expect(versionOf(db)).toBe(2);
    expect(rowsOf(db, 'SELECT count(*) AS n FROM embeddings')).toEqual([{ n: papers.length }]);
    expect(rowsOf(db, "SELECT name FROM sqlite_schema WHERE name = 'cells'")).toEqual([]);
  });
});

describe('a kill', () => {
  it('in the middle of any step leaves a file that goes on from the step before', async () => {
    const path = await unpackStored(2);
    const copies: string[] = [];
    const copying = steps.map((step) => ({
      ...step,
      convert(connection: Connection) {
        step.convert?.(connection);
        // What a kill leaves: the file and its log, as they are in the middle of it all.
        const copy = `${path}-${copies.length}.db`;
        for (const suffix of ['', '-wal']) {
          if (existsSync(path + suffix)) copyFileSync(path + suffix, copy + suffix);
        }
        copies.push(copy);
      },
    }));
    const db = connect(path);
    db.pragma('wal_autocheckpoint = 0');
    runSteps(db, copying);
    const versions = copies.map((copy) => versionOf(connect(copy)));
    expect(versions).toEqual(copies.map((_, index) => index + 2));
    expect(copies).toHaveLength(steps.length - 2);
    for (const copy of copies) await expectWhole(copy, papers.length);
  });

  it('of the process that converts leaves the file as it was before the step', async () => {
    const path = await firstForm(DOCUMENTS);
    const other = connect(path);
    const child = spawn(process.execPath, [bundlePath(), 'migrate', '--no-copy', '--db', path]);
    const ended = once(child, 'exit');
    while (!isLocked(other)) await new Promise((resolve) => setTimeout(resolve, 1));
    child.kill('SIGKILL');
    expect(await ended).toEqual([null, 'SIGKILL']);
    expect(versionOf(other)).toBeLessThan(steps.length);
    await expectWhole(path, DOCUMENTS.length);
  });
});

describe('several processes', () => {
  it('that migrate an old file together leave it whole, and one copy', async () => {
    const path = await firstForm(DOCUMENTS);
    const migrations = Array.from({ length: 3 }, () => runVerbatim(['migrate', '--db', path]));
    const ended = await Promise.allSettled(migrations);
    // Whoever comes while another one migrates is refused.
    expect(ended.map(({ status }) => status)).toContain('fulfilled');
    for (const one of ended) {
      if (one.status === 'rejected') expect(String(one.reason)).toContain('stop it first');
    }
    expect(readdirSync(dirname(path)).filter((name) => name.includes('before'))).toHaveLength(1);
    await expectWhole(path, DOCUMENTS.length);
  });

  it('wait for the one that converts, however short they wait for other locks', async () => {
    const path = await unpackStored(2);
    const hold = `
      const db = new (require('better-sqlite3'))(process.argv[1]);
      db.exec('BEGIN IMMEDIATE');
      console.log('locked');
      setTimeout(() => db.exec('COMMIT'), 500);`;
    // The program's own SQLite, which fits this Node.
    const cwd = dirname(bundlePath());
    const child = spawn(process.execPath, ['-e', hold, path], { cwd });
    await Promise.race([once(child.stdout, 'data'), once(child, 'exit')]);
    const start = performance.now();
    const db = connect(path);
    db.pragma('busy_timeout = 7');
    runSteps(db, steps);
    expect(performance.now() - start).toBeGreaterThan(100);
    expect(versionOf(db)).toBe(steps.length);
    expect(db.pragma('busy_timeout', { simple: true })).toBe(7);
  });
});

/** Whether another process is writing. */
function isLocked(db: Connection): boolean {
  try {
    db.exec('BEGIN IMMEDIATE');
    db.exec('ROLLBACK');
    return false;
  } catch {
    return true;
  }
}
