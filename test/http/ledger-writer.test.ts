/**
 * The thread that writes the ledger: everything that is put in is written, whenever it comes.
 *
 * The thread runs the bundle, which brings its own SQLite. Two of them in one process undo each
 * other's file locks, so the tests open the file only before the thread starts and after it ends.
 */
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  createLedgerWriter,
  type LedgerWriter,
} from '../../src/accounts/ledger-thread/ledger-writer.ts';
import { topUp } from '../../src/accounts/sql/credit-entries.ts';
import { readBalance } from '../../src/accounts/sql/customers.ts';
import { auditLedger } from '../../src/accounts/sqlite/ledger/audit.ts';
import { createDamageRegister } from '../../src/database/damage/damage-register.ts';
import { openStore } from '../../src/database/open.ts';
import { changeOnSqlite, runOnSqlite } from '../../src/database/sqlite/run-on-sqlite.ts';
import { createLog } from '../../src/log.ts';
import { type Account, addAccount, NOW, temporaryFolder } from '../support/accounts.ts';

const CREDITS = 2_000;
const SETTLE_DELAY_MS = 20;
/** Longer than any write takes on a busy machine, and shorter than a test may take. */
const PATIENCE_MS = 60_000;

const folder = temporaryFolder();
let path: string;
let account: Account;
let writer: LedgerWriter;
let files = 0;
let requests = 0;

beforeEach(() => {
  path = join(folder, `ledger-${++files}.db`);
  const db = openStore({ path, lockWaitMs: 0 });
  account = addAccount(db);
  changeOnSqlite(db, topUp({ customerId: account.customerId, credits: CREDITS, now: NOW }));
  db.close();
  writer = startWriter(SETTLE_DELAY_MS);
});

/** Whatever a test did, each hold must have been resolved, and the balance must add up. */
afterEach(async () => {
  await writer.close(PATIENCE_MS);
  const db = openStore({ path, lockWaitMs: 0 });
  expect(auditLedger(db)).toMatchObject({ held: 0, differences: [] });
  db.close();
});

function startWriter(settleDelayMs: number, holdDelayMs = 0): LedgerWriter {
  const store = { path, lockWaitMs: PATIENCE_MS };
  return createLedgerWriter({
    store,
    holdDelayMs,
    settleDelayMs,
    ledgerBatchMax: 256,
    log: createLog(() => {}),
    damage: createDamageRegister(createLog(() => {})),
    ledgerRetryMs: 50,
    openHoldsMax: 10_000,
    databaseCheckMs: 1_000,
    accountWritesWaitingMax: 8,
  });
}

/** A search that wants its credit: its id, and the promise of the balance after the hold. */
function hold(credits = 1): { id: string; held: Promise<number | undefined> } {
  const id = `request-${++requests}`;
  return { id, held: writer.hold({ ...account, requestId: id, credits, now: NOW }) };
}

/** What a promise resolves to; rejects where that takes too long. */
function soon<Result>(promise: Promise<Result>): Promise<Result> {
  const tooLate = wait(PATIENCE_MS, undefined, { ref: false }).then(() => {
    throw new Error(`not written within ${PATIENCE_MS} ms`);
  });
  return Promise.race([promise, tooLate]);
}

describe('createLedgerWriter', () => {
  it('resolves to the balance after each step, or undefined if the step did not apply', async () => {
    const first = hold();
    expect(await soon(first.held)).toBe(CREDITS - 1);
    expect(await soon(writer.release(first.id))).toBe(CREDITS);
    expect(await soon(writer.settle(first.id))).toBeUndefined();
    expect(await soon(hold(CREDITS + 1).held)).toBeUndefined();
    const second = hold(CREDITS);
    const third = hold();
    expect(await soon(Promise.all([second.held, third.held]))).toEqual([0, undefined]);
    expect(await soon(writer.settle(second.id))).toBe(0);
  });

  it('keeps writing after a settlement was written early with a hold', async () => {
    const first = hold();
    await soon(first.held);
    const second = hold();
    await soon(Promise.all([second.held, writer.settle(first.id)]));
    await wait(3 * SETTLE_DELAY_MS);
    const third = hold();
    expect(await soon(third.held)).toBe(CREDITS - 3);
    await soon(Promise.all([writer.settle(second.id), writer.settle(third.id)]));
  });

  it('keeps writing if a settlement becomes due during a write', async () => {
    await writer.close(PATIENCE_MS);
    writer = startWriter(0);
    const first = hold();
    await soon(first.held);
    // Several transactions, which take longer than a timer of 0.
    const [second = expect.fail(), ...rest] = Array.from({ length: 1_000 }, () => hold());
    const settled = writer.settle(first.id);
    await soon(Promise.all([second.held, ...rest.map(({ held }) => held), settled]));
    expect(await soon(writer.settle(second.id))).toBe(CREDITS - 1_001);
    await soon(Promise.all(rest.map(({ id }) => writer.settle(id))));
  });

  it('writes holds in time, together with waiting settlements', async () => {
    await writer.close(PATIENCE_MS);
    writer = startWriter(10 * PATIENCE_MS, 2 * SETTLE_DELAY_MS);
    const first = hold();
    await soon(first.held);
    const settled = writer.settle(first.id);
    const second = hold();
    await soon(Promise.all([second.held, settled]));
    await soon(writer.release(second.id));
  });

  it('writes a settlement that nothing follows', async () => {
    const { id, held } = hold();
    await soon(held);
    expect(await soon(writer.settle(id))).toBe(CREDITS - 1);
  });

  it('writes queued operations before it closes', async () => {
    const { id, held } = hold();
    await soon(held);
    const settled = writer.settle(id);
    await soon(writer.close(PATIENCE_MS));
    expect(await settled).toBe(CREDITS - 1);
    const db = openStore({ path, lockWaitMs: 0 });
    expect(runOnSqlite(db, readBalance(account.customerId))).toBe(CREDITS - 1);
    db.close();
  });

  it('rejects the failing operation and writes the others of its batch', async () => {
    const first = hold();
    const again = writer.hold({ ...account, requestId: first.id, credits: 1, now: NOW });
    const second = hold();
    await expect(soon(again)).rejects.toThrow('the ledger rejected the operation');
    expect(await soon(Promise.all([first.held, second.held]))).toEqual([CREDITS - 1, CREDITS - 2]);
    await soon(writer.release(first.id));
    expect(await soon(writer.release(second.id))).toBe(CREDITS);
  });
});

describe('a change to an account', () => {
  const customerId = 1;

  it('is written with the ledger and resolves to the result of its function', async () => {
    const first = hold();
    const changed = writer.write('createOwnKey', {
      customerId,
      name: 'laptop',
      creditsPerMonthMax: 5,
      keysEverMax: 9,
      keysMax: 9,
      now: NOW,
    });
    expect(await soon(first.held)).toBe(CREDITS - 1);
    expect(await soon(changed)).toMatchObject({
      key: { customerId, name: 'laptop', creditsPerMonthMax: 5 },
      secret: expect.stringMatching(/^sk_live_/),
    });
    await soon(writer.release(first.id));
  });

  it('that fails undoes only itself and reports why', async () => {
    const first = hold();
    const refused = writer.write('revokeOwnKey', { customerId, prefix: 'nobody', now: NOW });
    const second = hold();
    await expect(soon(refused)).rejects.toThrow(
      expect.objectContaining({ name: 'VerbatimError', code: 'not_found' }),
    );
    expect(await soon(Promise.all([first.held, second.held]))).toEqual([CREDITS - 1, CREDITS - 2]);
    await soon(Promise.all([writer.release(first.id), writer.release(second.id)]));
  });

  it('is rejected if too many wait, while holds are not', async () => {
    const link = () => writer.write('createLink', { memberId: 1, expiresAt: NOW });
    const changes = Array.from({ length: 9 }, link);
    const first = hold();
    const settled = await soon(Promise.allSettled(changes));
    expect(settled.map(({ status }) => status)).toEqual([
      ...[...Array(8).fill('fulfilled'), 'rejected'],
    ]);
    expect(settled[8]).toMatchObject({ reason: { code: 'at_capacity' } });
    expect(await soon(first.held)).toBe(CREDITS - 1);
    await soon(writer.release(first.id));
    await soon(link());
  });
});
