/** `npm run fuzz` as a command: a real server and real searches, and how it tells of a failure. */
import { execFile } from 'node:child_process';
import { resolve } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import type { FuzzOutcome } from '../../scripts/fuzz/run-target.ts';

const script = resolve(import.meta.dirname, '../../scripts/fuzz.mjs');
const run = promisify(execFile);

describe('npm run fuzz', () => {
  it('fuzzes a server and its searches', async () => {
    const args = [script, '--target', 'http,search', '--cases', '90', '--seed', '18', '--json'];
    const { stdout, stderr } = await run(process.execPath, args);
    const outcomes = JSON.parse(stdout) as FuzzOutcome[];
    expect(outcomes.map(({ target }) => target)).toEqual(['http', 'search']);
    for (const outcome of outcomes) expect(outcome).not.toHaveProperty('failure');
    expect(stderr).toContain('seed 18\n');
  });

  it('names the targets when one is unknown', async () => {
    const failing = run(process.execPath, [script, '--target', 'tea']);
    await expect(failing).rejects.toMatchObject({
      code: 2,
      stderr: expect.stringContaining('unknown target "tea", expected all or ids, body, calls'),
    });
  });
});
