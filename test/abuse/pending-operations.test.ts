/**
 * The ledger's thread writes, but its answer is lost: nobody is debited for that. The thread is the
 * real one, and so is the database; only answers are taken away.
 */
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import {
  createLedgerWriter,
  type LedgerWriter,
  type LedgerWriterOptions,
} from '../../src/accounts/ledger-thread/ledger-writer.ts';
import { topUp } from '../../src/accounts/sql/credit-entries.ts';
import { readBalance } from '../../src/accounts/sql/customers.ts';
import { auditLedger } from '../../src/accounts/sqlite/ledger/audit.ts';
import { createDamageRegister } from '../../src/database/damage/damage-register.ts';
import { openStore } from '../../src/database/open.ts';
import { changeOnSqlite, runOnSqlite } from '../../src/database/sqlite/run-on-sqlite.ts';
import { createLog } from '../../src/log.ts';
import { type Account, addAccount, NOW, rowsOf, temporaryFolder } from '../support/accounts.ts';

const CREDITS = 10;
const OPEN_HOLDS_MAX = 3;

/** Answers that are still to be lost, after what was asked for was done. */
const lost = vi.hoisted(() => ({ answers: 0 }));

vi.mock(import('../../src/workers/pool.ts'), async (importOriginal) => {
  const original = await importOriginal();
  return {
    ...original,
    createPool: (options) => {
      const pool = original.createPool<never, never>(options);
      return {
        ...pool,
        run: async (task: never) => {
          const result = await pool.run(task);
          if (lost.answers === 0) return result;
          lost.answers--;
          throw new Error('the answer was lost');
        },
      };
    },
  };
});

const folder = temporaryFolder();
let files = 0;
let path: string;
let account: Account;
let writer: LedgerWriter;
let log: Record<string, unknown>[];

beforeEach(() => {
  path = join(folder, `ledger-${++files}.db`);
  const db = openStore({ path, lockWaitMs: 0 });
  account = addAccount(db);
  changeOnSqlite(db, topUp({ customerId: account.customerId, credits: CREDITS, now: NOW }));
  db.close();
  log = [];
  writer = createLedgerWriter(options());
});

function options(): LedgerWriterOptions {
  return {
    store: { path, lockWaitMs: 5_000 },
    log: createLog((line) => log.push(JSON.parse(line))),
    damage: createDamageRegister(createLog(() => {})),
    holdDelayMs: 0,
    settleDelayMs: 0,
    ledgerBatchMax: 2,
    ledgerRetryMs: 20,
    // No look of its own may take the answers that are to be lost.
    databaseCheckMs: 1_000_000,
    openHoldsMax: OPEN_HOLDS_MAX,
    accountWritesWaitingMax: 8,
  };
}

afterEach(() => {
  lost.answers = 0;
});

const hold = (requestId: string): Promise<number | undefined> =>
  writer.hold({ ...account, requestId, credits: 1, now: NOW });

async function untilWritable(): Promise<void> {
  await vi.waitFor(() => expect(writer.fault()).toBeUndefined(), 10_000);
}

/** What is in the ledger in the end, and that it adds up. */
async function closeAndRead(): Promise<{ balance: number; kinds: unknown[] }> {
  await writer.close(10_000);
  const db = openStore({ path, lockWaitMs: 5_000 });
  expect(auditLedger(db)).toMatchObject({ held: 0, differences: [] });
  const kinds = rowsOf(db, "SELECT kind FROM ledger_entries WHERE kind <> 'topup' ORDER BY id");
  const balance = runOnSqlite(db, readBalance(account.customerId));
  db.close();
  return { balance, kinds: kinds.map((row) => (row as { kind: string }).kind) };
}

const DEGRADED = expect.objectContaining({ code: 'degraded' });

describe('a lost answer of the database thread', () => {
  it('to a written hold releases the hold', async () => {
    lost.answers = 1;
    await expect(hold('one')).rejects.toEqual(DEGRADED);
    await untilWritable();
    expect(await closeAndRead()).toEqual({ balance: CREDITS, kinds: ['hold', 'release'] });
    expect(log).toMatchObject([
      {
        level: 'error',
        event: 'degraded',
        reason: 'the ledger cannot be written',
        details: expect.stringContaining('the answer was lost'),
      },
      { level: 'info', event: 'recovered', operations: 1 },
    ]);
  });

  it('to a release, lost several times, releases the hold once', async () => {
    lost.answers = 4;
    await expect(hold('one')).rejects.toEqual(DEGRADED);
    await untilWritable();
    expect(lost.answers).toBe(0);
    expect(await closeAndRead()).toEqual({ balance: CREDITS, kinds: ['hold', 'release'] });
    expect(log).toHaveLength(2);
  });

  it('to a settlement charges once', async () => {
    expect(await hold('one')).toBe(CREDITS - 1);
    lost.answers = 2;
    await expect(writer.settle('one')).rejects.toEqual(DEGRADED);
    await untilWritable();
    expect(await closeAndRead()).toEqual({ balance: CREDITS - 1, kinds: ['hold', 'settle'] });
  });

  it('to many operations writes each of them, in batches', async () => {
    await Promise.all(['one', 'two', 'three'].map(hold));
    lost.answers = 3;
    const resolved = [writer.settle('one'), writer.release('two'), writer.settle('three')];
    await Promise.allSettled(resolved);
    await untilWritable();
    const { balance, kinds } = await closeAndRead();
    expect(balance).toBe(CREDITS - 2);
    expect(kinds.filter((kind) => kind === 'settle')).toHaveLength(2);
    expect(kinds.filter((kind) => kind === 'release')).toHaveLength(1);
  });
});

describe('while the ledger cannot be written', () => {
  it('rejects holds and changes at once and keeps settlements and releases pending', async () => {
    await Promise.all(['one', 'two'].map(hold));
    lost.answers = 1_000;
    await expect(writer.settle('one')).rejects.toEqual(DEGRADED);
    await expect(hold('three')).rejects.toEqual(DEGRADED);
    const { customerId: ownerId } = account;
    await expect(writer.write('endSessions', { ownerId })).rejects.toEqual(DEGRADED);
    await expect(writer.release('two')).rejects.toEqual(DEGRADED);
    await writer.flush();
    lost.answers = 0;
    await untilWritable();
    expect(await hold('four')).toBe(CREDITS - 2);
    await writer.release('four');
    const { balance, kinds } = await closeAndRead();
    expect(balance).toBe(CREDITS - 1);
    expect(kinds).not.toContain('three');
  });

  it('stops retrying after the close wait and reports how much is left', async () => {
    await hold('one');
    lost.answers = Number.POSITIVE_INFINITY;
    await expect(writer.settle('one')).rejects.toEqual(DEGRADED);
    await writer.close(100);
    expect(log.at(-1)).toMatchObject({ event: 'ledger_not_written', operations: 1 });
  });
});

describe('checks of the database', () => {
  it('do not pile up while the thread is busy', async () => {
    await writer.close(0);
    writer = createLedgerWriter({ ...options(), databaseCheckMs: 1, holdDelayMs: 300 });
    // The thread is still starting when the first looks are due.
    expect(await hold('one')).toBe(CREDITS - 1);
    expect(writer.fault()).toBeUndefined();
    await writer.release('one');
    await writer.close(10_000);
    expect(log).toEqual([]);
  });
});

describe('searches whose credit is held', () => {
  it('are limited until their outcomes are written', async () => {
    expect(await Promise.all(['one', 'two', 'three'].map(hold))).toEqual([9, 8, 7]);
    await expect(hold('four')).rejects.toEqual(expect.objectContaining({ code: 'at_capacity' }));
    await writer.settle('one');
    expect(await hold('five')).toBe(CREDITS - 4);
    await Promise.all(['two', 'three', 'five'].map((id) => writer.release(id)));
    expect(await closeAndRead()).toMatchObject({ balance: CREDITS - 1 });
  });
});
