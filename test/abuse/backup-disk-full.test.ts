/** The disk of a backup or of a restored database is full: one line says so, and nothing is left. */
import { copyFileSync, existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { createSmallDisk, obstacleToSmallDisk, type SmallDisk } from '../support/small-disk.ts';
import { runVerbatim } from '../support/verbatim.ts';

const DISK_MEGABYTES = 16;
const obstacle = obstacleToSmallDisk();
const where = obstacle === undefined ? '' : ` (skipped: ${obstacle})`;

describe.skipIf(obstacle !== undefined)(`on a full disk${where}`, () => {
  let disk: SmallDisk;

  beforeAll(async () => {
    disk = await createSmallDisk(DISK_MEGABYTES);
    copyFileSync(inject('sampleIndex'), join(disk.seenAs, 'verbatim.db'));
  });
  afterAll(() => disk.end());

  /** Runs a command that fails, and returns its only line after those of progress. */
  async function failing(args: string[]): Promise<string> {
    const { stderr } = await runVerbatim(args, { code: 1, through: disk.through });
    const lines = stderr.trimEnd().split('\n');
    expect(lines.filter((line) => line.startsWith('verbatim: '))).toHaveLength(1);
    return lines.at(-1) ?? '';
  }

  it('backup and restore say how much room is needed', async () => {
    const database = join(disk.folder, 'verbatim.db');
    disk.fill(1_000_000);
    expect(await failing(['backup', join(disk.folder, 'copy.db'), '--db', database])).toMatch(
      /cannot write to .*: [\d.]+ MB are needed, [\d.]+ kB are free/,
    );
    expect(await failing(['restore', database, '--db', join(disk.folder, 'new.db')])).toMatch(
      /cannot write to .*are needed/,
    );
    disk.empty();
    const left = readdirSync(disk.seenAs).filter((name) => !name.endsWith('-lock'));
    expect(left).toEqual(['verbatim.db']);
    await runVerbatim(['backup', join(disk.folder, 'copy.db'), '--db', database], {
      through: disk.through,
    });
    expect(existsSync(join(disk.seenAs, 'copy.db'))).toBe(true);
  });

  it('a backup that runs out of room on the way leaves nothing', async () => {
    const copy = join(disk.folder, 'late.db');
    const env = { VERBATIM_BACKUP_BYTES_PER_SECOND_MAX: '500000' };
    const args = ['backup', copy, '--db', join(disk.folder, 'verbatim.db')];
    const running = runVerbatim(args, { code: 1, through: disk.through, env });
    await expect
      .poll(() => readdirSync(disk.seenAs).some((name) => name.includes('late')))
      .toBe(true);
    disk.fill(100_000);
    const { stderr } = await running;
    disk.empty();
    expect(stderr).toMatch(/^verbatim: cannot write \S*late\.db\.\d+\.partial: [^\n]+\n$/m);
    expect(readdirSync(disk.seenAs).filter((name) => name.includes('late'))).toEqual([]);
  });
});
