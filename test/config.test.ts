import { availableParallelism } from 'node:os';
import { describe, expect, it } from 'vitest';
import { readSettings, type Settings, settingsTable } from '../src/config.ts';
import { runVerbatim } from './support/verbatim.ts';

const ZERO_ALLOWED = [
  ...['VERBATIM_PORT', 'VERBATIM_HOLD_DELAY_MS', 'VERBATIM_SETTLE_DELAY_MS', 'VERBATIM_LEARN'],
  ...['VERBATIM_STRIPE_RETRIES_MAX', 'VERBATIM_PROXIES_TRUSTED', 'VERBATIM_SELF_REGISTRATION'],
  ...['VERBATIM_WITHHELD_SHOWN', 'VERBATIM_WARM_UP_SEARCHES'],
  ...['ARXIV', 'SEMANTIC_SCHOLAR', 'WEB'].map((of) => `VERBATIM_${of}_REQUESTS_PER_DAY_MAX`),
];
const SHARES = ['VERBATIM_LANE_CONFIDENCE'];

const numbers = Object.values(settingsTable).filter(
  ({ value, variable }) => typeof value === 'number' && !SHARES.includes(variable),
);

describe('readSettings', () => {
  it('has the default of every setting in an empty environment', () => {
    const defaults = Object.entries(settingsTable).map(([name, { value }]) => [name, value]);
    expect(readSettings({}, {})).toEqual(Object.fromEntries(defaults));
  });

  it('has the defaults that were decided', () => {
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
    ['a number with blanks around it', {}, { VERBATIM_PORT: ' 90\n' }, 90],
    ['0 where it means something', {}, { VERBATIM_PORT: '0' }, 0],
  ])('takes %s', (_, given, environment, port) => {
    expect(readSettings(given, environment).port).toBe(port);
  });

  it('takes texts as they are, but for blanks around them', () => {
    const environment = { VERBATIM_DB: ' /tmp/my papers.db ', VERBATIM_MODEL: '0' };
    expect(readSettings({}, environment)).toMatchObject({
      database: '/tmp/my papers.db',
      model: '0',
    });
  });

  it.each([['0'], ['1'], ['0.5'], ['0.123456'], ['1.0']])('reads the share %s', (text) => {
    for (const variable of SHARES) {
      expect(Object.values(readSettings({}, { [variable]: text }))).toContain(Number(text));
    }
  });

  it.each(['-0.1', '1.1', '2', '.5', '5e-1', '50 %', 'half', '0,5', '0.1234567', 'NaN'])(
    'refuses %j as a share',
    (text) => {
      for (const variable of SHARES) {
        expect(() => readSettings({}, { [variable]: text })).toThrow(
          expect.objectContaining({
            code: 'usage',
            message: `${variable} must be a number from 0 to 1, not "${text}"`,
          }),
        );
      }
    },
  );

  it.each(numbers)('reads $variable', ({ variable }) => {
    const environment = { [variable]: '7' };
    expect(Object.values(readSettings({}, environment))).toContain(7);
  });

  it.each(numbers)('refuses $variable where it is no number that fits', ({ variable }) => {
    const range = variable === 'VERBATIM_PORT' ? 'from 0 to 65535' : undefined;
    const minimum = ZERO_ALLOWED.includes(variable) ? 0 : 1;
    const wrong = ['-1', '1.5', '1e3', 'ten', '0x10', '1_000', 'NaN', '1'.repeat(13)];
    if (range !== undefined) wrong.push('65536', '99999');
    for (const text of minimum === 0 ? wrong : [...wrong, '0']) {
      expect(() => readSettings({}, { [variable]: text })).toThrow(
        expect.objectContaining({
          code: 'usage',
          message: `${variable} must be a whole number ${range ?? `of at least ${minimum}`}, not "${text}"`,
        }),
      );
    }
  });
});

describe('settingsTable', () => {
  it('has a variable and a help of its own for each setting', () => {
    const settings = Object.values(settingsTable);
    expect(new Set(settings.map(({ variable }) => variable)).size).toBe(settings.length);
    for (const { variable, help } of settings) {
      expect(variable).toMatch(/^VERBATIM_[A-Z_]+$/);
      expect(help.length).toBeGreaterThan(10);
    }
  });
});

describe('a bad setting', () => {
  it('ends a command before it does anything, with the exit code of wrong usage', async () => {
    const env = { VERBATIM_DOCUMENTS_PER_BATCH: 'many' };
    const { stderr } = await runVerbatim(['index', 'stats'], { env, code: 2 });
    expect(stderr).toBe(
      'verbatim: VERBATIM_DOCUMENTS_PER_BATCH must be a whole number of at least 1, not "many"\n',
    );
  });
});
