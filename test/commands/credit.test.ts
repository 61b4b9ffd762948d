import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { CREDITS_MAX } from '../../src/accounts/amounts/credits.ts';
import { assertCredits } from '../../src/accounts/customer-keys.ts';
import { parseOffer } from '../../src/accounts/payments/packs.ts';
import { type LedgerEntry, topUp } from '../../src/accounts/sql/credit-entries.ts';
import type { AuditReport } from '../../src/accounts/sql/kept-audits.ts';
import { createLedger } from '../../src/accounts/sqlite/ledger/ledger.ts';
import { parseCount, parseCreditCount } from '../../src/commands/cli/options.ts';
import { openStore } from '../../src/database/open.ts';
import type { Connection } from '../../src/database/sqlite/connection.ts';
import { changeOnSqlite } from '../../src/database/sqlite/run-on-sqlite.ts';
import { addAccount, NOW, temporaryFolder } from '../support/accounts.ts';
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

/** Changes a database from this process, with the file closed again when a command runs. */
function inStore(path: string, work: (db: Connection) => void): void {
  const db = openStore({ path, lockWaitMs: 5_000 });
  work(db);
  db.close();
}

/** A database of ada@example.org with 5 credits and a charged, a released and an open search. */
function searched(name: string): string {
  const path = join(folder, name);
  inStore(path, (db) => {
    const account = addAccount(db);
    changeOnSqlite(db, topUp({ customerId: account.customerId, credits: 5, now: NOW }));
    const ledger = createLedger(db);
    for (const requestId of ['charged', 'released', 'open']) {
      ledger.hold({ requestId, ...account, credits: 1, now: NOW });
    }
    ledger.settle('charged', NOW);
    ledger.release('released', NOW);
  });
  return path;
}

describe('the credit commands, one after another', () => {
  const database = join(folder, 'table.db');
  beforeAll(() => runVerbatim(['customer', 'add', 'ada@example.org', '--db', database]));

  const rows: CommandRow[] = [
    [['credit', 'ledger', 'ada@example.org'], { out: '(none)\n' }],
    [
      ['credit', 'add', 'ada@example.org', '1000', '--reference', 'invoice-7', '--note', 'first'],
      { out: 'added 1,000 credits; the balance is 1,000\n' },
    ],
    [
      ['credit', 'add', 'ada@example.org', '1000', '--reference', 'invoice-7'],
      failure('the payment invoice-7 was already counted'),
    ],
    [
      ['credit', 'add', 'ADA@example.org', '234'],
      { out: 'added 234 credits; the balance is 1,234\n' },
    ],
    [['credit', 'add', 'eve@example.org', '5'], failure('there is no customer eve@example.org')],
    [['credit', 'add', 'ada@example.org'], usageError("missing required argument 'credits'")],
    [['credit', 'add'], usageError("missing required argument 'email'")],
    ...['0', '-5', 'ten'].map(
      (text): CommandRow => [
        ['credit', 'add', 'ada@example.org', text],
        usageError(
          `command-argument value '${text}' is invalid for argument 'credits'. ` +
            'It must be a whole number from 1 to 1,000,000,000.',
        ),
      ],
    ),
    [['credit', 'refund', 'nothing'], failure('the ledger has no search nothing')],
    [['credit', 'refund'], usageError("missing required argument 'request-id'")],
    [['credit', 'ledger', 'eve@example.org'], failure('there is no customer eve@example.org')],
    [['credit', 'ledger'], usageError("missing required argument 'email'")],
    [
      ['credit', 'ledger', 'ada@example.org', '--limit', '0'],
      usageError(
        "option '--limit <n>' argument '0' is invalid. It must be a whole number of at least 1.",
      ),
    ],
    [
      ['credit', 'ledger', 'ada@example.org'],
      {
        out: [
          'entry  time (UTC)           kind   credits  balance  search or payment  note',
          '    2  TIME  topup      234    1,234',
          '    1  TIME  topup    1,000    1,000  invoice-7          first',
          '',
        ].join('\n'),
      },
    ],
    [
      ['credit', 'audit'],
      {
        out: [
          '2 entries of 1 customer audited, 0 credits held for searches in flight',
          'everything adds up',
          '',
        ].join('\n'),
      },
    ],
    [
      ['credit', 'audit', 'ada@example.org'],
      usageError("too many arguments for 'audit'. Expected 0 arguments but got 1."),
    ],
    [['credit', 'remove'], usageError("unknown command 'remove'")],
  ];
  checkCommands(() => database, rows);

  it.each([
    ['credit', 'add', 'ada@example.org', '5'],
    ['credit', 'refund', 'charged'],
    ['credit', 'ledger', 'ada@example.org'],
    ['credit', 'audit'],
  ])('%s %s does not create a database', async (...args) => {
    const missing = join(folder, 'missing.db');
    const message = 'there is no database at DATABASE; create one with: verbatim index add FILE';
    await checkCommand(missing, [args, failure(message)]);
  });
});

describe('a ledger with searches', () => {
  const database = searched('searches.db');
  const credit = <Result>(...args: string[]): Promise<Result> =>
    runJson(['credit', ...args, '--db', database]);

  const rows: CommandRow[] = [
    [['credit', 'refund', 'open'], failure('the search open was not charged')],
    [['credit', 'refund', 'released'], failure('the search released was not charged')],
    [
      ['credit', 'refund', 'charged', '--note', 'wrong paper'],
      // The open search holds 1 of the 5 until the end.
      { out: 'refunded 1; the balance is 4\n' },
    ],
    [['credit', 'refund', 'charged'], failure('the search charged was already refunded')],
    [
      ['credit', 'ledger', 'ada@example.org', '--limit', '3'],
      {
        out: [
          'entry  time (UTC)           kind     credits  balance  search or payment  note',
          '    7  TIME  refund         1        4  charged            wrong paper',
          '    6  TIME  release        1        3  released',
          '    5  TIME  settle         0        2  charged',
          '',
        ].join('\n'),
      },
    ],
    [
      ['credit', 'audit'],
      {
        out: [
          '7 entries of 1 customer audited, 1 credit held for searches in flight',
          'everything adds up',
          '',
        ].join('\n'),
      },
    ],
  ];
  checkCommands(() => database, rows);

  it('is printed with every field by --json', async () => {
    const added = await credit('add', 'Ada@Example.org', '6', '--reference', 'r', '--note', 'n');
    expect(added).toMatchObject({ credits: 6, balance: 10 });
    const [newest, ...rest] = await credit<LedgerEntry[]>('ledger', 'ada@example.org');
    expect(newest).toEqual({
      id: 8,
      customerId: 1,
      keyId: null,
      kind: 'topup',
      credits: 6,
      balance: 10,
      requestId: null,
      reference: 'r',
      note: 'n',
      createdAt: expect.any(Number),
    });
    expect(rest.map(({ kind }) => kind)).toEqual([
      ...['refund', 'release', 'settle', 'hold', 'hold', 'hold', 'topup'],
    ]);
    expect(await credit('audit')).toEqual({ customers: 1, entries: 8, held: 1, differences: [] });
  });
});

describe('a count', () => {
  it.each([
    ['1', 1],
    ['1000', 1_000],
    ['999999999999', 999_999_999_999],
  ])('can be %s', (text, count) => {
    expect(parseCount(text)).toBe(count);
  });

  const refused = ['', ' ', '0', '-1', '+1', '01', '1.5', '1e3', '0x10', '1,000', ' 5', '5\n', '٣'];
  it.each([...refused, '1000000000000', 'ten', 'NaN', 'Infinity'])('cannot be %j', (text) => {
    expect(() => parseCount(text)).toThrow('It must be a whole number of at least 1.');
  });
});

describe('a number of credits', () => {
  it('has the same bounds wherever it is entered', () => {
    expect(parseCreditCount(String(CREDITS_MAX))).toBe(CREDITS_MAX);
    expect(() => assertCredits(CREDITS_MAX)).not.toThrow();
    expect(() =>
      parseOffer({ creditPacks: `${CREDITS_MAX}:1`, creditCurrency: 'usd' }),
    ).not.toThrow();
    const tooMany = CREDITS_MAX + 1;
    const message = 'a whole number from 1 to 1,000,000,000';
    for (const text of [String(tooMany), '0', '-1', '1.5', '']) {
      expect(() => parseCreditCount(text)).toThrow(message);
    }
    for (const credits of [tooMany, 0, -1, 1.5, Number.NaN]) {
      expect(() => assertCredits(credits)).toThrow(message);
    }
    expect(() => parseOffer({ creditPacks: `${tooMany}:1`, creditCurrency: 'usd' })).toThrow(
      `between 1 and ${CREDITS_MAX}`,
    );
  });
});

describe('several processes at the same time', () => {
  const database = searched('processes.db');

  const tryAll = async (args: string[]): Promise<number> => {
    const runs = Array.from({ length: 4 }, () => runVerbatim([...args, '--db', database]));
    const finished = await Promise.allSettled(runs);
    return finished.filter(({ status }) => status === 'fulfilled').length;
  };

  it.each([
    ['count one payment once', ['credit', 'add', 'ada@example.org', '9', '--reference', 'r']],
    ['refund one search once', ['credit', 'refund', 'charged']],
  ])('%s', async (_what, args) => {
    expect(await tryAll(args)).toBe(1);
    await runVerbatim(['credit', 'audit', '--db', database]);
  });

  it('lose no top-ups of each other', async () => {
    expect(await tryAll(['credit', 'add', 'ada@example.org', '10'])).toBe(4);
    const audit = await runJson<AuditReport>(['credit', 'audit', '--db', database]);
    expect(audit.differences).toEqual([]);
    const [{ balance }] = await runJson<[{ balance: number }]>([
      ...['customer', 'list', '--db', database],
    ]);
    expect(balance).toBe(3 + 9 + 1 + 40);
  });
});

describe('the audit of a corrupted ledger', () => {
  /** What was done; each in a database of its own, which is clean before. */
  const rows: [what: string, sql: string, difference: string][] = [
    [
      'a balance',
      'UPDATE customers SET balance = 50',
      'customer 1: the balance is 50, but the entries add up to 3',
    ],
    [
      'usage',
      'UPDATE usage SET credits = 0',
      'key 1: the usage of 2026-03 differs from the sum of its searches',
    ],
    [
      'an open hold',
      'DELETE FROM open_holds',
      'search open: open in one table but resolved in the other',
    ],
    [
      'an entry',
      `INSERT INTO ledger_entries (customer_id, key_id, kind, credits, balance, request_id, created_at)
       VALUES (1, 1, 'settle', 0, 3, 'other', 0)`,
      'entry 7: a settle without its hold',
    ],
  ];
  it.each(rows)('exits with 1 and says what is wrong: %s', async (what, sql, difference) => {
    const database = searched(`${what}.db`);
    const count = '6 entries of 1 customer audited, 1 credit held for searches in flight\n';
    await checkCommand(database, [['credit', 'audit'], { out: `${count}everything adds up\n` }]);
    inStore(database, (db) => db.exec(sql));

    const text = await runVerbatim(['credit', 'audit', '--db', database], { code: 1 });
    expect(text.stdout.split('\n')[0]).toBe(difference);
    expect(text.stdout).toMatch(/\n[67] entries of 1 customer audited, (0 credits|1 credit) held/);
    expect(text.stdout).not.toContain('everything adds up');
    expect(text.stderr).toBe('verbatim: the ledger does not add up\n');

    const json = await runVerbatim(['credit', 'audit', '--json', '--db', database], { code: 1 });
    expect((JSON.parse(json.stdout) as AuditReport).differences).toEqual([difference]);
    expect(json.stderr).toBe('verbatim: the ledger does not add up\n');
  });
});

describe('help', () => {
  const common = ['--db <file>', '--json'];
  checkHelp([
    [
      ['credit'],
      'credit [options] [command]',
      [
        ...['add [options] <email> <credits>', 'refund [options] <request-id>'],
        ...['ledger [options] <email>', 'audit [options]'],
      ],
    ],
    [
      ['credit', 'add'],
      'credit add [options] <email> <credits>',
      ['email', 'credits', ...common, '--reference <text>', '--note <text>'],
    ],
    [
      ['credit', 'refund'],
      'credit refund [options] <request-id>',
      ['request-id', ...common, '--note <text>'],
    ],
    [['credit', 'ledger'], 'credit ledger [options] <email>', ['email', ...common, '--limit <n>']],
    [['credit', 'audit'], 'credit audit [options]', common],
  ]);
});
