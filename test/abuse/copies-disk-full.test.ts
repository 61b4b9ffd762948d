/** A full disk while a copy of the index is published or fetched: the copy before stays. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, inject, it } from 'vitest';
import { copyPaths, readLatest } from '../../src/index/copies/copy-folder.ts';
import { overwrite } from '../index/copies/copies-world.ts';
import { temporaryFolder } from '../support/accounts.ts';
import { createSmallDisk, obstacleToSmallDisk, type SmallDisk } from '../support/small-disk.ts';
import { type Finished, runVerbatim } from '../support/verbatim.ts';

const DISK_MEGABYTES = 12;
const obstacle = obstacleToSmallDisk();
const where = obstacle === undefined ? '' : ` (skipped: ${obstacle})`;
const top = temporaryFolder();

describe.skipIf(obstacle !== undefined)(`on a full disk${where}`, () => {
  let disk: SmallDisk;

  beforeEach(async () => {
    disk = await createSmallDisk(DISK_MEGABYTES);
  });
  afterEach(() => disk.end());

  const run = (args: readonly string[], code = 0): Promise<Finished> =>
    runVerbatim(['index', ...args], { code, through: disk.through });

  /** One line that names the folder. */
  function expectOneLine({ stderr }: Finished, folder: string): void {
    const lines = stderr.trimEnd().split('\n');
    expect(lines.at(-1)).toMatch(
      /the disk is full$|[\d.]+ [kM]B are needed, [\d.]+ [kM]?B are free$/,
    );
    expect(lines.at(-1)).toContain(`verbatim: cannot write to ${folder}: `);
    expect(stderr).not.toContain('\n    at ');
  }

  /** Room for nothing, and for a part of the file. */
  it.each([0, 20_000, 700_000])(
    'publish with room for %i bytes fails, then works',
    async (bytes) => {
      const folder = join(disk.folder, 'published');
      const publish = ['publish', folder, '--db', inject('sampleIndex')];
      await run(publish);
      const latest = readLatest(join(disk.seenAs, 'published'));
      disk.fill(bytes);
      expectOneLine(await run(publish, 1), folder);
      expect(readLatest(join(disk.seenAs, 'published'))).toBe(latest);
      expect(readdirSync(join(disk.seenAs, 'published', 'versions'))).toEqual([latest]);
      disk.empty();
      await run(publish);
      expect(readdirSync(join(disk.seenAs, 'published', 'versions'))).toEqual([latest]);
    },
  );

  it.each([0, 700_000])('pull of a damaged copy with room for %i bytes fails', async (bytes) => {
    const published = join(top, `damaged-${bytes}`);
    await run(['publish', published, '--db', inject('sampleIndex')]);
    const folder = join(disk.folder, 'local');
    const pull = ['pull', published, '--to', folder];
    await run(pull);
    const name = readLatest(published);
    const { database } = copyPaths(join(disk.seenAs, 'local'), name);
    overwrite(database, 40_960);
    const before = readFileSync(database);
    disk.fill(bytes);
    expectOneLine(await run(pull, 1), folder);
    expect(readFileSync(database).equals(before)).toBe(true);
    disk.empty();
    await run(pull);
    expect(readFileSync(database).equals(readFileSync(copyPaths(published, name).database))).toBe(
      true,
    );
  });

  it.each([0, 20_000, 700_000])('pull with room for %i bytes fails, then works', async (bytes) => {
    const published = join(top, `published-${bytes}`);
    await run(['publish', published, '--db', inject('sampleIndex')]);
    const folder = join(disk.folder, 'local');
    const pull = ['pull', published, '--to', folder];
    disk.fill(bytes);
    expectOneLine(await run(pull, 1), folder);
    expect(existsSync(join(disk.seenAs, 'local', 'latest.json'))).toBe(false);
    disk.empty();
    await run(pull);
    expect(readLatest(join(disk.seenAs, 'local'))).toBe(readLatest(published));
  });

  it('a first publish without room leaves nothing', async () => {
    const folder = join(disk.folder, 'published');
    const publish = ['publish', folder, '--db', inject('sampleIndex')];
    disk.fill(300_000);
    expectOneLine(await run(publish, 1), folder);
    expect(readdirSync(join(disk.seenAs, 'published', 'versions'))).toEqual([]);
    disk.empty();
    await run(publish);
  });
});
