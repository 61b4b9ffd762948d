import { availableParallelism } from 'node:os';
import { describe, expect, it } from 'vitest';
import { readSettings, renamedVariables, type Settings, settingsTable } from '../src/config.ts';
import type { Setting } from '../src/settings/setting.ts';
import { runVerbatim } from './support/verbatim.ts';

const table: Setting[] = Object.values(settingsTable);
const integers = table.filter((setting) => setting.kind === 'integer');
const shares = table.filter((setting) => setting.kind === 'share');
const booleans = table.filter((setting) => setting.kind === 'boolean');
const renamed = table.filter(({ formerVariable }) => formerVariable !== undefined);

/** The value of a setting that has this variable, in an environment. */
function settingOf(variable: string, environment: NodeJS.ProcessEnv): unknown {
  const entries = Object.entries(settingsTable);
  const name = entries.find(([, setting]) => setting.variable === variable)?.[0];
  return readSettings({}, environment)[name as keyof Settings];
}

describe('readSettings', () => {
  it('returns the default of every setting in an empty environment', () => {
    const defaults = Object.entries(settingsTable).map(([name, { value }]) => [name, value]);
    expect(readSettings({}, {})).toEqual(Object.fromEntries(defaults));
  });

  it('returns the documented defaults', () => {
    expect(readSettings({}, {})).toMatchObject({
      database: 'verbatim.db',
      model: '',
      host: '0.0.0.0',
      port: 8080,
      requestsPerMinute: 120,
      inFlightPerKeyMax: 8,
      inFlightMax: 64,
      requestTimeoutMs: 10_000,
      bodyBytesMax: 65_536,
      searchThreads: availableParallelism(),
      embedThreads: availableParallelism(),
    });
  });

  it.each<[what: string, given: Partial<Settings>, environment: NodeJS.ProcessEnv, port: number]>([
    ['the default', {}, {}, 8080],
    ['the environment before the default', {}, { VERBATIM_PORT: '90' }, 90],
    ['the option before the environment', { port: 70 }, { VERBATIM_PORT: '90' }, 70],
    ['the option before the default', { port: 70 }, {}, 70],
    ['the default for an empty variable', {}, { VERBATIM_PORT: '' }, 8080],
    ['the default for a blank variable', {}, { VERBATIM_PORT: ' ' }, 8080],
    ['a number with white space around it', {}, { VERBATIM_PORT: ' 90\n' }, 90],
    ['0 if the range of the setting allows it', {}, { VERBATIM_PORT: '0' }, 0],
  ])('uses %s', (_, given, environment, port) => {
    expect(readSettings(given, environment).port).toBe(port);
  });

  it('keeps a text as it is, without the white space around it', () => {
    const environment = { VERBATIM_DB: ' /tmp/my papers.db ', VERBATIM_MODEL: '0' };
    expect(readSettings({}, environment)).toMatchObject({
      database: '/tmp/my papers.db',
      model: '0',
    });
  });

  it.each(['0', '1', '0.5', '0.123456', '1.0'])('reads the share %s', (text) => {
    for (const { variable } of shares) {
      expect(settingOf(variable, { [variable]: text })).toBe(Number(text));
    }
  });

  it.each(['-0.1', '1.1', '2', '.5', '5e-1', '50 %', 'half', '0,5', '0.1234567', 'NaN'])(
    'refuses %j as a share',
    (text) => {
      for (const { variable } of shares) {
        expect(() => readSettings({}, { [variable]: text })).toThrow(
          expect.objectContaining({
            code: 'usage',
            message: `${variable} must be a number from 0 to 1, not "${text}"`,
          }),
        );
      }
    },
  );

  it.each([
    ['1', true],
    ['true', true],
    ['TRUE', true],
    ['0', false],
    ['false', false],
  ])('reads %j as a boolean', (text, value) => {
    expect(booleans.length).toBeGreaterThan(0);
    for (const { variable } of booleans) {
      expect(settingOf(variable, { [variable]: text })).toBe(value);
    }
  });

  it.each(['2', '-1', 'yes', 'on', '1.0', 'truth'])('refuses %j as a boolean', (text) => {
    for (const { variable } of booleans) {
      expect(() => readSettings({}, { [variable]: text })).toThrow(
        expect.objectContaining({
          code: 'usage',
          message: `${variable} must be true or false, not "${text}"`,
        }),
      );
    }
  });

  it.each(integers)('reads $variable as an integer', ({ variable }) => {
    expect(settingOf(variable, { [variable]: '7' })).toBe(7);
  });

  it.each(integers)(
    'refuses a value of $variable that is out of range or not an integer',
    (row) => {
      const { variable, min = 1, max } = row;
      const range = max === undefined ? `of at least ${min}` : `from ${min} to ${max}`;
      const wrong = ['-1', '1.5', '1e3', 'ten', '0x10', '1_000', 'NaN', '1'.repeat(13)];
      if (min > 0) wrong.push(String(min - 1));
      if (max !== undefined) wrong.push(String(max + 1));
      for (const text of wrong) {
        expect(() => readSettings({}, { [variable]: text })).toThrow(
          expect.objectContaining({
            code: 'usage',
            message: `${variable} must be a whole number ${range}, not "${text}"`,
          }),
        );
      }
    },
  );
});

describe('a renamed variable', () => {
  it.each(renamed)('$variable still works under its former name', (row) => {
    const { variable, formerVariable = '' } = row;
    expect(settingOf(variable, { [formerVariable]: '7' })).toBe(7);
    expect(settingOf(variable, { [formerVariable]: '7', [variable]: '8' })).toBe(8);
    expect(renamedVariables({ [formerVariable]: '7' })).toEqual([
      { former: formerVariable, variable },
    ]);
    expect(renamedVariables({ [variable]: '7' })).toEqual([]);
  });

  it('is named in an error by the name that the operator used', () => {
    expect(() => readSettings({}, { VERBATIM_LANE_PAUSE_MS: 'long' })).toThrow(
      'VERBATIM_LANE_PAUSE_MS must be a whole number of at least 1, not "long"',
    );
  });

  it('logs one warning that names the new variable', async () => {
    const env = { VERBATIM_LANE_PATIENCE_MS: '500' };
    const { stderr } = await runVerbatim(['customer', 'list', '--db', 'no.db'], { env, code: 1 });
    const warnings = stderr.split('\n').filter((line) => line.includes('setting_renamed'));
    expect(warnings.map((line) => JSON.parse(line))).toMatchObject([
      { former: 'VERBATIM_LANE_PATIENCE_MS', variable: 'VERBATIM_LANE_WAIT_MS_MAX' },
    ]);
  });
});

describe('settingsTable', () => {
  it('has a unique variable and a help text for each setting', () => {
    const names = table.flatMap(({ variable, formerVariable }) => [
      variable,
      ...(formerVariable === undefined ? [] : [formerVariable]),
    ]);
    expect(new Set(names).size).toBe(names.length);
    for (const name of names) expect(name).toMatch(/^VERBATIM_[A-Z_]+$/);
    for (const { help } of table) expect(help.length).toBeGreaterThan(10);
  });

  it.each(integers)('has a default of $variable within its range', ({ value, min = 1, max }) => {
    expect(value).toBeGreaterThanOrEqual(min);
    expect(value).toBeLessThanOrEqual(max ?? Infinity);
  });
});

describe('a setting with a wrong value', () => {
  it('ends a command at once with the exit code of wrong usage', async () => {
    const env = { VERBATIM_DOCUMENTS_PER_BATCH: 'many' };
    const { stderr } = await runVerbatim(['index', 'stats'], { env, code: 2 });
    expect(stderr).toBe(
      'verbatim: VERBATIM_DOCUMENTS_PER_BATCH must be a whole number of at least 1, not "many"\n',
    );
  });
});
