/** The soak test at a tiny scale: it has customers, faults and checks, and finds nothing wrong. */
import { execFile } from 'node:child_process';
import { resolve } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, inject, it } from 'vitest';
import type { Report } from '../../scripts/soak/soak.ts';

const script = resolve(import.meta.dirname, '../../scripts/soak.mjs');
const run = promisify(execFile);

describe('npm run soak', () => {
  it('serves customers through all faults without a problem', async () => {
    const args = [script, '--smoke', '--json', '--db', inject('sampleIndex')];
    const { stdout } = await run(process.execPath, args);
    const report = JSON.parse(stdout) as Report;
    expect(report.wrong).toEqual([]);
    expect(report.outcomes['served']).toBeGreaterThan(0);
    expect(Object.keys(report.answers)).toContain('200');
    expect(report.arxivRequests).toBeGreaterThanOrEqual(2);
    expect(report.arxivGapMsMin).toBeGreaterThanOrEqual(3_000);
    expect(Object.values(report.faults).filter((count) => count > 0).length).toBeGreaterThan(1);
    expect(report.local.ratio).toBeGreaterThan(0);
  });
});
