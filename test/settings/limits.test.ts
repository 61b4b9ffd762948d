/** Limits: what they are without their former variables, and how a test changes them. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import {
  readSettings,
  readSettingsFile,
  retiredVariables,
  unknownVariables,
} from '../../src/settings/config.ts';
import { withLimits } from '../support/limits.ts';
import { runVerbatim } from '../support/verbatim.ts';

const folder = mkdtempSync(join(tmpdir(), 'verbatim-limits-'));
afterAll(() => rmSync(folder, { recursive: true }));

describe('a variable that was retired', () => {
  // The first is made of the name of its limit, the second was renamed before.
  const variables = ['VERBATIM_LEDGER_RETRY_MS', 'VERBATIM_LANE_PAUSE_MS'];
  const environment = Object.fromEntries(variables.map((variable) => [variable, '7']));
  const path = join(folder, 'retired.conf');
  writeFileSync(path, `${variables[0]}=never\n`, { mode: 0o600 });

  it('in the environment and in the settings file leaves the constant as it is', () => {
    const file = readSettingsFile(path, {});
    const constants = { ledgerRetryMs: 1_000, laneBackoffMs: 1_000 };
    expect(readSettings({}, environment, file)).toMatchObject(constants);
    expect(retiredVariables(environment, file)).toEqual(
      variables.map((variable) => ({ variable, fixedAt: '1000 ms' })),
    );
    expect(retiredVariables({}, file).map(({ variable }) => variable)).toEqual([variables[0]]);
    expect(unknownVariables(environment)).toEqual([]);
  });

  it('is one warning of a command, and no error', async () => {
    const { stderr } = await runVerbatim(['config', '--config', path], { env: environment });
    const lines = stderr.trim().split('\n');
    expect(lines.map((line) => JSON.parse(line))).toMatchObject(
      variables.map((variable) => ({ event: 'setting_retired', variable, fixed_at: '1000 ms' })),
    );
  });
});

describe('VERBATIM_TEST_LIMITS', () => {
  it('changes a limit, and no other', () => {
    const changed = readSettings({}, withLimits({ ledgerRetryMs: 50 }));
    expect(changed).toEqual({ ...readSettings({}, {}), ledgerRetryMs: 50 });
  });

  it.each(['ledgerRetry', 'port'])('refuses %s, which is no limit', (name) => {
    const changed = { VERBATIM_TEST_LIMITS: JSON.stringify({ [name]: 1 }) };
    expect(() => readSettings({}, changed)).toThrow(
      expect.objectContaining({
        code: 'usage',
        message: `VERBATIM_TEST_LIMITS: there is no limit ${name}`,
      }),
    );
  });
});
