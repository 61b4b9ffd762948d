/**
 * A backup and a restore are killed at random times. The source and the earlier backups stay whole,
 * and a database is there whole or not at all.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import Database from 'better-sqlite3';
import { beforeEach, describe, expect, inject, it } from 'vitest';
import { auditLedger } from '../../src/accounts/sqlite/ledger/audit.ts';
import { bundlePath } from '../../src/settings/bundle.ts';
import { temporaryFolder } from '../support/accounts.ts';
import { inStore } from '../support/history.ts';
import { withLimits } from '../support/limits.ts';
import { createRandom, testSeed } from '../support/random.ts';
import { createCustomer } from '../support/service.ts';
import { runVerbatim } from '../support/verbatim.ts';

const KILLS = 5;
/** A command takes a second or two on a busy machine. */
const MOMENT_MS_MAX = 1_500;
const seed = testSeed();
const random = createRandom(seed);
const top = temporaryFolder();

let folder: string;
let database: string;

beforeEach(() => {
  folder = mkdtempSync(join(top, 'kill-'));
  database = join(folder, 'verbatim.db');
  copyFileSync(inject('sampleIndex'), database);
  createCustomer(database);
});

/** Starts a command in a group of its own; resolves to whether it had ended by itself. */
async function endAtRandom(args: string[], signal: NodeJS.Signals): Promise<number | null> {
  const child: ChildProcess = spawn(process.execPath, [bundlePath(), ...args], {
    stdio: 'ignore',
    detached: true,
    // Small steps, so that more moments are between two of them.
    env: { ...process.env, ...withLimits({ backupBytesPerStep: 65_536 }) },
  });
  const ended = new Promise<number | null>((resolve) => child.once('exit', resolve));
  const wasFirst = await Promise.race([
    ended.then(() => true),
    sleep(random.below(MOMENT_MS_MAX)).then(() => false),
  ]);
  // The whole group, as a terminal and a service manager do.
  if (!wasFirst) process.kill(-(child.pid ?? 0), signal);
  return ended;
}

function expectWhole(path: string): void {
  const db = new Database(path);
  expect(db.pragma('integrity_check')).toEqual([{ integrity_check: 'ok' }]);
  db.close();
  expect(inStore(path, auditLedger)).toMatchObject({ entries: 1, differences: [] });
}

describe(`a command that is killed, seed ${seed}`, () => {
  it('backup: source and earlier backups stay whole, and the next one clears up', async () => {
    const backups = join(folder, 'backups');
    mkdirSync(backups);
    const earlier = join(backups, 'verbatim-20260101T000000.000Z.db');
    await runVerbatim(['backup', earlier, '--db', database]);
    const before = readFileSync(earlier);
    for (let kill = 0; kill < KILLS; kill++) {
      await endAtRandom(['backup', backups, '--db', database, '--keep', `${KILLS + 2}`], 'SIGKILL');
    }
    expect(readFileSync(earlier).equals(before)).toBe(true);
    const { stdout } = await runVerbatim(['backup', backups, '--db', database, '--json']);
    const { file } = JSON.parse(stdout) as { file: string };
    const names = readdirSync(backups);
    expect(names.filter((name) => name.includes('partial'))).toEqual([]);
    expect(names).toContain(file.slice(backups.length + 1));
    for (const name of names) {
      copyFileSync(join(backups, name), join(folder, name));
      expectWhole(join(folder, name));
    }
    expectWhole(database);
  });

  it('backup: Ctrl-C leaves nothing, and exits with 130', async () => {
    const codes = new Set<number | null>();
    for (let interruption = 0; interruption < KILLS; interruption++) {
      const path = join(folder, `copy-${interruption}.db`);
      const code = await endAtRandom(['backup', path, '--db', database], 'SIGINT');
      codes.add(code);
      // Null: the program was not listening yet, or no longer, with the copy in its place.
      if (code !== null) expect(existsSync(path)).toBe(code === 0);
      else if (existsSync(path)) expectWhole(path);
      expect(readdirSync(folder).filter((name) => name.includes('partial'))).toEqual([]);
    }
    expect([...codes].filter((code) => ![0, 130, null].includes(code))).toEqual([]);
    expectWhole(database);
  });

  it('restore: the database is there whole or not at all', async () => {
    const backup = join(folder, 'backup.db');
    await runVerbatim(['backup', backup, '--db', database]);
    const before = readFileSync(backup);
    for (let kill = 0; kill < KILLS; kill++) {
      const restored = join(folder, `restored-${kill}.db`);
      await endAtRandom(['restore', backup, '--db', restored], 'SIGKILL');
      if (existsSync(restored)) {
        expectWhole(restored);
        continue;
      }
      await runVerbatim(['restore', backup, '--db', restored]);
      const prefix = `restored-${kill}.db.`;
      expect(readdirSync(folder).filter((name) => name.startsWith(prefix))).toEqual([]);
    }
    expect(readFileSync(backup).equals(before)).toBe(true);
  });
});
