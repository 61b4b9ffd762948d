/** `npm run measure -- fuzz` as a command: a real server and real searches, and how it tells of a failure. */
import { execFile } from 'node:child_process';
import { resolve } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, inject, it } from 'vitest';
import type { FuzzOutcome } from '../../scripts/fuzz/run-target.ts';

const script = resolve(import.meta.dirname, '../../scripts/measure.mjs');
const run = promisify(execFile);

describe('npm run measure -- fuzz', () => {
  it('fuzzes a server and its searches', async () => {
    const args = [script, 'fuzz', '--target', 'search,http', '--cases', '90', '--seed', '18'];
    const given = ['--db', inject('sampleIndex'), '--json'];
    const { stdout, stderr } = await run(process.execPath, [...args, ...given]);
    const { outcomes } = JSON.parse(stdout) as { outcomes: FuzzOutcome[] };
    expect(outcomes.map(({ target }) => target)).toEqual(['search', 'http']);
    for (const outcome of outcomes) expect(outcome).not.toHaveProperty('failure');
    expect(stderr).toContain('seed 18\n');
  });

  it('names the targets when one is unknown', async () => {
    const failing = run(process.execPath, [script, 'fuzz', '--target', 'tea']);
    await expect(failing).rejects.toMatchObject({
      code: 2,
      stderr: expect.stringContaining('there is no "tea", expected all or some of body,calls'),
    });
  });
});
