import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Customer } from '../../src/store/customers.ts';
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

describe('one after another', () => {
  const notACount = (text: string): string =>
    `option '--credits <n>' argument '${text}' is invalid. It must be a whole number of at least 1.`;
  const rows: CommandRow[] = [
    [
      ['customer', 'list'],
      failure('there is no database at DATABASE; create one with: verbatim index add FILE'),
    ],
    [['customer', 'add', 'ada@example.org'], { out: 'added ada@example.org with 0 credits\n' }],
    [
      ['customer', 'add', 'Bob@Example.org', '--credits', '12345'],
      { out: 'added bob@example.org with 12,345 credits\n' },
    ],
    [
      ['customer', 'add', 'ADA@example.org'],
      failure('there is a customer ada@example.org already'),
    ],
    [
      ['customer', 'add', 'bob@example.org', '--credits', '5'],
      failure('there is a customer bob@example.org already'),
    ],
    [['customer', 'add', 'nobody'], { code: 2, err: 'verbatim: "nobody" is no e-mail address\n' }],
    [['customer', 'add', ''], { code: 2, err: 'verbatim: "" is no e-mail address\n' }],
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
          'customer         balance  added (UTC)',
          'ada@example.org        0  TIME',
          'bob@example.org   12,345  TIME',
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

  it('--json prints the same for programs', async () => {
    const before = Date.now();
    const added = await runJson<Customer>([
      ...['customer', 'add', 'Eve@Example.org', '--credits', '7', '--db', database],
    ]);
    expect(added).toEqual({
      ...{
        id: expect.any(Number),
        email: 'eve@example.org',
        balance: 7,
        createdAt: expect.any(Number),
      },
    });
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

  it('--json prints no JSON of what failed', async () => {
    const args = ['customer', 'add', 'eve@example.org', '--json'];
    await checkCommand(database, [args, failure('there is a customer eve@example.org already')]);
  });
});

describe('the database', () => {
  const namedByVariable = join(folder, 'variable.db');
  const namedByOption = join(folder, 'option.db');
  const env = { VERBATIM_DB: namedByVariable };

  it('is the one of VERBATIM_DB where no option names one', async () => {
    await runVerbatim(['customer', 'add', 'ada@example.org'], { env });
    expect(await runJson(['customer', 'list', '--db', namedByVariable])).toHaveLength(1);
  });

  it('is the one of --db where both are named', async () => {
    await runVerbatim(['customer', 'add', 'ada@example.org', '--db', namedByOption], { env });
    await runVerbatim(['customer', 'add', 'bob@example.org', '--db', namedByOption], { env });
    expect(await runJson(['customer', 'list'], { env })).toHaveLength(1);
  });

  it('that cannot be made is told in one line', async () => {
    const path = join(folder, 'none', 'verbatim.db');
    await checkCommand(path, [
      ['customer', 'add', 'ada@example.org'],
      failure(
        'cannot use DATABASE as database: Cannot open database because the directory does not exist',
      ),
    ]);
    expect(existsSync(join(folder, 'none'))).toBe(false);
  });
});

describe('help', () => {
  checkHelp([
    [['customer'], 'customer [options] [command]', ['add [options] <email>', 'list [options]']],
    [
      ['customer', 'add'],
      'customer add [options] <email>',
      [...['email', '--db <file>', '--json', '--credits <n>']],
    ],
    [['customer', 'list'], 'customer list [options]', ['--db <file>', '--json']],
  ]);
});
