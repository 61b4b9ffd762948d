/**
 * `verbatim upgrade` and its way back are killed at random times. The program is the old or the new one,
 * whole, and it serves the database with all that was in it. Then the upgrade succeeds.
 */
import { spawn, spawnSync } from 'node:child_process';
import { copyFileSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, inject, it } from 'vitest';
import { freePort } from '../../scripts/measure/free-port.ts';
import { servingProcess } from '../../src/database/sqlite/process-lock.ts';
import { install } from '../commands/upgrade/programs.ts';
import { temporaryFolder } from '../support/accounts.ts';
import { createRandom, testSeed } from '../support/random.ts';
import { createCustomer } from '../support/service.ts';

const KILLS = [1, 2, 3, 4];
/** What an upgrade takes on a quiet machine, and how much longer one that goes back. */
const MOMENT_MS_MAX = 4_000;
/** What the new program does first. */
const NEVER = 'false';
const seed = testSeed();
const random = createRandom(seed);
const top = temporaryFolder();

describe.each([
  ['an upgrade', NEVER],
  ['an upgrade that goes back', '[ "$1" = serve ] && [ -e "$0.fails" ] && exit 1'],
])(`%s that is killed leaves a program that works, seed ${seed},`, (_what, first) => {
  it.each(KILLS)('at random moment %i', () => killOne(first));
});

async function killOne(first: string): Promise<void> {
  const { folder, program, database, download, signers } = install(top, { first });
  copyFileSync(inject('sampleIndex'), database);
  createCustomer(database);
  const file = join(download, 'verbatim-linux-x64');
  const programs = [readFileSync(program, 'utf8'), readFileSync(file, 'utf8')];
  const port = await freePort();
  const env = {
    ...process.env,
    VERBATIM_DB: database,
    VERBATIM_HOST: '127.0.0.1',
    VERBATIM_SEARCH_THREADS: '1',
    VERBATIM_METRICS_PORT: '0',
  };
  const run = (args: string[]) => spawnSync(program, args, { env, cwd: folder, encoding: 'utf8' });
  const ready = async (): Promise<boolean> => {
    const response = await fetch(`http://127.0.0.1:${port}/health`).catch(() => undefined);
    return response?.status === 200;
  };
  const end = async (): Promise<void> => {
    const pid = servingProcess(database);
    if (pid !== undefined) process.kill(pid, 'SIGKILL');
    await expect.poll(() => servingProcess(database)).toBeUndefined();
  };
  /** Starts the program that is there, and expects that it serves. */
  const expectServing = async (): Promise<void> => {
    expect(programs).toContain(readFileSync(program, 'utf8'));
    spawn(program, ['serve', '--port', String(port)], { env, cwd: folder, stdio: 'ignore' });
    await expect.poll(ready).toBe(true);
  };
  const expectLedger = (): void => {
    const { stdout } = run(['credit', 'audit', '--json']);
    expect(JSON.parse(stdout)).toMatchObject({ customers: 1, entries: 1, differences: [] });
  };
  try {
    await expectServing();
    const fails = `${program}.fails`;
    writeFileSync(fails, '');
    const options = { env, cwd: folder, stdio: 'ignore', detached: true } as const;
    const child = spawn(program, ['upgrade', file, '--signers', signers], options);
    const ended = new Promise((resolve) => child.once('exit', resolve));
    await Promise.race([ended, sleep(random.below(MOMENT_MS_MAX))]);
    // With the commands that it runs; a server that it has started is in a group of its own.
    if (child.exitCode === null) process.kill(-(child.pid ?? 0), 'SIGKILL');
    await ended;
    // By itself, if it was stopped: nothing else starts it.
    if (first === NEVER) await expect.poll(ready).toBe(true);
    rmSync(fails);
    // Whatever server ran before: it may be the old one beside the new program, or about to stop.
    await end();
    await expectServing();
    expectLedger();
    expect(run(['upgrade', file, '--signers', signers])).toMatchObject({ status: 0 });
    expect(readFileSync(program, 'utf8')).toBe(programs[1]);
    await expect.poll(ready).toBe(true);
    expectLedger();
  } finally {
    await end();
  }
}
