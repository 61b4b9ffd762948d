/** Each step is one transaction: failures, kills and other processes leave a file that goes on. */
import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { once } from 'node:events';
import { copyFileSync, existsSync, readdirSync } from 'node:fs';
import { dirname } from 'node:path';
import Database from 'better-sqlite3';
import { describe, expect, it, onTestFinished } from 'vitest';
import { auditLedger } from '../../../src/accounts/sqlite/ledger/audit.ts';
import {
  OLDEST_VERSION,
  runSteps,
  steps,
  TABLES_VERSION,
} from '../../../src/database/migrations/migrate-file.ts';
import type { Connection } from '../../../src/database/sqlite/connection.ts';
import { verifyIndex } from '../../../src/index/verify/verify-index.ts';
import { bundlePath } from '../../../src/settings/bundle.ts';
import { openMemoryStore, rowsOf } from '../../support/accounts.ts';
import { runVerbatim } from '../../support/verbatim.ts';
import { migrateWithoutCopy, openMigrated } from './open-migrated.ts';
import { schemaOf } from './schema-of.ts';
import { createStored, papers } from './stored-databases.ts';

const versionOf = (db: Connection): unknown => db.pragma('user_version', { simple: true });

/** A connection without migrations, closed with the test. */
function connect(path: string): Connection {
  const db = new Database(path, { timeout: 0 });
  onTestFinished(() => {
    db.close();
  });
  return db;
}

/** Migrates a stored file and expects that nothing is missing. */
async function expectWhole(path: string): Promise<void> {
  const db = await openMigrated(path);
  expect(verifyIndex(db, { problemsMax: 10 })).toMatchObject({
    documents: papers.length,
    problems: [],
  });
  expect(auditLedger(db).differences).toEqual([]);
  expect(schemaOf(db)).toEqual(schemaOf(openMemoryStore()));
  db.close();
}

describe('the record of migrations', () => {
  const read = 'SELECT number, name, program FROM migrations WHERE number >= ? ORDER BY number';
  const program = 'source';
  const recorded = (db: Connection, from: number): unknown[] => db.prepare(read).all(from);

  it('of a new file has one row', () => {
    const before = Date.now();
    const db = openMemoryStore();
    expect(recorded(db, 0)).toEqual([{ number: TABLES_VERSION, name: 'all tables', program }]);
    const time = db.prepare('SELECT applied_at FROM migrations').pluck().get();
    expect(time).toBeGreaterThanOrEqual(before);
  });

  it('gets a row for each step, with the number that programs compare', async () => {
    const db = connect(await createStored());
    const further = { name: 'one more', sql: 'CREATE TABLE more (a)' };
    const all = [...steps, further];
    runSteps(db, all);
    expect(recorded(db, OLDEST_VERSION)).toEqual([
      { number: OLDEST_VERSION, name: 'languages and fields', program: '0.2.0' },
      ...all.map(({ name }, index) => ({ number: OLDEST_VERSION + 1 + index, name, program })),
    ]);
    expect(versionOf(db)).toBe(OLDEST_VERSION + all.length);
  });
});

describe('a step that fails', () => {
  it('is taken back, and runs when its cause is gone', async () => {
    const path = await createStored();
    const old = connect(path);
    old.exec('CREATE TABLE document_lists (mine TEXT)');
    await expect(migrateWithoutCopy(path)).rejects.toThrow(
      `cannot use ${path} as a database: there is already another table or index with this name`,
    );
    expect(versionOf(old)).toBe(OLDEST_VERSION);
    expect(rowsOf(old, 'SELECT count(centre) AS n FROM cells')).toEqual([{ n: 1 }]);
    old.exec('DROP TABLE document_lists');
    await expectWhole(path);
  });
});

describe('a kill', () => {
  it('at the end of any step leaves a file that goes on from the step before', async () => {
    const path = await createStored();
    const copies: string[] = [];
    const db = connect(path);
    db.function('copy_now', () => {
      // What a kill leaves: the file and its log, as they are in the middle of it all.
      const copy = `${path}-${copies.length}.db`;
      for (const suffix of ['', '-wal']) {
        if (existsSync(path + suffix)) copyFileSync(path + suffix, copy + suffix);
      }
      copies.push(copy);
      return null;
    });
    db.pragma('wal_autocheckpoint = 0');
    runSteps(
      db,
      steps.map((step) => ({ ...step, sql: `${step.sql} SELECT copy_now();` })),
    );
    const versions = copies.map((copy) => versionOf(connect(copy)));
    expect(versions).toEqual(steps.map((_, index) => OLDEST_VERSION + index));
    for (const copy of copies) await expectWhole(copy);
  });

  it('of the process that runs it leaves the file as it was before the step', async () => {
    const path = await createStored();
    const child = runWithSqlite(
      `db.exec('BEGIN IMMEDIATE;' + process.argv[2]);
       console.log('ran');
       setInterval(() => {}, 1000);`,
      [path, steps[0]?.sql ?? ''],
    );
    const ended = once(child, 'exit');
    await Promise.race([once(child.stdout, 'data'), ended]);
    child.kill('SIGKILL');
    expect(await ended).toEqual([null, 'SIGKILL']);
    expect(versionOf(connect(path))).toBe(OLDEST_VERSION);
    await expectWhole(path);
  });
});

describe('several processes', () => {
  it('that migrate an old file together leave it whole, and one copy', async () => {
    const path = await createStored();
    const migrations = Array.from({ length: 3 }, () => runVerbatim(['migrate', '--db', path]));
    const ended = await Promise.allSettled(migrations);
    // Whoever comes while another one migrates is refused.
    expect(ended.map(({ status }) => status)).toContain('fulfilled');
    for (const one of ended) {
      if (one.status === 'rejected') expect(String(one.reason)).toContain('stop it first');
    }
    expect(readdirSync(dirname(path)).filter((name) => name.includes('before'))).toHaveLength(1);
    await expectWhole(path);
  });

  it('wait for the one that converts, however short they wait for other locks', async () => {
    const path = await createStored();
    const child = runWithSqlite(
      `db.exec('BEGIN IMMEDIATE');
       console.log('locked');
       setTimeout(() => db.exec('COMMIT'), 500);`,
      [path],
    );
    await Promise.race([once(child.stdout, 'data'), once(child, 'exit')]);
    const start = performance.now();
    const db = connect(path);
    db.pragma('busy_timeout = 7');
    runSteps(db, steps);
    expect(performance.now() - start).toBeGreaterThan(100);
    expect(versionOf(db)).toBe(TABLES_VERSION);
    expect(db.pragma('busy_timeout', { simple: true })).toBe(7);
  });
});

/** Runs code that has the program's own SQLite, which fits this Node, with the first argument open. */
function runWithSqlite(code: string, args: string[]): ChildProcessWithoutNullStreams {
  const opening = "const db = new (require('better-sqlite3'))(process.argv[1]);";
  return spawn(process.execPath, ['-e', opening + code, ...args], { cwd: dirname(bundlePath()) });
}
