/** The cluster with one kill of each kind: everything adds up, whatever the machine. */
import { execFile } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { resolve } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, inject, it } from 'vitest';
import { killNames } from '../../../scripts/cluster/kills.ts';
import type { Report } from '../../../scripts/cluster/run.ts';

const script = resolve(import.meta.dirname, '../../../scripts/measure.mjs');
const run = promisify(execFile);

/** Two minutes are usual. A trial that hangs is ended, and says how far it came. */
const LIMIT = { timeout: 480_000 };

/** The folders of trials. Another trial may run at the same time. */
const folders = (): string[] =>
  readdirSync(tmpdir()).filter((name) => name.startsWith('verbatim-cluster-'));

describe('npm run measure -- cluster', () => {
  it('adds up after kills, and leaves nothing behind', async () => {
    const before = folders();
    // It exits 1 if anything does not add up. The report comes all the same.
    const { stdout, stderr } = await run(
      process.execPath,
      [script, 'cluster', '--smoke', '--db', inject('sampleIndex'), '--json'],
      LIMIT,
    ).catch((error: { stdout: string; stderr: string }) => error);
    // What went wrong stands there, if it ended before its report.
    expect(stdout, stderr).toContain('"wrong"');
    const { wrong, audit, figures } = JSON.parse(stdout) as Report;
    expect(wrong).toEqual([]);
    expect(audit.charged).toBeGreaterThan(0);
    expect(figures.map(({ name, kills }) => [name, kills])).toEqual([
      ['before', 0],
      ...killNames.map((name) => [name, 1]),
    ]);
    expect(folders().filter((name) => !before.includes(name))).toEqual([]);
  });

  it('says which option is wrong', async () => {
    await expect(
      run(process.execPath, [script, 'cluster', '--kills', 'many']),
    ).rejects.toMatchObject({
      stderr: expect.stringContaining('--kills'),
    });
  });
});
