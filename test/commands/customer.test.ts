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
  checkHelp,
  failure,
  usageError,
} from '../support/command-line.ts';
import { runJson, runVerbatim } from '../support/verbatim.ts';

const folder = temporaryFolder();
const database = join(folder, 'customers.db');

const LINK =
  'link to choose a password; it works once, until TIME UTC:\n' +
  'http://localhost:8080/dashboard/link?token=TOKEN\n';

describe('the customer commands, one after another', () => {
  const notACount = (text: string): string =>
    `option '--credits <n>' argument '${text}' is invalid. It must be a whole number from 1 to 1,000,000,000.`;
  const rows: CommandRow[] = [
    [
      ['customer', 'list'],
      failure('there is no database at DATABASE; create one with: verbatim index add FILE'),
    ],
    [
      ['customer', 'add', 'ada@example.org'],
      {
        out: `added ada@example.org with 0 credits\n${LINK}`,
        err: 'created a new database: DATABASE\n',
      },
    ],
    [
      ['customer', 'add', 'Bob@Example.org', '--credits', '12345'],
      { out: `added bob@example.org with 12,345 credits\n${LINK}` },
    ],
    [
      ['customer', 'add', 'ADA@example.org'],
      failure('the customer ada@example.org already exists'),
    ],
    [
      ['customer', 'add', 'bob@example.org', '--credits', '5'],
      failure('the customer bob@example.org already exists'),
    ],
    [
      ['customer', 'add', 'nobody'],
      { code: 2, err: 'verbatim: "nobody" is not an e-mail address\n' },
    ],
    [['customer', 'add', ''], { code: 2, err: 'verbatim: "" is not an e-mail address\n' }],
    [['customer', 'add'], usageError("missing required argument 'email'")],
    [
      ['customer', 'add', 'eve@example.org', 'zoe@example.org'],
      usageError("too many arguments for 'add'. Expected 1 argument but got 2."),
    ],
    ...['0', '-1', ''].map(
      (text): CommandRow => [
        ['customer', 'add', 'eve@example.org', '--credits', text],
        usageError(notACount(text)),
      ],
    ),
    [
      ['customer', 'add', 'eve@example.org', '--credit', '5'],
      usageError("unknown option '--credit'\n(Did you mean --credits?)"),
    ],
    [['customer', 'remove'], usageError("unknown command 'remove'")],
    [
      ['customer', 'list'],
      {
        out: [
          'customer         balance  added (UTC)          state',
          'ada@example.org        0  TIME  enabled',
          'bob@example.org   12,345  TIME  enabled',
          '',
        ].join('\n'),
      },
    ],
    [
      ['customer', 'list', 'ada@example.org'],
      usageError("too many arguments for 'list'. Expected 0 arguments but got 1."),
    ],
  ];
  checkCommands(() => database, rows);

  it('prints the same as JSON for programs', async () => {
    const before = Date.now();
    const { link, ...added } = await runJson<Customer & { link: DeliveredLink }>([
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
    });
    expect(link.url).toMatch(/^http:\/\/localhost:8080\/dashboard\/link\?token=[\w-]{43}$/);
    expect(link.expiresAt - added.createdAt).toBeGreaterThanOrEqual(24 * 3_600_000);
    expect(link.expiresAt - added.createdAt).toBeLessThan(24 * 3_600_000 + 60_000);
    expect(added.createdAt).toBeGreaterThanOrEqual(before);
    expect(added.createdAt).toBeLessThanOrEqual(Date.now());
    const listed = await runJson<Customer[]>(['customer', 'list', '--db', database]);
    expect(listed.map(({ email, balance }) => [email, balance])).toEqual([
      ['ada@example.org', 0],
      ['bob@example.org', 12_345],
      ['eve@example.org', 7],
    ]);
    expect(listed[2]).toEqual(added);
  });

  it('prints no JSON for a failed command', async () => {
    const args = ['customer', 'add', 'eve@example.org', '--json'];
    await checkCommand(database, [args, failure('the customer eve@example.org already exists')]);
  });
});

describe('the life of a customer', () => {
  const life = join(folder, 'life.db');
  const unknown = failure('there is no customer eve@example.org');
  const disabled = 'the customer ada@example.org is disabled';
  const heading =
    'key         name   credits this month  cap    lanes  requests to date  credits to date' +
    '  last used (UTC)  state';
  const members =
    'member           role   password        two-step sign-in  last seen (UTC)\n' +
    'ada@example.org  owner  not chosen yet  off';
  const shown = (state: string, keys: string): string =>
    [
      ...['customer      ada@example.org', 'added (UTC)   TIME', `state         ${state}`],
      ...['balance       1,500', 'warn below    never', 'lanes         all'],
      ...['sessions      0', '', members, '', keys, ''],
    ].join('\n');

  const rows: CommandRow[] = [
    [
      ['customer', 'add', 'ada@example.org', '--credits', '1500'],
      {
        out: `added ada@example.org with 1,500 credits\n${LINK}`,
        err: 'created a new database: DATABASE\n',
      },
    ],
    [['customer', 'show', 'ADA@example.org'], { out: shown('enabled', '(none)') }],
    [['customer', 'link', 'Ada@example.org'], { out: LINK }],
    ...['show', 'link', 'disable', 'enable'].map((name): CommandRow => {
      return [['customer', name, 'eve@example.org'], unknown];
    }),
    [['customer', 'disable', 'ada@example.org'], { out: 'disabled ada@example.org\n' }],
    [['customer', 'disable', 'ada@example.org'], { out: 'disabled ada@example.org\n' }],
    [['customer', 'link', 'ada@example.org'], { code: 2, err: `verbatim: ${disabled}\n` }],
    [['customer', 'show', 'ada@example.org'], { out: shown('disabled TIME', '(none)') }],
    [['customer', 'enable', 'ada@example.org'], { out: 'enabled ada@example.org\n' }],
    [
      ['key', 'create', 'ada@example.org', '--name', 'shell', '--cap', '1000'],
      {
        out:
          'key PREFIX of ada@example.org; its secret is not stored and not shown again:\n' +
          'SECRET\n',
      },
    ],
    [
      ['customer', 'show', 'ada@example.org'],
      {
        out: shown(
          'enabled',
          `${heading}\nPREFIX  shell                   0  1,000  all                   0` +
            '                0                   valid',
        ),
      },
    ],
  ];
  checkCommands(() => life, rows);

  it('prints the same as JSON for programs, without a secret', async () => {
    const show = () => runJson(['customer', 'show', 'ada@example.org', '--db', life]);
    const customer = {
      id: 1,
      email: 'ada@example.org',
      balance: 1_500,
      lowBalance: null,
      lanes: null,
      createdAt: expect.any(Number),
      disabledAt: null,
    };
    const none = { requests: 0, credits: 0 };
    expect(await show()).toEqual({
      ...customer,
      members: [
        {
          id: 1,
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
          id: 1,
          customerId: 1,
          customer: 'ada@example.org',
          name: 'shell',
          prefix: expect.stringMatching(/^[0-9a-f]{10}$/),
          creditsPerMonthMax: 1_000,
          requestsPerMinute: null,
          inFlightMax: null,
          createdAt: expect.any(Number),
          lanes: null,
          customerLanes: null,
          revokedAt: null,
          expiresAt: null,
          oldPrefix: null,
          oldSecretEndsAt: null,
          client: null,
          lastUsedAt: null,
          thisMonth: none,
          freeThisMonth: 0,
          toDate: none,
        },
      ],
    });
    const change = (name: string) =>
      runJson<Customer>(['customer', name, 'ada@example.org', '--db', life]);
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
    await runVerbatim(['customer', 'add', 'ada@example.org'], { env });
    expect(await runJson(['customer', 'list', '--db', namedByVariable])).toHaveLength(1);
  });

  it('is the one of --db if there are both', async () => {
    await runVerbatim(['customer', 'add', 'ada@example.org', '--db', namedByOption], { env });
    await runVerbatim(['customer', 'add', 'bob@example.org', '--db', namedByOption], { env });
    expect(await runJson(['customer', 'list'], { env })).toHaveLength(1);
  });

  it('is reported in one line if it cannot be created', async () => {
    const path = join(folder, 'none', 'verbatim.db');
    await checkCommand(path, [
      ['customer', 'add', 'ada@example.org'],
      failure(
        'cannot use DATABASE as a database: Cannot open database because the directory does not exist',
      ),
    ]);
    expect(existsSync(join(folder, 'none'))).toBe(false);
  });
});

describe('help', () => {
  checkHelp([
    [
      ['customer'],
      'customer [options] [command]',
      [
        ...['add [options] <email>', 'link [options] <email>', 'list [options]'],
        ...['show [options] <email>', 'disable [options] <email>', 'enable [options] <email>'],
      ],
    ],
    ...['link', 'show', 'disable', 'enable'].map((name): [string[], string, string[]] => [
      ['customer', name],
      `customer ${name} [options] <email>`,
      ['email', '--db <file>', '--json'],
    ]),
    [
      ['customer', 'add'],
      'customer add [options] <email>',
      [...['email', '--db <file>', '--json', '--credits <n>']],
    ],
    [['customer', 'list'], 'customer list [options]', ['--db <file>', '--json']],
  ]);
});
