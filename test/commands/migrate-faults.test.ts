/** `verbatim migrate` that is interrupted or killed, or has no room. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import Database from 'better-sqlite3';
import { describe, expect, it, onTestFinished } from 'vitest';
import { OLDEST_VERSION } from '../../src/database/migrations/migrate-file.ts';
import { bundlePath } from '../../src/settings/bundle.ts';
import { namesBeside, versionOf } from '../database/migrations/migrated-files.ts';
import { createStored } from '../database/migrations/stored-databases.ts';
import { createSmallDisk, obstacleToSmallDisk } from '../support/small-disk.ts';
import { runVerbatim } from '../support/verbatim.ts';

/** Adds pages, so that a copy takes many steps. */
function grow(path: string, megabytes: number): void {
  const db = new Database(path);
  db.exec('CREATE TABLE ballast (bytes BLOB)');
  const add = db.prepare('INSERT INTO ballast VALUES (randomblob(1000000))');
  for (let added = 0; added < megabytes; added++) add.run();
  db.close();
}

/** Migrates a database, and ends that while it copies. Resolves with the exit code and the signal. */
async function endDuringCopy(path: string, signal: 'SIGINT' | 'SIGKILL'): Promise<unknown[]> {
  grow(path, 60);
  const child = spawn(process.execPath, [bundlePath(), 'migrate', '--db', path]);
  const ended = once(child, 'exit');
  const partial = () => namesBeside(path).some((name) => name.endsWith('.partial'));
  await expect.poll(partial, { interval: 2 }).toBe(true);
  child.kill(signal);
  return ended;
}

describe('verbatim migrate', () => {
  it('leaves neither a copy nor a change after Ctrl-C', async () => {
    const path = await createStored();
    expect(await endDuringCopy(path, 'SIGINT')).toEqual([130, null]);
    expect(namesBeside(path)).toEqual(['stored.db']);
    expect(versionOf(path)).toBe(OLDEST_VERSION);
  });

  it('goes on after a kill in the middle of the copy', async () => {
    const path = await createStored();
    await endDuringCopy(path, 'SIGKILL');
    await runVerbatim(['migrate', '--db', path]);
    const [, copy = '', ...others] = namesBeside(path);
    expect(others).toEqual([]);
    expect(versionOf(join(dirname(path), copy))).toBe(OLDEST_VERSION);
  });

  const obstacle = obstacleToSmallDisk();
  it.skipIf(obstacle !== undefined)('says how much room the copy needs', async () => {
    const disk = await createSmallDisk(24);
    onTestFinished(() => disk.end());
    writeFileSync(join(disk.seenAs, 'v.db'), readFileSync(await createStored()));
    disk.fill(2_000_000);
    const path = join(disk.folder, 'v.db');
    const run = { code: 1, through: disk.through };
    const { stderr } = await runVerbatim(['migrate', '--db', path], run);
    expect(stderr).toMatch(
      /^verbatim: a copy at \S+before-\S+ needs \d+ MB, but \S+ has [12] MB free; free some space, or migrate without a copy: verbatim migrate --no-copy --db \S+\n$/,
    );
    expect(readdirSync(disk.seenAs).filter((name) => name.includes('before'))).toEqual([]);
    await runVerbatim(['migrate', '--no-copy', '--db', path], { through: disk.through });
  });
});
