import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { type ApiKey, isWellFormed } from '../../src/accounts/sql/api-keys.ts';
import { temporaryFolder } from '../support/accounts.ts';
import {
  type CommandRow,
  checkCommand,
  checkCommands,
  failure,
  usageError,
} from '../support/command-line.ts';
import { runCommand, runCommandJson } from '../support/verbatim.ts';

type CreatedKey = ApiKey & { secret: string };

const folder = temporaryFolder();
const HOUR = 3_600_000;
const ADA = 'ada@example.org';

const withDatabase =
  (database: string) =>
  <Result>(...args: string[]): Promise<Result> =>
    runCommandJson(['key', ...args, '--db', database]);

describe('the key commands, one after another', () => {
  const database = join(folder, 'table.db');
  beforeAll(() => runCommand(['customer', 'add', ADA, '--db', database]));

  const noKey = failure('no key with the prefix "zzzz"');
  const noCustomer = failure('no customer eve@example.org');
  const rows: CommandRow[] = [
    [['key', 'list'], { out: '(none)' }],
    [['key', 'create', ADA], { out: ['key PREFIX of ada@example.org', '\nSECRET\n'] }],
    [
      [
        ...['key', 'create', 'ADA@example.org', '--name', 'cluster 7'],
        ...['--requests-per-minute', '1200', '--in-flight', '16', '--cap', '2500'],
      ],
      { out: ['key PREFIX of ada@example.org', '\nSECRET\n'] },
    ],
    [['key', 'create', 'eve@example.org'], noCustomer],
    ...['--requests-per-minute', '--in-flight', '--cap'].map(
      (option): CommandRow => [['key', 'create', ADA, option, '0'], usageError(`'${option} <`)],
    ),
    [
      ['key', 'list'],
      {
        out: [
          'PREFIX ada@example.org default default default no cap all TIME valid',
          'PREFIX ada@example.org cluster 7 1200 16 2,500 all TIME valid',
        ],
      },
    ],
    [['key', 'list', '--customer', 'eve@example.org'], noCustomer],
    [['key', 'cap', 'zzzz', '5'], noKey],
    ...['0', '-', '1.5', 'None', ''].map(
      (text): CommandRow => [
        ['key', 'cap', 'zzzz', text],
        usageError('from 1 to 1,000,000,000, or none'),
      ],
    ),
    [['key', 'lanes', 'zzzz', 'none'], noKey],
    ...['', 'scholar', 'none,web'].map(
      (text): CommandRow => [
        ['key', 'lanes', 'zzzz', text],
        usageError('some of arxiv, semantic_scholar, web'),
      ],
    ),
    [['key', 'revoke', 'zzzz'], noKey],
    [['key', 'revoke', ''], failure('no key with the prefix ""')],
    [['key', 'rotate', 'zzzz'], noKey],
    [['key', 'rotate', 'zzzz', '--grace', '24'], usageError('a number with a unit')],
  ];
  checkCommands(() => database, rows);
});

describe('the lanes of a key', () => {
  const database = join(folder, 'lanes.db');
  const key = withDatabase(database);

  it('can be set and reset, and survive a rotation', async () => {
    await runCommand(['customer', 'add', 'ada@example.org', '--db', database]);
    const { prefix, lanes } = await key<CreatedKey>('create', 'ada@example.org');
    expect(lanes).toBeNull();
    expect(await key('lanes', prefix, 'web, arxiv')).toMatchObject({ lanes: 'arxiv,web' });
    const next = await key<CreatedKey>('rotate', prefix);
    expect(next.lanes).toBe('arxiv,web');
    expect(await key('lanes', next.prefix, 'all')).toMatchObject({ lanes: null });
    const { stdout } = await runCommand([
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
      await runCommand(['customer', 'add', `${name}@example.org`, '--db', database]);
    }
    const options = ['--name', 'laptop', '--requests-per-minute', '30', '--in-flight', '2'];
    options.push('--cap', '500');
    first = await key('create', 'ada@example.org', ...options);
    second = await key('create', 'bob@example.org');
  });

  /** The last column of the row of a key. */
  async function stateOf({ prefix }: { prefix: string }): Promise<string | undefined> {
    const { stdout } = await runCommand(['key', 'list', '--db', database]);
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
      customer: ADA,
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
    const all = await key<ApiKey[]>('list');
    expect(all).toHaveLength(2);
    expect(JSON.stringify(all)).not.toContain(secret);
  });

  it('includes changing and removing the cap', async () => {
    const { prefix } = second;
    await checkCommand(database, [['key', 'cap', prefix, '2500'], { out: ': 2,500\n' }]);
    expect(await key('cap', prefix, '7')).toMatchObject({ prefix, creditsPerMonthMax: 7 });
    await checkCommand(database, [['key', 'cap', prefix, 'none'], { out: ': no cap\n' }]);
    const [first] = await key<ApiKey[]>('list', '--customer', 'bob@example.org');
    expect(first).toMatchObject({ creditsPerMonthMax: null });
  });

  it('continues in a new key after a rotation, with a grace period for the old key', async () => {
    const before = Date.now();
    const rotated = await key<CreatedKey>('rotate', first.prefix, '--grace', '2h');
    const { id, secret, createdAt } = rotated;
    expect(rotated).toEqual({ ...first, id, secret, prefix: rotated.prefix, createdAt });
    const [old] = await key<ApiKey[]>('list', '--customer', ADA);
    const end = Number(old?.revokedAt);
    expect(end - 2 * HOUR).toBeGreaterThanOrEqual(before);
    expect(end - 2 * HOUR).toBeLessThanOrEqual(Date.now());
    expect(await stateOf(first)).toBe(`valid until ${textOf(end)}`);
    expect(await stateOf(rotated)).toBe('valid');
    // A second rotation makes no grace period longer, and says so.
    const args = ['key', 'rotate', first.prefix, '--grace', '7d', '--db', database];
    expect((await runCommand(args)).stdout).toContain(`until ${textOf(end)} UTC\n`);
  });

  it('ends at once when the key is revoked, even in its grace period', async () => {
    const { prefix } = first;
    await checkCommand(database, [['key', 'revoke', prefix], { out: 'revoked PREFIX' }]);
    const revoked = (await key<ApiKey[]>('list')).find((one) => one.prefix === prefix);
    expect(revoked?.revokedAt).toBeLessThanOrEqual(Date.now());
    expect(await stateOf(first)).toBe(`revoked ${textOf(Number(revoked?.revokedAt))}`);
    // Revoking it again is not an error and changes nothing.
    expect(await key('revoke', prefix)).toEqual(revoked);
    await checkCommand(database, [['key', 'rotate', prefix], failure('already revoked')]);
  });

  it('is found by any unique part of the key’s prefix', async () => {
    await checkCommand(database, [
      ['key', 'revoke', second.prefix.slice(0, 9)],
      { out: 'revoked' },
    ]);
    expect(await stateOf(second)).toMatch(/^revoked /);
  });
});
