import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { type ApiKey, isWellFormed } from '../../src/accounts/sql/api-keys.ts';
import { parseDurationMs } from '../../src/commands/cli/options.ts';
import { temporaryFolder } from '../support/accounts.ts';
import {
  type CommandRow,
  checkCommand,
  checkCommands,
  checkHelp,
  failure,
  usageError,
} from '../support/command-line.ts';
import { runJson, runVerbatim } from '../support/verbatim.ts';

type CreatedKey = ApiKey & { secret: string };

const folder = temporaryFolder();
const HOUR = 3_600_000;
const MADE = 'its secret is not stored and not shown again:\nSECRET\n';

const withDatabase =
  (database: string) =>
  <Result>(...args: string[]): Promise<Result> =>
    runJson(['key', ...args, '--db', database]);

describe('the key commands, one after another', () => {
  const database = join(folder, 'table.db');
  beforeAll(() => runVerbatim(['customer', 'add', 'ada@example.org', '--db', database]));

  const notACount = (option: string, text: string): string =>
    `option '${option}' argument '${text}' is invalid. It must be a whole number ` +
    (option.startsWith('--cap') ? 'from 1 to 1,000,000,000.' : 'of at least 1.');
  const rows: CommandRow[] = [
    [['key', 'list'], { out: '(none)\n' }],
    [['key', 'create', 'ada@example.org'], { out: `key PREFIX of ada@example.org; ${MADE}` }],
    [
      [
        ...['key', 'create', 'ADA@example.org', '--name', 'cluster 7'],
        ...['--requests-per-minute', '1200', '--in-flight', '16', '--cap', '2500'],
      ],
      { out: `key PREFIX of ada@example.org; ${MADE}` },
    ],
    [['key', 'create', 'eve@example.org'], failure('there is no customer eve@example.org')],
    [['key', 'create'], usageError("missing required argument 'email'")],
    ...['--requests-per-minute <n>', '--in-flight <n>', '--cap <credits>'].map(
      (option): CommandRow => [
        ['key', 'create', 'ada@example.org', option.replace(/ .*/, ''), '0'],
        usageError(notACount(option, '0')),
      ],
    ),
    [
      ['key', 'list'],
      {
        out: [
          'key         customer         name       requests/min  in flight  credits/month' +
            '  lanes  client  created (UTC)        state',
          'PREFIX  ada@example.org  default    default       default    no cap         all            TIME  valid',
          'PREFIX  ada@example.org  cluster 7  1200          16         2,500          all            TIME  valid',
          '',
        ].join('\n'),
      },
    ],
    [
      ['key', 'list', '--customer', 'eve@example.org'],
      failure('there is no customer eve@example.org'),
    ],
    [['key', 'cap', 'zzzz', '5'], failure('there is no key with the prefix "zzzz"')],
    [['key', 'cap', 'zzzz'], usageError("missing required argument 'credits'")],
    ...['0', '-', '1.5', 'None', ''].map(
      (text): CommandRow => [
        ['key', 'cap', 'zzzz', text],
        usageError(
          `command-argument value '${text}' is invalid for argument 'credits'. ` +
            'It must be a whole number from 1 to 1,000,000,000, or none.',
        ),
      ],
    ),
    [['key', 'lanes', 'zzzz', 'none'], failure('there is no key with the prefix "zzzz"')],
    [['key', 'lanes', 'zzzz'], usageError("missing required argument 'lanes'")],
    ...['', 'scholar', 'none,web'].map(
      (text): CommandRow => [
        ['key', 'lanes', 'zzzz', text],
        usageError(
          `command-argument value '${text}' is invalid for argument 'lanes'. It must be "all", ` +
            '"none", or some of arxiv, semantic_scholar, web with commas between them.',
        ),
      ],
    ),
    [['key', 'revoke', 'zzzz'], failure('there is no key with the prefix "zzzz"')],
    [['key', 'revoke', ''], failure('there is no key with the prefix ""')],
    [['key', 'revoke'], usageError("missing required argument 'prefix'")],
    [['key', 'rotate', 'zzzz'], failure('there is no key with the prefix "zzzz"')],
    [['key', 'rotate'], usageError("missing required argument 'prefix'")],
    ...['24', '-1h', ''].map(
      (text): CommandRow => [
        ['key', 'rotate', 'zzzz', '--grace', text],
        usageError(
          `option '--grace <time>' argument '${text}' is invalid. ` +
            'It must be a number with a unit: 90s, 15m, 24h or 7d.',
        ),
      ],
    ),
    [['key', 'delete', 'zzzz'], usageError("unknown command 'delete'")],
  ];
  checkCommands(() => database, rows);
});

describe('a grace period', () => {
  it.each([
    ['90s', 90_000],
    ['15m', 900_000],
    ['24h', 24 * HOUR],
    ['7d', 168 * HOUR],
    ['0s', 0],
    ['999999d', 999_999 * 24 * HOUR],
  ])('can be %s', (text, milliseconds) => {
    expect(parseDurationMs(text)).toBe(milliseconds);
  });

  const refused = ['', '24', 'h', '1w', '1H', '-1h', '1.5h', '1 h', ' 1h', '1h\n', '1h30m', '1ms'];
  it.each([...refused, '1234567s', '1e3s'])('cannot be %j', (text) => {
    expect(() => parseDurationMs(text)).toThrow('It must be a number with a unit');
  });
});

describe('the lanes of a key', () => {
  const database = join(folder, 'lanes.db');
  const key = withDatabase(database);

  it('can be set and reset, and survive a rotation', async () => {
    await runVerbatim(['customer', 'add', 'ada@example.org', '--db', database]);
    const { prefix, lanes } = await key<CreatedKey>('create', 'ada@example.org');
    expect(lanes).toBeNull();
    expect(await key('lanes', prefix, 'web, arxiv')).toMatchObject({ lanes: 'arxiv,web' });
    const next = await key<CreatedKey>('rotate', prefix);
    expect(next.lanes).toBe('arxiv,web');
    expect(await key('lanes', next.prefix, 'all')).toMatchObject({ lanes: null });
    const { stdout } = await runVerbatim([
      ...['customer', 'lanes', 'ADA@example.org', 'none', '--db', database],
    ]);
    expect(stdout).toBe('lanes of ada@example.org: none\n');
    expect(await key('list')).toMatchObject([
      { lanes: 'arxiv,web', customerLanes: 'none' },
      { lanes: null, customerLanes: 'none' },
    ]);
  });
});

describe('the life of a key', () => {
  const database = join(folder, 'life.db');
  const key = withDatabase(database);
  let first: CreatedKey;
  let second: CreatedKey;

  beforeAll(async () => {
    for (const name of ['ada', 'bob']) {
      await runVerbatim(['customer', 'add', `${name}@example.org`, '--db', database]);
    }
    const options = ['--name', 'laptop', '--requests-per-minute', '30', '--in-flight', '2'];
    options.push('--cap', '500');
    first = await key('create', 'ada@example.org', ...options);
    second = await key('create', 'bob@example.org');
  });

  /** The last column of the row of a key. */
  async function stateOf({ prefix }: { prefix: string }): Promise<string | undefined> {
    const { stdout } = await runVerbatim(['key', 'list', '--db', database]);
    const row = stdout.split('\n').find((line) => line.startsWith(prefix));
    return row?.split(/ {2,}/).at(-1);
  }

  const textOf = (time: number): string =>
    new Date(time).toISOString().slice(0, 19).replace('T', ' ');

  it('starts with a secret that is shown once and never listed', async () => {
    expect(isWellFormed(first.secret)).toBe(true);
    const { secret, ...rest } = first;
    expect(rest).toEqual({
      expiresAt: null,
      oldPrefix: null,
      oldSecretEndsAt: null,
      id: 1,
      customerId: 1,
      customer: 'ada@example.org',
      name: 'laptop',
      prefix: expect.stringMatching(/^[0-9a-f]{10}$/),
      requestsPerMinute: 30,
      inFlightMax: 2,
      creditsPerMonthMax: 500,
      createdAt: expect.any(Number),
      lanes: null,
      customerLanes: null,
      revokedAt: null,
      client: null,
    });
    expect(await key('list', '--customer', 'Ada@example.org')).toEqual([rest]);
    expect(await key<ApiKey[]>('list')).toHaveLength(2);
    const { stdout } = await runVerbatim(['key', 'list', '--json', '--db', database]);
    expect(stdout).not.toContain(secret);
    expect(stdout).not.toContain('hash');
  });

  it('includes changing and removing the cap', async () => {
    const { prefix } = second;
    await checkCommand(database, [
      ['key', 'cap', prefix, '2500'],
      { out: 'cap of PREFIX of bob@example.org: 2,500\n' },
    ]);
    expect(await key('cap', prefix, '7')).toMatchObject({ prefix, creditsPerMonthMax: 7 });
    await checkCommand(database, [
      ['key', 'cap', prefix, 'none'],
      { out: 'cap of PREFIX of bob@example.org: no cap\n' },
    ]);
    const [first] = await key<ApiKey[]>('list', '--customer', 'bob@example.org');
    expect(first).toMatchObject({ creditsPerMonthMax: null });
  });

  it('continues in a new key after a rotation, with a grace period for the old key', async () => {
    const before = Date.now();
    const { prefix } = first;
    const rotated = await key<CreatedKey>('rotate', prefix, '--grace', '2h');
    expect(isWellFormed(rotated.secret)).toBe(true);
    const { id, secret, createdAt } = rotated;
    expect(rotated).toEqual({ ...first, id, secret, prefix: rotated.prefix, createdAt });
    const [old] = await key<ApiKey[]>('list', '--customer', 'ada@example.org');
    const end = Number(old?.revokedAt);
    expect(end - 2 * HOUR).toBeGreaterThanOrEqual(before);
    expect(end - 2 * HOUR).toBeLessThanOrEqual(Date.now());
    expect(await stateOf(first)).toBe(`valid until ${textOf(end)}`);
    expect(await stateOf(rotated)).toBe('valid');
  });

  it('is reported correctly after a second rotation with a longer grace period', async () => {
    const [old] = await key<ApiKey[]>('list', '--customer', 'ada@example.org');
    const args = ['key', 'rotate', first.prefix, '--grace', '7d', '--db', database];
    const { stdout } = await runVerbatim(args);
    expect(stdout).toContain(`the old key works until ${textOf(Number(old?.revokedAt))} UTC\n`);
  });

  it('ends at once when the key is revoked, even in its grace period', async () => {
    const { prefix } = first;
    await checkCommand(database, [
      ['key', 'revoke', prefix],
      { out: 'revoked PREFIX of ada@example.org\n' },
    ]);
    const revoked = (await key<ApiKey[]>('list')).find((one) => one.prefix === prefix);
    expect(revoked?.revokedAt).toBeLessThanOrEqual(Date.now());
    expect(await stateOf(first)).toBe(`revoked ${textOf(Number(revoked?.revokedAt))}`);
    // Revoking it again is not an error and changes nothing.
    expect(await key('revoke', prefix)).toEqual(revoked);
    await checkCommand(database, [
      ['key', 'rotate', prefix],
      failure('the key PREFIX is already revoked'),
    ]);
  });

  it('ends with a rotation without a grace period', async () => {
    const { prefix } = second;
    await checkCommand(database, [
      ['key', 'rotate', prefix],
      {
        out: `key PREFIX of bob@example.org; ${MADE}the old key works until TIME UTC\n`,
      },
    ]);
    expect(await stateOf(second)).toMatch(/^revoked /);
  });

  it('accepts any unique part of the key’s prefix', async () => {
    const prefixes = (await key<ApiKey[]>('list')).map(({ prefix }) => prefix);
    const digits = [...'0123456789abcdef'];
    while (digits.every((digit) => prefixes.filter((one) => one.startsWith(digit)).length < 2)) {
      prefixes.push((await key<CreatedKey>('create', 'bob@example.org')).prefix);
    }
    const shared = digits.find(
      (digit) => prefixes.filter((one) => one.startsWith(digit)).length > 1,
    );
    const args = ['key', 'revoke', String(shared)];
    const error = failure(`more than one key starts with "${shared}"`);
    await checkCommand(database, [args, error]);
    const last = String(prefixes.at(-1));
    await checkCommand(database, [
      ['key', 'revoke', last.slice(0, 9)],
      { out: 'revoked PREFIX of bob@example.org\n' },
    ]);
  });
});

describe('help', () => {
  const common = ['--db <file>', '--json'];
  checkHelp([
    [
      ['key'],
      'key [options] [command]',
      [
        'create [options] <email>',
        'list [options]',
        'cap [options] <prefix> <credits>',
        'revoke [options] <prefix>',
        'rotate [options] <prefix>',
      ],
    ],
    [
      ['key', 'create'],
      'key create [options] <email>',
      [
        'email',
        ...common,
        '--name <text>',
        '--requests-per-minute <n>',
        '--in-flight <n>',
        '--cap <credits>',
      ],
    ],
    [['key', 'list'], 'key list [options]', [...common, '--customer <email>']],
    [['key', 'cap'], 'key cap [options] <prefix> <credits>', ['prefix', 'credits', ...common]],
    [['key', 'revoke'], 'key revoke [options] <prefix>', ['prefix', ...common]],
    [['key', 'rotate'], 'key rotate [options] <prefix>', ['prefix', ...common, '--grace <time>']],
  ]);
});
