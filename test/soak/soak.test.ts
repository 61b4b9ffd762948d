/** The soak among the scenarios of lanes at a tiny scale: it has customers and faults, and finds nothing wrong. */
import { execFile } from 'node:child_process';
import { resolve } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, inject, it } from 'vitest';
import type { LocalTimes } from '../../scripts/lanes/local-answers.ts';
import type { Measures } from '../../scripts/lanes/scenario.ts';

const script = resolve(import.meta.dirname, '../../scripts/measure.mjs');
const run = promisify(execFile);

interface Report {
  soak: Measures;
  local: LocalTimes;
  wrong: string[];
}

describe('npm run measure -- lanes --only soak', () => {
  it('serves customers through all faults without a problem', async () => {
    const args = [script, 'lanes', '--only', 'soak', '--smoke', '--json'];
    // It exits with 1 if something is wrong, and prints what.
    const { stdout } = await run(process.execPath, [...args, '--db', inject('sampleIndex')]).catch(
      (error: { stdout: string }) => error,
    );
    const { soak, local, wrong } = JSON.parse(stdout) as Report;
    expect(wrong).toEqual([]);
    expect(soak.outcomes['served']).toBeGreaterThan(0);
    expect(Object.keys(soak.answers)).toContain('200');
    expect(soak.arxivRequests).toBeGreaterThanOrEqual(2);
    expect(soak.arxivGapMsMin).toBeGreaterThanOrEqual(3_000);
    expect(Object.values(soak.faults).filter((count) => count > 0).length).toBeGreaterThan(1);
    expect(local.ratio).toBeGreaterThan(0);
  });
});
