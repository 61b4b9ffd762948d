/**
 * The disk is full or read-only while an index is built, embedded, optimized or exported: one line
 * says so, and the same command resumes when there is room.
 */
import { execFileSync } from 'node:child_process';
import { copyFileSync, existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { bundlePath, samplePath } from '../../src/settings/bundle.ts';
import { createSmallDisk, obstacleToSmallDisk, type SmallDisk } from '../support/small-disk.ts';
import { type Finished, runJson, runVerbatim } from '../support/verbatim.ts';

const DISK_MEGABYTES = 16;
/** A build has low priority: on a busy machine it takes minutes. */
const PATIENCE_MS = 400_000;
const FULL = 'the disk is full (SQLITE_FULL)';
/** Some files of the sample. A new database with them takes more than a megabyte. */
const files = ['ecology', 'neuroscience', 'physics'].map((name) =>
  join(samplePath(), `${name}.jsonl`),
);

const obstacle = obstacleToSmallDisk();
const where = obstacle === undefined ? '' : ` (skipped: ${obstacle})`;

async function countSample(): Promise<number> {
  const args = ['index', 'stats', '--db', inject('sampleIndex')];
  return (await runJson<{ documents: number }>(args)).documents;
}

describe.skipIf(obstacle !== undefined)(`on a full disk${where}`, { timeout: PATIENCE_MS }, () => {
  let disk: SmallDisk;
  let database: string;
  let documents: number;

  beforeAll(async () => {
    disk = await createSmallDisk(DISK_MEGABYTES);
    database = join(disk.folder, 'verbatim.db');
    documents = await countSample();
    copyFileSync(inject('sampleIndex'), join(disk.seenAs, 'verbatim.db'));
  });
  afterAll(() => disk.end());

  const run = (args: readonly string[], code = 0): Promise<Finished> =>
    runVerbatim(args, { code, through: disk.through });

  /** One line, after those of progress, which says what is full. */
  function expectOneLine({ stderr }: Finished, path: string): void {
    const lines = stderr.trimEnd().split('\n');
    expect(lines.at(-1)).toBe(`verbatim: cannot use ${path} as a database: ${FULL}`);
    expect(stderr).not.toContain('\n    at ');
    expect(lines.filter((line) => line.startsWith('verbatim: '))).toHaveLength(1);
  }

  async function expectSound(path = database, expected = documents): Promise<void> {
    const { stdout } = await run(['index', 'verify', '--db', path, '--json']);
    expect(JSON.parse(stdout)).toMatchObject({ documents: expected });
  }

  /** Room at the start: for nothing, for the tables, and for some of the documents. */
  it.each([0, 400_000, 1_200_000])(
    'index add with room for %i bytes fails with one line and resumes when there is more room',
    async (bytes) => {
      const path = join(disk.folder, `room-for-${bytes}.db`);
      const add = ['index', 'add', ...files, '--db', path];
      disk.fill(bytes);
      expectOneLine(await run(add, 1), path);
      disk.empty();
      await run(add);
      const lines = files.flatMap((file) => readFileSync(file, 'utf8').trim().split('\n'));
      await expectSound(path, lines.length);
      for (const end of ['', '-wal', '-shm'])
        rmSync(join(disk.seenAs, `room-for-${bytes}.db${end}`), { force: true });
    },
  );

  it('index optimize fails with one line and leaves the index unchanged', async () => {
    disk.fill(400_000);
    expectOneLine(await run(['index', 'optimize', '--rewrite', '--db', database], 1), database);
    disk.empty();
    await expectSound();
    await run(['index', 'optimize', '--rewrite', '--db', database]);
    await expectSound();
  });

  it('index embed fails with one line and resumes when there is room', async () => {
    const out = join(disk.folder, 'sample.vectors');
    const embed = ['index', 'embed', ...files, '--out', out];
    disk.fill();
    const { stderr } = await run(embed, 1);
    expect(stderr.trimEnd().split('\n').at(-1)).toMatch(
      /^verbatim: .*sample\.vectors: the disk is full/,
    );
    expect(stderr).not.toContain('\n    at ');
    disk.empty();
    await run(embed);
  });

  it('index export fails with one line and leaves no file', async () => {
    const out = join(disk.folder, 'papers.jsonl');
    disk.fill();
    const { stderr } = await run(
      ['index', 'export', '--db', inject('sampleIndex'), '--out', out],
      1,
    );
    expect(stderr).toMatch(/^verbatim: cannot write .*papers\.jsonl: ENOSPC[^\n]*\n$/);
    expect(existsSync(join(disk.seenAs, 'papers.jsonl'))).toBe(false);
    disk.empty();
    await run(['index', 'export', '--db', database, '--out', out]);
    expect(readFileSync(join(disk.seenAs, 'papers.jsonl'), 'utf8').trim().split('\n')).toHaveLength(
      documents,
    );
  });

  it('index export to a full standard output exits with 1 and one line', async () => {
    const args = [process.execPath, bundlePath(), 'index', 'export', '--db', database];
    const shell = ['sh', '-c', `exec "$@" > /dev/full`, 'sh'];
    const [program = '', ...rest] = [...disk.through, ...shell, ...args];
    let failed: { status?: number; stderr?: string } = {};
    try {
      execFileSync(program, rest, { encoding: 'utf8', stdio: 'pipe' });
    } catch (error) {
      failed = error as typeof failed;
    }
    expect(failed.status).toBe(1);
    expect(failed.stderr).toMatch(
      /^verbatim: cannot write to standard output: [^\n]*no space left[^\n]*\n$/,
    );
  });
});

describe.skipIf(obstacle !== undefined)(
  `in a read-only folder${where}`,
  { timeout: PATIENCE_MS },
  () => {
    let disk: SmallDisk;

    beforeAll(async () => {
      disk = await createSmallDisk(DISK_MEGABYTES);
      copyFileSync(inject('sampleIndex'), join(disk.seenAs, 'verbatim.db'));
      const [program = '', ...rest] = disk.through;
      execFileSync(program, [...rest, 'mount', '-o', 'remount,ro', disk.folder]);
    });
    afterAll(() => disk.end());

    const commands: [name: string, args: (folder: string) => string[]][] = [
      ['serve', (folder) => ['serve', '--port', '0', '--db', join(folder, 'verbatim.db')]],
      [
        'index add',
        (folder) => ['index', 'add', samplePath(), '--db', join(folder, 'verbatim.db')],
      ],
      [
        'index add, new',
        (folder) => ['index', 'add', samplePath(), '--db', join(folder, 'new.db')],
      ],
      ['index optimize', (folder) => ['index', 'optimize', '--db', join(folder, 'verbatim.db')]],
      ['index embed', (folder) => ['index', 'embed', samplePath(), '--out', join(folder, 'v')]],
      ['credit audit', (folder) => ['credit', 'audit', '--db', join(folder, 'verbatim.db')]],
    ];
    it.each(commands)('%s fails with one line', async (_name, args) => {
      const { stderr } = await runVerbatim(args(disk.folder), { code: 1, through: disk.through });
      const lines = stderr.split('\n').filter((line) => !line.startsWith('created a new database'));
      expect(lines).toEqual([expect.stringContaining(`verbatim: cannot `), '']);
      expect(lines[0]).toContain(disk.folder);
    });

    it('index export into the folder fails with one line', async () => {
      const out = join(disk.folder, 'papers.jsonl');
      const args = ['index', 'export', '--db', inject('sampleIndex'), '--out', out];
      const { stderr } = await runVerbatim(args, { code: 1, through: disk.through });
      expect(stderr).toMatch(/^verbatim: cannot write .*papers\.jsonl: EROFS[^\n]*\n$/);
    });

    it('no command leaves a new file', () => {
      expect(existsSync(join(disk.seenAs, 'new.db'))).toBe(false);
    });
  },
);
