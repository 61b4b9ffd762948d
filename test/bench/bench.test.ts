/** The benchmark at a tiny scale: it measures every row, finds nothing wrong, and is repeatable. */
import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Row, rowTable } from '../../scripts/bench/rows.ts';
import { copySampleIndex, removeDatabase } from '../support/service.ts';

const script = resolve(import.meta.dirname, '../../scripts/measure.mjs');
const run = promisify(execFile);
/** It starts a dozen processes one after another. */
const BENCH_TIMEOUT_MS = 1_800_000;

interface Report {
  machine: object;
  index: object;
  queries: object;
  rows: Row[];
  hash: string;
  wrong: string[];
}

async function bench(args: readonly string[]): Promise<Report> {
  const { stdout } = await run(process.execPath, [script, 'bench', ...args, '--json']);
  return JSON.parse(stdout) as Report;
}

describe('npm run bench', () => {
  let database: string;
  let before: Buffer;
  let report: Report;
  beforeAll(async () => {
    database = await copySampleIndex();
    before = await readFile(database);
    report = await bench(['--smoke', '--db', database]);
  }, BENCH_TIMEOUT_MS);
  afterAll(() => removeDatabase(database));

  it('measures every row', () => {
    const expected = Object.keys(rowTable).filter(
      (name) => name !== 'memory' || process.platform === 'linux',
    );
    expect(report.rows.map(({ name }) => name)).toEqual(expected);
    for (const { name, value, multiple = 0 } of report.rows) {
      expect(Number.isFinite(value), name).toBe(true);
      expect(Number.isFinite(multiple), name).toBe(true);
    }
  });

  it('finds nothing wrong', () => {
    expect(report.wrong).toEqual([]);
    const values = new Map(report.rows.map(({ name, value }) => [name, value]));
    expect([values.get('failures'), values.get('ledger')]).toEqual([0, 0]);
  });

  it('describes the machine and the index', () => {
    expect(report.machine).toMatchObject({ node: process.version });
    expect(report.index).toEqual({ documents: 214, sentences: expect.any(Number) });
    expect(report.queries).toEqual({ title: 12, fragment: 12, question: 12 });
  });

  it('does not change the index', async () => {
    expect((await readFile(database)).equals(before)).toBe(true);
  });

  it('computes the same hash for the same answers', async () => {
    const again = await bench(['--smoke', '--db', database, '--only', 'retrieval']);
    expect(report.hash).toMatch(/^[0-9a-f]{64}$/);
    expect(again.hash).toBe(report.hash);
  });

  it('selects different queries with a different seed', async () => {
    const other = await bench(['--smoke', '--db', database, '--only', 'retrieval', '--seed', '2']);
    expect(other.hash).not.toBe(report.hash);
  });

  it.each([
    [
      ['--only', 'cooking'],
      'bench: --only: there is no "cooking", expected all or some of serving,verifying',
    ],
    [['--db', 'missing.db'], 'bench: there is no database at '],
    [['--queries', 'many'], 'bench: --queries: expected a whole number, not "many"'],
  ])('explains wrong usage: %j', async (args, message) => {
    const failed = bench(args);
    await expect(failed).rejects.toMatchObject({ stderr: expect.stringContaining(message) });
  });
});
