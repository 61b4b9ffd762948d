/**
 * `index add` of the built program on PostgreSQL, while the database dies, its disk is full, or another
 * build runs. It needs pgvector.
 */
import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openDatabase } from '../../src/database/postgres/postgres-database.ts';
import { bundlePath } from '../../src/settings/bundle.ts';
import type { Cluster } from '../accounts/postgres/postgres-cluster.ts';
import { copySampleIndex, removeDatabase } from '../support/service.ts';
import { createSmallDisk, obstacleToSmallDisk, type SmallDisk } from '../support/small-disk.ts';
import { runCommand, runCommandJson, runVerbatim } from '../support/verbatim.ts';
import { DATABASE_LIMITS, makeDatabase, startVectorCluster } from './vector-cluster.ts';

const DISK_MEGABYTES = 64;
const DOCUMENTS = 60;
/** Those that are indexed before the disk is full. */
const INDEXED_BEFORE = 20;
/** For some further documents, and not for all. */
const ROOM_BYTES = 150_000;

const obstacle = obstacleToSmallDisk();
const disk = obstacle === undefined ? await createSmallDisk(DISK_MEGABYTES) : undefined;
const where = obstacle === undefined ? '' : ` (skipped: ${obstacle})`;
const cluster = await startVectorCluster({ disk });

let folder: string;
let sample: string;
let papers: string;
/** The papers, as an index exports them. */
let expected: string[];

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'verbatim-postgres-faults-'));
  if (cluster === undefined) return;
  sample = await copySampleIndex();
  papers = join(folder, 'sample.jsonl');
  const { stdout } = await runCommand(['index', 'export', '--db', sample]);
  const lines = stdout.split('\n').slice(0, DOCUMENTS);
  writeFileSync(papers, lines.join('\n'));
  expected = ['', ...lines].sort();
});

afterAll(async () => {
  cluster?.stop();
  disk?.end();
  if (sample !== undefined) await removeDatabase(sample);
  rmSync(folder, { recursive: true, force: true });
});

async function linesOf(env: Record<string, string>): Promise<string[]> {
  const { stdout } = await runCommand(['index', 'export'], { env });
  return stdout.split('\n').sort();
}

/** Small batches, so that there is a middle. */
async function environment(tablespace?: string): Promise<Record<string, string>> {
  const VERBATIM_INDEX = await makeDatabase(cluster as Cluster, { tablespace });
  return { VERBATIM_INDEX, VERBATIM_DOCUMENTS_PER_BATCH: '4' };
}

/** Counts the documents that are committed; -1 while the database cannot be asked. */
async function countDocuments(env: Record<string, string>): Promise<number> {
  const database = openDatabase({ url: env['VERBATIM_INDEX'] ?? '', ...DATABASE_LIMITS });
  try {
    const rows = await database.query<{ documents: number }>('SELECT documents FROM index_facts');
    return rows[0]?.documents ?? 0;
  } catch {
    return -1;
  } finally {
    await database.close();
  }
}

async function expectWhole(env: Record<string, string>, lines = expected): Promise<void> {
  expect(await runCommandJson(['index', 'verify'], { env })).toMatchObject({ problems: [] });
  expect(await linesOf(env)).toEqual(lines);
}

describe.skipIf(cluster === undefined)('index add on PostgreSQL', () => {
  it('goes on when PostgreSQL dies in the middle and comes back', async () => {
    const env = await environment();
    const adding = runVerbatim(['index', 'add', papers], { env });
    await expect.poll(() => countDocuments(env)).toBeGreaterThan(8);
    cluster?.crash();
    expect(await countDocuments(env)).toBeLessThan(expected.length - 1);
    await adding;
    await expectWhole(env);
  });

  it('takes turns with another build of the same papers', async () => {
    const env = await environment();
    // Both make the tables, and both add the same papers.
    await Promise.all([1, 2].map(() => runVerbatim(['index', 'add', papers], { env })));
    await expectWhole(env);
    expect(await runCommandJson(['index', 'history'], { env })).toHaveLength(2);
  });

  it('resumes after it was killed, and adds nothing twice', async () => {
    const env = await environment();
    const child = spawn(process.execPath, [bundlePath(), 'index', 'add', papers], {
      env: { ...process.env, ...env },
      stdio: 'ignore',
    });
    const exited = new Promise((resolve) => child.once('exit', resolve));
    await expect.poll(() => countDocuments(env)).toBeGreaterThan(8);
    child.kill('SIGKILL');
    await exited;
    const add = ['index', 'add', papers];
    const report = await runCommandJson<{ added: number }>(add, { env });
    expect(report.added).toBeLessThan(expected.length - 1);
    await expectWhole(env);
  });

  it.skipIf(disk === undefined)(`says that the disk is full, and resumes${where}`, async () => {
    const { folder: mounted, seenAs, fill, empty } = disk as SmallDisk;
    const lines = readFileSync(papers, 'utf8').split('\n');
    const { id, title } = JSON.parse(lines[0] ?? '') as { id: string; title: string };
    const [begin, all] = [join(folder, 'begin.jsonl'), join(folder, 'all.jsonl')];
    writeFileSync(begin, lines.slice(0, INDEXED_BEFORE).join('\n'));
    writeFileSync(all, lines.join('\n'));
    mkdirSync(join(seenAs, 'tables'));
    await administer(`CREATE TABLESPACE small LOCATION '${mounted}/tables'`);
    const env = await environment('small');
    await runCommand(['index', 'add', begin], { env });
    await administer('CHECKPOINT');
    fill(ROOM_BYTES);
    const { stderr } = await runVerbatim(['index', 'add', all], { env, code: 1 });
    expect(stderr).toMatch(/^verbatim: PostgreSQL: the disk is full: .*pg_tblspc.*\n$/m);
    expect(stderr).not.toContain('\n    at ');
    const stored = await countDocuments(env);
    expect(stored).toBeGreaterThanOrEqual(INDEXED_BEFORE);
    expect(stored).toBeLessThan(lines.length);
    expect(await runCommandJson(['index', 'verify'], { env })).toMatchObject({
      documents: stored,
      problems: [],
    });
    const { results } = await runCommandJson<{ results: { d: string }[] }>(['search', title], {
      env,
    });
    expect(results[0]?.d).toBe(id);
    empty();
    const report = await runCommandJson<{ added: number }>(['index', 'add', all], { env });
    expect(report.added).toBe(lines.length - stored);
    await expectWhole(env, ['', ...lines].sort());
  });
});

async function administer(statement: string): Promise<void> {
  const database = openDatabase({ url: cluster?.url ?? '', ...DATABASE_LIMITS });
  await database.query(statement);
  await database.close();
}
