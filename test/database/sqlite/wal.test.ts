/** The write-ahead log: who holds it back, and that it is emptied as soon as nobody does. */
import { spawn } from 'node:child_process';
import { mkdtempSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { beforeEach, describe, expect, it } from 'vitest';
import type { Connection } from '../../../src/database/sqlite/connection.ts';
import { assertWalWithin, emptyWal, walBytes } from '../../../src/database/sqlite/wal.ts';
import { walReaders } from '../../../src/database/sqlite/wal-readers.ts';
import { bundlePath } from '../../../src/settings/bundle.ts';
import { temporaryFolder } from '../../support/accounts.ts';

const top = temporaryFolder();
const WAIT_MS = 50;
let db: Connection;

beforeEach(() => {
  db = new Database(join(mkdtempSync(join(top, 'test-')), 'test.db'));
  db.pragma('journal_mode = WAL');
  db.exec('CREATE TABLE numbers (number INTEGER)');
});

/** A process that keeps one snapshot until it is killed; resolves when it has it. */
async function readElsewhere(path: string): Promise<{ pid: number; end: () => Promise<void> }> {
  const library = join(bundlePath(), '../node_modules/better-sqlite3');
  const code = `
    const db = new (require(${JSON.stringify(library)}))(process.argv[1]);
    db.exec('BEGIN; SELECT * FROM numbers');
    db.prepare('SELECT count(*) FROM numbers').get();
    console.log('reading');
    setInterval(() => {}, 1000);`;
  const child = spawn(process.execPath, ['-e', code, path], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  await new Promise((resolve) => child.stdout.once('data', resolve));
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  const end = (): Promise<void> => {
    child.kill('SIGKILL');
    return ended;
  };
  return { pid: child.pid ?? 0, end };
}

describe('the write-ahead log', () => {
  it('is emptied when nobody reads', () => {
    db.exec('INSERT INTO numbers VALUES (1)');
    expect(walBytes(db.name)).toBeGreaterThan(0);
    expect(emptyWal(db, WAIT_MS)).toBe(true);
    expect(walBytes(db.name)).toBe(0);
  });

  it('is not emptied while a snapshot needs it, and nothing else waits longer afterward', () => {
    const reader = new Database(db.name);
    reader.exec('BEGIN');
    reader.prepare('SELECT * FROM numbers').all();
    db.exec('INSERT INTO numbers VALUES (1)');
    db.pragma('busy_timeout = 1234');
    expect(emptyWal(db, WAIT_MS)).toBe(false);
    expect(db.pragma('busy_timeout', { simple: true })).toBe(1234);
    reader.exec('COMMIT');
    expect(emptyWal(db, WAIT_MS)).toBe(true);
    reader.close();
  });

  it('names the processes that read a snapshot, and no others', async () => {
    expect(walReaders(db.name)).toEqual([]);
    const reader = await readElsewhere(db.name);
    const command = expect.stringContaining(process.execPath);
    expect(walReaders(db.name)).toEqual([{ pid: reader.pid, command }]);
    const idle = new Database(db.name);
    idle.prepare('SELECT * FROM numbers').all();
    await reader.end();
    expect(walReaders(db.name)).toEqual([]);
    idle.close();
  });

  it('ends a reader when it has grown too long', () => {
    db.exec('INSERT INTO numbers VALUES (1)');
    const bytes = walBytes(db.name);
    expect(() => assertWalWithin(db.name, bytes)).not.toThrow();
    expect(() => assertWalWithin(db.name, bytes - 1)).toThrow(
      `the write-ahead log of ${db.name} has grown to ${bytes} bytes`,
    );
  });
});
