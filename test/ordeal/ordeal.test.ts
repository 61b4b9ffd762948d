/** The ordeal at a tiny scale: every section runs, and nothing is wrong whatever the machine. */
import { execFile } from 'node:child_process';
import { resolve } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, inject, it } from 'vitest';
import type { Row } from '../../scripts/measure/report.ts';

const script = resolve(import.meta.dirname, '../../scripts/measure.mjs');
const run = promisify(execFile);
/** On a busy machine the first searches take long, and those under overload, too. */
const PATIENT_SERVERS = { VERBATIM_WARM_UP_SEARCHES: '20', VERBATIM_REQUEST_TIMEOUT_MS: '60000' };

interface Report {
  cores: string;
  sections: { name: string; rows: Row[] }[];
  wrong: string[];
}

/** It exits 1 if a bound is missed, which a busy machine may do. The report comes all the same. */
async function ordeal(args: readonly string[]): Promise<Report> {
  const { stdout } = await run(process.execPath, [script, 'ordeal', ...args, '--json'], {
    env: { ...process.env, ...PATIENT_SERVERS },
  }).catch((error: { stdout: string }) => error);
  return JSON.parse(stdout) as Report;
}

describe('npm run measure -- ordeal', () => {
  it('puts a server through everything, and nothing is wrong', async () => {
    const report = await ordeal(['--smoke', '--seconds', '1', '--db', inject('sampleIndex')]);
    expect(report.wrong).toEqual([]);
    expect(report.sections.map(({ name }) => name)).toEqual(['overload', 'kills', 'faults']);
    for (const { rows } of report.sections) expect(rows.length).toBeGreaterThan(0);
    expect(report.cores).toMatch(/^the server on core 0, its clients on core 1$|^not pinned: /);
  });

  it('names the sections when one is unknown', async () => {
    await expect(run(process.execPath, [script, 'ordeal', '--only', 'tea'])).rejects.toMatchObject({
      code: 2,
      stderr: expect.stringContaining(
        'there is no "tea", expected all or some of overload,kills,faults',
      ),
    });
  });
});
