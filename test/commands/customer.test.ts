import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Customer } from '../../src/accounts/sql/customers.ts';
import type { DeliveredLink } from '../../src/commands/link-maker.ts';
import { temporaryFolder } from '../support/accounts.ts';
import {
  type CommandRow,
  checkCommand,
  checkCommands,
  failure,
  usageError,
} from '../support/command-line.ts';
import { inStore } from '../support/history.ts';
import { runCommand, runCommandJson } from '../support/verbatim.ts';

const folder = temporaryFolder();
const database = join(folder, 'customers.db');

const LINK = 'http://localhost:8080/dashboard/link?token=TOKEN\n';
const CREATED = 'created a new database: DATABASE\n';

describe('the customer commands, one after another', () => {
  const exists = (email: string) => failure(`the customer ${email} already exists`);
  const rows: CommandRow[] = [
    [['customer', 'list'], failure('no database at DATABASE')],
    [
      ['customer', 'add', 'ada@example.org'],
      { out: ['ada@example.org with 0 credits', LINK], err: CREATED },
    ],
    [
      ['customer', 'add', 'Bob@Example.org', '--credits', '12345'],
      { out: ['bob@example.org with 12,345 credits', LINK] },
    ],
    [['customer', 'add', 'ADA@example.org'], exists('ada@example.org')],
    [['customer', 'add', 'bob@example.org', '--credits', '5'], exists('bob@example.org')],
    [['customer', 'add', 'nobody'], usageError('"nobody" is not an e-mail address')],
    [['customer', 'add', ''], usageError('"" is not an e-mail address')],
    ...['0', '-1', ''].map(
      (text): CommandRow => [
        ['customer', 'add', 'eve@example.org', '--credits', text],
        usageError('from 1 to 1,000,000,000'),
      ],
    ),
    [
      ['customer', 'list'],
      { out: ['ada@example.org 0 TIME enabled', 'bob@example.org 12,345 TIME enabled'] },
    ],
  ];
  checkCommands(() => database, rows);

  it('prints the same as JSON for programs', async () => {
    const before = Date.now();
    const { link, ...added } = await runCommandJson<Customer & { link: DeliveredLink }>([
      ...['customer', 'add', 'Eve@Example.org', '--credits', '7', '--db', database],
    ]);
    expect(added).toEqual({
      id: expect.any(Number),
      email: 'eve@example.org',
      balance: 7,
      lowBalance: null,
      lanes: null,
      createdAt: expect.any(Number),
      disabledAt: null,
      askedDays: 0,
      name: '',
      timeZone: 'UTC',
      unconfirmedSince: null,
    });
    expect(link.url).toMatch(/^http:\/\/localhost:8080\/dashboard\/link\?token=[\w-]{43}$/);
    expect(link.expiresAt - added.createdAt).toBeGreaterThanOrEqual(24 * 3_600_000);
    expect(link.expiresAt - added.createdAt).toBeLessThan(24 * 3_600_000 + 60_000);
    expect(added.createdAt).toBeGreaterThanOrEqual(before);
    expect(added.createdAt).toBeLessThanOrEqual(Date.now());
    const listed = await runCommandJson<Customer[]>(['customer', 'list', '--db', database]);
    expect(listed.map(({ email, balance }) => [email, balance])).toEqual([
      ['ada@example.org', 0],
      ['bob@example.org', 12_345],
      ['eve@example.org', 7],
    ]);
    expect(listed[2]).toEqual(added);
  });

  it('shows who registered and has not confirmed the address', async () => {
    inStore(database, (db) => {
      db.exec(`UPDATE customers SET unconfirmed_since = 1 WHERE email = 'eve@example.org'`);
    });
    await checkCommand(database, [
      ['customer', 'list'],
      { out: 'eve@example.org 7 TIME unconfirmed' },
    ]);
    await checkCommand(database, [
      ['customer', 'show', 'eve@example.org'],
      { out: 'state unconfirmed\n' },
    ]);
  });

  it('prints no JSON for a failed command', async () => {
    const args = ['customer', 'add', 'eve@example.org', '--json'];
    await checkCommand(database, [args, failure('the customer eve@example.org already exists')]);
  });
});

describe('the life of a customer', () => {
  const life = join(folder, 'life.db');
  const unknown = failure('no customer eve@example.org');
  const shown = (...more: string[]): string[] => [
    ...['customer ada@example.org\nadded (UTC) TIME\n', 'balance 1,500\n'],
    ...['warn below never\nlanes all\n', 'sessions 0\n'],
    ...['ada@example.org owner not chosen yet off\n', ...more],
  ];

  const rows: CommandRow[] = [
    [
      ['customer', 'add', 'ada@example.org', '--credits', '1500'],
      { out: ['ada@example.org with 1,500 credits', LINK], err: CREATED },
    ],
    [['customer', 'show', 'ADA@example.org'], { out: shown('state enabled\n', '\n(none)\n') }],
    [['customer', 'link', 'Ada@example.org'], { out: LINK }],
    ...['show', 'link', 'disable', 'enable'].map((name): CommandRow => {
      return [['customer', name, 'eve@example.org'], unknown];
    }),
    [['customer', 'disable', 'ada@example.org'], { out: 'disabled ada@example.org' }],
    [['customer', 'disable', 'ada@example.org'], { out: 'disabled ada@example.org' }],
    [['customer', 'link', 'ada@example.org'], usageError('ada@example.org is disabled')],
    [['customer', 'show', 'ada@example.org'], { out: shown('state disabled TIME\n') }],
    [['customer', 'enable', 'ada@example.org'], { out: 'enabled ada@example.org' }],
    [
      ['key', 'create', 'ada@example.org', '--name', 'shell', '--cap', '1000'],
      { out: ['key PREFIX', 'SECRET'] },
    ],
    [['customer', 'show', 'ada@example.org'], { out: shown('PREFIX shell 0 1,000 all 0 0 valid') }],
  ];
  checkCommands(() => life, rows);

  it('prints the same as JSON for programs, without a secret', async () => {
    const show = () => runCommandJson(['customer', 'show', 'ada@example.org', '--db', life]);
    const customer = {
      id: 1,
      email: 'ada@example.org',
      balance: 1_500,
      lowBalance: null,
      lanes: null,
      createdAt: expect.any(Number),
      disabledAt: null,
      askedDays: 0,
      name: '',
      timeZone: 'UTC',
      unconfirmedSince: null,
    };
    const none = { requests: 0, credits: 0 };
    expect(await show()).toMatchObject({
      ...customer,
      members: [
        {
          email: 'ada@example.org',
          role: 'owner',
          createdAt: customer.createdAt,
          hasPassword: false,
          hasSecondFactor: false,
          seenAt: null,
        },
      ],
      sessions: 0,
      keys: [
        {
          customer: 'ada@example.org',
          name: 'shell',
          creditsPerMonthMax: 1_000,
          lastUsedAt: null,
          thisMonth: none,
          failedThisMonth: 0,
          toDate: none,
        },
      ],
    });
    expect(JSON.stringify(await show())).not.toMatch(/hash|sk_live_|\$scrypt/);
    const change = (name: string) =>
      runCommandJson<Customer>(['customer', name, 'ada@example.org', '--db', life]);
    const { disabledAt } = await change('disable');
    expect(disabledAt).toBeGreaterThan(0);
    // The time of the first one stays.
    expect(await change('disable')).toEqual({ ...customer, disabledAt });
    expect(await change('enable')).toEqual(customer);
    expect(await change('link')).toEqual({
      email: 'ada@example.org',
      link: {
        url: expect.stringMatching(/^http:.*\?token=[\w-]{43}$/),
        expiresAt: expect.any(Number),
      },
    });
  });
});

describe('the database', () => {
  const namedByVariable = join(folder, 'variable.db');
  const namedByOption = join(folder, 'option.db');
  const env = { VERBATIM_DB: namedByVariable };

  it('is VERBATIM_DB if there is no option', async () => {
    await runCommand(['customer', 'add', 'ada@example.org'], { env });
    expect(await runCommandJson(['customer', 'list', '--db', namedByVariable])).toHaveLength(1);
  });

  it('is the one of --db if there are both', async () => {
    await runCommand(['customer', 'add', 'ada@example.org', '--db', namedByOption], { env });
    await runCommand(['customer', 'add', 'bob@example.org', '--db', namedByOption], { env });
    expect(await runCommandJson(['customer', 'list'], { env })).toHaveLength(1);
  });

  it('is reported in one line if it cannot be created', async () => {
    const path = join(folder, 'none', 'verbatim.db');
    await checkCommand(path, [
      ['customer', 'add', 'ada@example.org'],
      failure('cannot use DATABASE as a database: '),
    ]);
    expect(existsSync(join(folder, 'none'))).toBe(false);
  });
});
