/** The overload at a tiny scale: it runs, and nothing is wrong whatever the machine. */
import { execFile } from 'node:child_process';
import { resolve } from 'node:path';
import { promisify } from 'node:util';
import { expect, inject, it } from 'vitest';
import type { Row } from '../../scripts/measure/report.ts';

const script = resolve(import.meta.dirname, '../../scripts/measure.mjs');
const run = promisify(execFile);
/** On a busy machine the first searches take long, and those under overload, too. */
const PATIENT_SERVERS = { VERBATIM_WARM_UP_SEARCHES: '20', VERBATIM_REQUEST_TIMEOUT_MS: '60000' };

it('puts a server under overload, and nothing is wrong', async () => {
  const args = ['overload', '--smoke', '--seconds', '1', '--db', inject('sampleIndex'), '--json'];
  // It exits 1 if a bound is missed, which a busy machine may do. The report comes all the same.
  const { stdout } = await run(process.execPath, [script, ...args], {
    env: { ...process.env, ...PATIENT_SERVERS },
  }).catch((error: { stdout: string }) => error);
  const report = JSON.parse(stdout) as { cores: string; rows: Row[]; wrong: string[] };
  expect(report.wrong).toEqual([]);
  expect(report.rows.filter(({ bound }) => bound !== undefined)).toHaveLength(12);
  expect(report.cores).toMatch(/^the server on core 0, its clients on core 1$|^not pinned: /);
});
