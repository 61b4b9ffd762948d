/** `verbatim init` is killed at any time; the next run completes what it began. */
import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, expect, it } from 'vitest';
import { listKeys } from '../../src/accounts/sql/api-keys.ts';
import { listCustomers } from '../../src/accounts/sql/customers.ts';
import { auditLedger } from '../../src/accounts/sqlite/ledger/audit.ts';
import { runOnSqlite } from '../../src/database/sqlite/run-on-sqlite.ts';
import { bundlePath } from '../../src/settings/bundle.ts';
import { inStore } from '../support/history.ts';
import { runVerbatim } from '../support/verbatim.ts';

const KILLS = 8;
/** About what a whole run takes on a busy machine. */
const RUN_MS = 700;

const top = mkdtempSync(join(tmpdir(), 'verbatim-kill-init-'));
afterAll(() => rmSync(top, { recursive: true }));

it(`is completed after each of ${KILLS} kills`, async () => {
  let half = 0;
  for (let kill = 0; kill < KILLS; kill++) {
    const folder = mkdtempSync(join(top, 'folder-'));
    const config = join(folder, 'verbatim.conf');
    const database = join(folder, 'verbatim.db');
    const args = ['init', '--yes', '--config', config, '--db', database];
    const child = spawn(process.execPath, [bundlePath(), ...args], { stdio: 'ignore' });
    const exited = new Promise((done) => child.once('exit', done));
    // Half of the kills come soon after the first file, the others at any time.
    const isSoon = kill % 2 === 0;
    while (isSoon && !existsSync(config)) await wait(1);
    await Promise.race([wait(isSoon ? 4 * kill : (RUN_MS * kill) / KILLS), exited]);
    child.kill('SIGKILL');
    await exited;
    if (existsSync(config)) half++;
    const { stdout } = await runVerbatim(args);
    expect(stdout).toMatch(/customer +(added first-customer@localhost|kept)/);
    await runVerbatim(['config', '--config', config]);
    inStore(database, (db) => {
      expect(runOnSqlite(db, listCustomers()).map(({ balance }) => balance)).toEqual([1000]);
      expect(runOnSqlite(db, listKeys())).toHaveLength(1);
      expect(auditLedger(db).differences).toEqual([]);
    });
    rmSync(folder, { recursive: true });
  }
  expect(half).toBeGreaterThan(0);
});
