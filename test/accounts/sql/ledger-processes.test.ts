/**
 * The last credits of a customer, wanted by many at once: of one thread, and of several processes.
 *
 * The thread runs the built bundle, which has an SQLite library of its own. Two of them in one
 * process do not see each other's locks, so this test never has the file open beside the thread.
 */

import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import type { Readable, Writable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import {
  createLedgerWriter,
  type LedgerWriter,
} from '../../../src/accounts/ledger-thread/ledger-writer.ts';
import { topUp } from '../../../src/accounts/sql/credit-entries.ts';
import { readBalance } from '../../../src/accounts/sql/customers.ts';
import { auditLedger } from '../../../src/accounts/sqlite/ledger/audit.ts';
import { createDamageRegister } from '../../../src/database/damage/damage-register.ts';
import { openStore } from '../../../src/database/open.ts';
import type { Connection } from '../../../src/database/sqlite/connection.ts';
import { changeOnSqlite, runOnSqlite } from '../../../src/database/sqlite/run-on-sqlite.ts';
import { createLog } from '../../../src/log.ts';
import { bundlePath } from '../../../src/settings/bundle.ts';
import { type Account, addAccount, NOW, rowsOf, temporaryFolder } from '../../support/accounts.ts';

const path = join(temporaryFolder(), 'ledger.db');
const store = { path, lockWaitMs: 30_000 };
let accounts = 0;

function inStore<Result>(work: (db: Connection) => Result): Result {
  const db = openStore(store);
  try {
    return work(db);
  } finally {
    db.close();
  }
}

function accountWith(credits: number): Account {
  return inStore((db) => {
    const account = addAccount(db, `customer-${++accounts}@example.org`);
    changeOnSqlite(db, topUp({ customerId: account.customerId, credits, now: NOW }));
    return account;
  });
}

/** That the customer has so much left, paid for so many searches, and has none open. */
function expectPaid({ customerId }: Account, paid: { balance: number; searches: number }): void {
  inStore((db) => {
    const count = (table: string): number =>
      rowsOf(db, `SELECT 1 FROM ${table} AND customer_id = ${customerId}`).length;
    expect({
      balance: runOnSqlite(db, readBalance(customerId)),
      searches: count("ledger_entries WHERE kind = 'settle'"),
      open: count('open_holds WHERE true'),
    }).toEqual({ ...paid, open: 0 });
    expect(auditLedger(db).differences).toEqual([]);
  });
}

describe('the writer of a server', () => {
  const open = (settleDelayMs: number, ledgerBatchMax = 256): LedgerWriter =>
    createLedgerWriter({
      store,
      holdDelayMs: 0,
      settleDelayMs,
      ledgerBatchMax,
      log: createLog(() => {}),
      damage: createDamageRegister(createLog(() => {})),
      ledgerRetryMs: 50,
      openHoldsMax: 10_000,
      databaseCheckMs: 1_000,
      accountWritesWaitingMax: 8,
    });

  /** Credits there are, searches that want one, operations that share a transaction. */
  const rows: [credits: number, searches: number, batchMax: number][] = [
    [1, 100, 256],
    [1, 100, 1],
    [7, 100, 16],
    [100, 100, 256],
  ];
  it.each(rows)(
    'grants %i of %i concurrent holds in batches of %i',
    async (credits, searches, max) => {
      const account = accountWith(credits);
      const writer = open(0, max);
      const ids = Array.from({ length: searches }, (_, index) => `${account.keyId}-${index}`);
      const balances = await Promise.all(
        ids.map((requestId) => writer.hold({ requestId, ...account, credits: 1, now: NOW })),
      );
      const granted = ids.filter((_, index) => balances[index] !== undefined);
      expect(granted).toHaveLength(credits);
      await Promise.all(granted.map((requestId) => writer.settle(requestId)));
      await writer.close(5_000);
      expectPaid(account, { balance: 0, searches: credits });
    },
  );

  it('writes what waits before it closes', async () => {
    const account = accountWith(3);
    const writer = open(60_000);
    await writer.hold({ requestId: 'waits', ...account, credits: 1, now: NOW });
    const settled = writer.settle('waits');
    await writer.close(5_000);
    expect(await settled).toBe(2);
    expectPaid(account, { balance: 2, searches: 1 });
  });

  it('settles with the next hold, or after the wait', async () => {
    const account = accountWith(3);
    const hold = { ...account, credits: 1, now: NOW };
    const patient = open(60_000);
    await patient.hold({ requestId: 'first', ...hold });
    const settled = patient.settle('first');
    await patient.hold({ requestId: 'second', ...hold });
    expect(await settled).toBe(2);
    expect(await patient.release('second')).toBe(2);
    await patient.close(5_000);

    const hasty = open(1);
    await hasty.hold({ requestId: 'third', ...hold });
    expect(await hasty.settle('third')).toBe(1);
    await hasty.close(5_000);
    expectPaid(account, { balance: 1, searches: 2 });
  });

  it('keeps writing after a settlement was written early', async () => {
    const account = accountWith(3);
    const writer = open(10);
    const hold = { ...account, credits: 1, now: NOW };
    await writer.hold({ requestId: 'early', ...hold });
    const held = writer.hold({ requestId: 'beside', ...hold });
    // Comes while the hold is being written, and is written right after it.
    const settled = writer.settle('early');
    await Promise.all([held, settled]);
    await sleep(50);
    expect(await writer.hold({ requestId: 'next', ...hold })).toBe(0);
    await Promise.all([writer.release('beside'), writer.release('next')]);
    await writer.close(5_000);
    expectPaid(account, { balance: 2, searches: 1 });
  });

  it('rejects a failing operation and applies the others of its batch', async () => {
    const account = accountWith(3);
    const writer = open(0);
    const hold = { ...account, credits: 1, now: NOW };
    const results = await Promise.allSettled([
      writer.hold({ requestId: 'one', ...hold }),
      writer.hold({ requestId: 'one', ...hold }),
      writer.hold({ requestId: 'two', ...hold, keyId: 9_999 }),
      writer.hold({ requestId: 'two', ...hold }),
    ]);
    expect(results.map(({ status }) => status)).toEqual([
      ...['fulfilled', 'rejected', 'rejected', 'fulfilled'],
    ]);
    expect(String((results[1] as PromiseRejectedResult).reason)).toContain(
      'the ledger rejected the operation',
    );
    await Promise.all([writer.release('one'), writer.release('two')]);
    await writer.close(5_000);
    expectPaid(account, { balance: 3, searches: 0 });
  });
});

describe('several processes', () => {
  type Child = ChildProcessByStdio<Writable, Readable, null>;
  const program = join(import.meta.dirname, '../../support/ledger-process.mjs');
  const HOLDS = 40;

  function startProcess({ customerId, keyId }: Account, name: string): Child {
    const args = [program, bundlePath(), path, customerId, keyId, name, HOLDS].map(String);
    return spawn(process.execPath, args, { stdio: ['pipe', 'pipe', 'inherit'] });
  }

  it.each([
    [2, 1],
    [2, 50],
    [3, 97],
  ])('%i of them get %i credits between them, and not one more', async (processes, credits) => {
    const account = accountWith(credits);
    const children = Array.from({ length: processes }, (_, index) =>
      startProcess(account, `${account.customerId}-${index}`),
    );
    await Promise.all(children.map(({ stdout }) => once(stdout, 'readable')));
    const outputs = children.map(({ stdin, stdout }) => {
      stdin.end();
      return text(stdout);
    });
    const got = (await Promise.all(outputs)).map((output) => Number(output.split('\n')[1]));
    expect(got.reduce((sum, count) => sum + count, 0)).toBe(credits);
    expectPaid(account, { balance: 0, searches: credits });
  });
});
