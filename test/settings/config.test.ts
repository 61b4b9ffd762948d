import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import {
  holdsSecrets,
  readSettings,
  readSettingsFile,
  renamedVariables,
  resolveSettings,
  type Settings,
  settingsParts,
  settingsTable,
  unknownVariables,
} from '../../src/settings/config.ts';
import { otherVariables } from '../../src/settings/other-variables.ts';
import { type Setting, settingsIn } from '../../src/settings/setting.ts';
import { runVerbatim } from '../support/verbatim.ts';

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
  it('returns the default of every setting, and every limit, in an empty environment', () => {
    const defaults = settingsParts.flatMap(({ rows }) =>
      Object.entries(rows).map(([name, { value }]) => [name, value]),
    );
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

  it.each<
    [what: string, overrides: Partial<Settings>, environment: NodeJS.ProcessEnv, port: number]
  >([
    ['the default', {}, {}, 8080],
    ['the environment before the default', {}, { VERBATIM_PORT: '90' }, 90],
    ['the option before the environment', { port: 70 }, { VERBATIM_PORT: '90' }, 70],
    ['the option before the default', { port: 70 }, {}, 70],
    ['the default for an empty variable', {}, { VERBATIM_PORT: '' }, 8080],
    ['the default for a blank variable', {}, { VERBATIM_PORT: ' ' }, 8080],
    ['a number with white space around it', {}, { VERBATIM_PORT: ' 90\n' }, 90],
    ['0 if the range of the setting allows it', {}, { VERBATIM_PORT: '0' }, 0],
  ])('uses %s', (_, overrides, environment, port) => {
    expect(readSettings(overrides, environment).port).toBe(port);
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
    expect(() => readSettings({}, { VERBATIM_LANE_PATIENCE_MS: 'long' })).toThrow(
      'VERBATIM_LANE_PATIENCE_MS must be a whole number of at least 1, not "long"',
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

describe('a setting of few words', () => {
  it.each([
    ['VERBATIM_EMBED_DEVICE', 'cuda', 'cuda'],
    ['VERBATIM_LANES', 'none', 'none'],
    ['VERBATIM_LANES', 'web, arxiv', 'web,arxiv'],
    ['VERBATIM_WEB_PROVIDER', 'openalex,crossref', 'openalex,crossref'],
  ])('%s takes %j', (variable, text, value) => {
    expect(settingOf(variable, { [variable]: text })).toBe(value);
  });

  it.each([
    ['VERBATIM_EMBED_DEVICE', 'cdua', 'one of auto, cpu, cuda, not "cdua"; did you mean cuda?'],
    ['VERBATIM_EMBED_DEVICE', 'gpu', 'one of auto, cpu, cuda, not "gpu"; did you mean cpu?'],
    ['VERBATIM_EMBED_DEVICE', 'tensor', 'one of auto, cpu, cuda, not "tensor"'],
    [
      ...(['VERBATIM_LANES', 'arxiv,wbe'] as const),
      'some of arxiv,semantic_scholar,web, or none, not "arxiv,wbe"; did you mean web?',
    ],
    [
      ...(['VERBATIM_LANES', 'web,none'] as const),
      'some of arxiv,semantic_scholar,web, or none, not "web,none"; did you mean none?',
    ],
    [
      ...(['VERBATIM_WEB_PROVIDER', 'none'] as const),
      'some of crossref,europepmc,openalex,searxng,brave, not "none"',
    ],
  ])('%s refuses %j', (variable, text, rule) => {
    expect(() => readSettings({}, { [variable]: text })).toThrow(
      expect.objectContaining({ code: 'usage', message: `${variable} must be ${rule}` }),
    );
  });
});

describe('a settings file', () => {
  const folder = mkdtempSync(join(tmpdir(), 'verbatim-config-'));
  afterAll(() => rmSync(folder, { recursive: true }));
  const path = join(folder, 'my.conf');

  function fileWith(text: string) {
    writeFileSync(path, text, { mode: 0o600 });
    const file = readSettingsFile(path, {});
    if (file === undefined) throw new Error('the file was not read');
    return file;
  }

  it('comes after options and the environment and before the defaults', () => {
    const file = fileWith('# ports\nVERBATIM_PORT=60\nVERBATIM_HOST=::1\n');
    const environment = { VERBATIM_PORT: '90' };
    const of = (overrides: Partial<Settings>, env: NodeJS.ProcessEnv) =>
      resolveSettings(overrides, env, file).get('port');
    expect(of({ port: 70 }, environment)).toEqual({ value: 70, origin: 'option' });
    expect(of({}, environment)).toEqual({ value: 90, origin: 'environment' });
    expect(of({}, { VERBATIM_PORT: ' ' })).toEqual({ value: 60, origin: 'file', line: 2 });
    expect(resolveSettings({}, {}, file).get('inFlightMax')).toEqual({
      value: 64,
      origin: 'default',
    });
    expect(readSettings({}, environment, file)).toMatchObject({ port: 90, host: '::1' });
  });

  it('is found by the option before the variable', () => {
    fileWith('VERBATIM_PORT=60');
    expect(readSettingsFile(path, { VERBATIM_CONFIG: 'none' })).toMatchObject({ path });
    expect(readSettingsFile('none', { VERBATIM_CONFIG: path })).toBeUndefined();
    expect(() => readSettingsFile(undefined, { VERBATIM_CONFIG: `${path}x` })).toThrow(
      `there is no settings file ${path}x; VERBATIM_CONFIG names it`,
    );
  });

  it('has paths relative to itself, wherever a command runs', () => {
    const file = fileWith('VERBATIM_DB=data/my.db\nVERBATIM_MODEL=/models/one\n');
    const expected = { database: join(folder, 'data/my.db'), model: '/models/one' };
    expect(readSettings({}, {}, file)).toMatchObject(expected);
    const named = readSettingsFile(relative(process.cwd(), path), {});
    expect(readSettings({}, {}, named)).toMatchObject(expected);
  });

  it('leaves a setting with an empty value as it is', () => {
    expect(readSettings({}, {}, fileWith('VERBATIM_PORT='))).toMatchObject({ port: 8080 });
  });

  it('may use a former name, with a warning', () => {
    const file = fileWith('VERBATIM_LANE_PATIENCE_MS=7\n');
    expect(readSettings({}, {}, file)).toMatchObject({ laneWaitMsMax: 7 });
    expect(renamedVariables({}, file)).toEqual([
      { former: 'VERBATIM_LANE_PATIENCE_MS', variable: 'VERBATIM_LANE_WAIT_MS_MAX' },
    ]);
  });

  it.each([
    ['VERBATIM_PROT=1', 'there is no setting VERBATIM_PROT; did you mean VERBATIM_PORT?'],
    ['verbatim_port=1', 'there is no setting verbatim_port; did you mean VERBATIM_PORT?'],
    ['Port=1', 'there is no setting Port; did you mean VERBATIM_PORT?'],
    ['PATH=1', 'there is no setting PATH'],
    ['VERBATIM_KEY=1', 'VERBATIM_KEY is for the environment, not for a settings file'],
    ['VERBATIM_PORT=1\nVERBATIM_PORT=1', 'VERBATIM_PORT is set twice, first in line 2'],
  ])('with %j is refused', (text, message) => {
    const line = text.split('\n').length + 1;
    expect(() => fileWith(`\n${text}\n`)).toThrow(
      expect.objectContaining({ code: 'usage', message: `${path}:${line}: ${message}` }),
    );
  });

  it('with a wrong value is refused, also if an option replaces it', () => {
    const file = fileWith('VERBATIM_PORT=http');
    expect(() => readSettings({ port: 80 }, {}, file)).toThrow(
      `${path}:1: VERBATIM_PORT must be a whole number from 0 to 65535, not "http"`,
    );
  });

  it('is known to hold secrets', () => {
    expect(holdsSecrets(fileWith('VERBATIM_BRAVE_KEY=abc'))).toBe(true);
    expect(holdsSecrets(fileWith('VERBATIM_BRAVE_KEY=\nVERBATIM_PORT=1'))).toBe(false);
  });
});

describe('unknownVariables', () => {
  it('names what looks like a setting, with the setting that was meant', () => {
    const environment = { VERBATIM_PROT: '1', VERBATIM_QQQ: '1', PROT: '1', VERBATIM_PORT: '1' };
    expect(unknownVariables(environment)).toEqual([
      { variable: 'VERBATIM_PROT', suggested: 'VERBATIM_PORT' },
      { variable: 'VERBATIM_QQQ', suggested: undefined },
    ]);
  });

  it('knows settings, their former names, and documented variables', () => {
    const names = [
      ...table.flatMap(({ variable, formerVariable = variable }) => [variable, formerVariable]),
      ...Object.keys(otherVariables),
    ];
    expect(unknownVariables(Object.fromEntries(names.map((name) => [name, '1'])))).toEqual([]);
  });

  it('are logged once by a command', async () => {
    const { stderr } = await runVerbatim(['index', 'stats', '--db', 'no.db'], {
      env: { VERBATIM_PROT: '1', VERBATIM_KEY: 'sk_live_x' },
      code: 1,
    });
    const [warning = '', ...rest] = stderr.trim().split('\n');
    expect(JSON.parse(warning)).toMatchObject({
      event: 'setting_unknown',
      variable: 'VERBATIM_PROT',
      did_you_mean: 'VERBATIM_PORT',
    });
    expect(rest).toHaveLength(1);
  });
});

describe('settingsParts', () => {
  it('have every setting of the table once', () => {
    const rows = settingsParts.flatMap(({ rows }) =>
      settingsIn(rows).map(([, setting]) => setting),
    );
    expect(rows).toEqual(table);
  });

  it('mark every text as secret that is named like one', () => {
    const named = table.filter(
      ({ kind, variable }) => kind === 'text' && /_(KEY|SECRET|PASSWORD|TOKEN)\b/.test(variable),
    );
    expect(named.length).toBeGreaterThan(3);
    for (const setting of [...named, settingsTable.smtpUrl]) {
      expect(setting, setting.variable).toMatchObject({ secret: true });
    }
  });
});

describe('settingsTable', () => {
  it('has few settings: what no operator decides is a limit', () => {
    expect(table.length).toBeLessThanOrEqual(134);
  });

  it('has a unique variable and a help text for each setting', () => {
    const names = table.flatMap(({ variable, formerVariable }) => [
      variable,
      ...(formerVariable === undefined ? [] : [formerVariable]),
    ]);
    expect(new Set(names).size).toBe(names.length);
    for (const name of names) expect(name).toMatch(/^VERBATIM_[A-Z][A-Z\d_]+$/);
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
