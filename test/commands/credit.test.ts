import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { CREDITS_MAX } from '../../src/accounts/amounts/credits.ts';
import { assertCredits } from '../../src/accounts/customer-keys.ts';
import { parseOffer } from '../../src/accounts/payments/packs.ts';
import { type LedgerEntry, topUp } from '../../src/accounts/sql/credit-entries.ts';
import type { AuditReport } from '../../src/accounts/sql/kept-audits.ts';
import { createLedger } from '../../src/accounts/sqlite/ledger/ledger.ts';
import { parseCreditCount } from '../../src/commands/cli/options.ts';
import { changeOnSqlite } from '../../src/database/sqlite/run-on-sqlite.ts';
import { addAccount, NOW, temporaryFolder } from '../support/accounts.ts';
import {
  type CommandRow,
  checkCommand,
  checkCommands,
  failure,
  usageError,
} from '../support/command-line.ts';
import { inStore } from '../support/history.ts';
import { runCommand, runCommandJson, runVerbatim } from '../support/verbatim.ts';

const folder = temporaryFolder();
const ADA = 'ada@example.org';
const unknown = failure('no customer eve@example.org');

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
  beforeAll(() => runCommand(['customer', 'add', ADA, '--db', database]));

  const rows: CommandRow[] = [
    [['credit', 'ledger', ADA], { out: '(none)' }],
    [
      ['credit', 'add', ADA, '1000', '--reference', 'invoice-7', '--note', 'first'],
      { out: ['1,000 credits', 'balance is 1,000'] },
    ],
    [['credit', 'add', ADA, '1000', '--reference', 'invoice-7'], failure('already counted')],
    [['credit', 'add', 'ADA@example.org', '234'], { out: ['234 credits', 'balance is 1,234'] }],
    [['credit', 'add', 'eve@example.org', '5'], unknown],
    [['credit', 'add', ADA, '0'], usageError('from 1 to 1,000,000,000')],
    [['credit', 'refund', 'nothing'], failure('no search nothing')],
    [['credit', 'ledger', 'eve@example.org'], unknown],
    [['credit', 'ledger', ADA, '--limit', '0'], usageError('at least 1')],
    [
      ['credit', 'ledger', ADA],
      { out: ['2 TIME topup 234 1,234\n', '1 TIME topup 1,000 1,000 invoice-7 first\n'] },
    ],
    [['credit', 'audit'], { out: ['2 entries of 1 customer', 'everything adds up'] }],
  ];
  checkCommands(() => database, rows);

  it.each([
    ['credit', 'add', ADA, '5'],
    ['credit', 'refund', 'charged'],
    ['credit', 'ledger', ADA],
    ['credit', 'audit'],
  ])('%s %s does not create a database', async (...args) => {
    await checkCommand(join(folder, 'missing.db'), [args, failure('no database at DATABASE')]);
  });
});

describe('a ledger with searches', () => {
  const database = searched('searches.db');
  const credit = <Result>(...args: string[]): Promise<Result> =>
    runCommandJson(['credit', ...args, '--db', database]);

  const rows: CommandRow[] = [
    [['credit', 'refund', 'open'], failure('not charged')],
    [['credit', 'refund', 'released'], failure('not charged')],
    // The open search holds 1 of the 5 until the end.
    [
      ['credit', 'refund', 'charged', '--note', 'wrong paper'],
      { out: ['refunded 1;', 'balance is 4'] },
    ],
    [['credit', 'refund', 'charged'], failure('already refunded')],
    [
      ['credit', 'ledger', ADA, '--limit', '3'],
      { out: ['7 TIME refund 1 4 charged wrong paper', 'release 1 3 released', 'settle 0 2'] },
    ],
    [['credit', 'audit'], { out: ['7 entries of 1 customer', '1 credit held'] }],
  ];
  checkCommands(() => database, rows);

  it('is printed with every field by --json', async () => {
    const added = await credit('add', 'Ada@Example.org', '6', '--reference', 'r', '--note', 'n');
    expect(added).toMatchObject({ credits: 6, balance: 10 });
    const [newest, ...rest] = await credit<LedgerEntry[]>('ledger', ADA);
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

describe('a number of credits', () => {
  it('has the same bounds wherever it is entered', () => {
    const offer = (credits: number) =>
      parseOffer({ creditPacks: `${credits}:1`, creditCurrency: 'usd' });
    expect(parseCreditCount(String(CREDITS_MAX))).toBe(CREDITS_MAX);
    expect(() => assertCredits(CREDITS_MAX)).not.toThrow();
    expect(() => offer(CREDITS_MAX)).not.toThrow();
    const tooMany = CREDITS_MAX + 1;
    const message = 'from 1 to 1,000,000,000';
    for (const text of [String(tooMany), '0', '-1', '1.5', '']) {
      expect(() => parseCreditCount(text)).toThrow(message);
    }
    for (const credits of [tooMany, 0, -1, 1.5, Number.NaN]) {
      expect(() => assertCredits(credits)).toThrow(message);
    }
    expect(() => offer(tooMany)).toThrow(`between 1 and ${CREDITS_MAX}`);
  });
});

describe('several processes at the same time', () => {
  const database = searched('processes.db');

  const tryAll = async (args: string[]): Promise<number> => {
    const runs = Array.from({ length: 4 }, () => runVerbatim([...args, '--db', database]));
    const finished = await Promise.allSettled(runs);
    return finished.filter(({ status }) => status === 'fulfilled').length;
  };

  it('count one payment once, refund one search once, and lose no top-ups', async () => {
    expect(await tryAll(['credit', 'add', ADA, '9', '--reference', 'r'])).toBe(1);
    expect(await tryAll(['credit', 'refund', 'charged'])).toBe(1);
    expect(await tryAll(['credit', 'add', ADA, '10'])).toBe(4);
    const audit = await runCommandJson<AuditReport>(['credit', 'audit', '--db', database]);
    expect(audit.differences).toEqual([]);
    const [{ balance }] = await runCommandJson<[{ balance: number }]>([
      ...['customer', 'list', '--db', database],
    ]);
    expect(balance).toBe(3 + 9 + 1 + 40);
  });
});

it('the audit of a corrupted ledger exits with 1 and says what is wrong', async () => {
  const database = searched('corrupted.db');
  inStore(database, (db) => db.exec('UPDATE customers SET balance = 50'));
  const difference = 'customer 1: the balance is 50, but the entries add up to 3';
  const args = ['credit', 'audit', '--db', database];
  const { stdout, stderr } = await runCommand(args, { code: 1 });
  expect(stdout).toContain(`${difference}\n6 entries of 1 customer`);
  expect(stdout).not.toContain('everything adds up');
  expect(stderr).toContain('does not add up');
  const json = await runCommand([...args, '--json'], { code: 1 });
  expect((JSON.parse(json.stdout) as AuditReport).differences).toEqual([difference]);
});
