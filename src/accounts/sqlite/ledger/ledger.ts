/**
 * The ledger. A search first holds credit; the hold is then settled or released, and a settled
 * search can be refunded. Each step adds one row that never changes, in one transaction with the
 * balance, the open hold and the usage that follow from it.
 *
 *   topup ──► balance ──hold──► open ──settle──► charged ──refund──► balance
 *                                └────release──► balance
 *
 * An `adjust` takes back a payment that returned to its payer, whatever has been spent. Only an
 * `adjust` can make a balance negative.
 *
 * Callers compose the steps of a search, which are here, into transactions, and supply the request ids, so
 * that a repeated step changes nothing. The other entries are in sql/credit-entries.ts.
 */
import type Database from 'better-sqlite3';
import type { Connection } from '../../../database/sqlite/connection.ts';
import { VerbatimError } from '../../../errors.ts';
import { dayOf, periodOf } from '../../sql/calendar-month.ts';
import type { CallKind, EntryKind } from '../../sql/credit-entries.ts';
import { type AnswerMeasures, prepareAddMeasures } from './answer-measures.ts';

export interface HoldRequest {
  requestId: string;
  customerId: number;
  keyId: number;
  credits: number;
  /** What the credit is for; a search if absent. */
  call?: CallKind;
  now: number;
}

interface OpenHold {
  customerId: number;
  keyId: number;
  credits: number;
}

export interface Ledger {
  /**
   * Reserves credits. Returns the balance left, or undefined if it is too small. Throws
   * `key_cap_reached` if the key's month, including its open holds, would exceed the cap.
   */
  hold(request: HoldRequest): number | undefined;
  /**
   * Charges an open hold, and counts what is known of the answer. Returns the balance; undefined if
   * no hold is open.
   */
  settle(requestId: string, now: number, measures?: AnswerMeasures): number | undefined;
  /** Releases an open hold. Returns the balance; undefined if no hold is open. */
  release(requestId: string, now: number): number | undefined;
}

/** Returns the ledger's steps. Callers run them in a transaction. */
export function createLedger(db: Connection): Ledger {
  // One conditional UPDATE decides: of many searches for the last credit, one changes the row.
  const debit = db
    .prepare(
      'UPDATE customers SET balance = balance - ? WHERE id = ? AND balance >= ? RETURNING balance',
    )
    .pluck();
  const credit = prepareCredit(db);
  const addEntry = prepareAddEntry(db);
  const openHold = db.prepare('INSERT INTO open_holds VALUES (?, ?, ?, ?, ?)');
  const closeHold = db.prepare(
    `DELETE FROM open_holds WHERE request_id = ?
     RETURNING customer_id AS customerId, key_id AS keyId, credits`,
  );
  const addUsage = prepareAddUsage(db);
  const addMeasures = prepareAddMeasures(db);
  const assertWithinCap = prepareAssertWithinCap(db);

  return {
    hold({ requestId, customerId, keyId, credits, call, now }) {
      assertWithinCap(keyId, credits, now);
      const balance = debit.get(credits, customerId, credits) as number | undefined;
      if (balance === undefined) return undefined;
      const entry = { customerId, keyId, kind: 'hold' as const, balance, requestId, now };
      addEntry({ ...entry, credits: -credits, call });
      openHold.run(requestId, customerId, keyId, credits, now);
      return balance;
    },
    settle(requestId, now, measures) {
      const hold = closeHold.get(requestId) as OpenHold | undefined;
      if (hold === undefined) return undefined;
      const { customerId, keyId, credits } = hold;
      const balance = credit(customerId, 0);
      addEntry({ customerId, keyId, kind: 'settle', credits: 0, balance, requestId, now });
      addUsage({ keyId, requests: 1, credits, chargedAt: now });
      if (measures !== undefined) {
        addMeasures({ customerId, keyId, day: dayOf(now), now }, measures);
      }
      return balance;
    },
    release(requestId, now) {
      const hold = closeHold.get(requestId) as OpenHold | undefined;
      if (hold === undefined) return undefined;
      const { customerId, keyId, credits } = hold;
      const balance = credit(customerId, credits);
      addEntry({ customerId, keyId, kind: 'release', credits, balance, requestId, now });
      return balance;
    },
  };
}

/** Releases all holds that a crash left open. Returns how many. */
export function releaseOpenHolds(db: Connection, now: number): number {
  const ledger = createLedger(db);
  return db
    .transaction(() => {
      const open = db.prepare('SELECT request_id FROM open_holds').pluck().all() as string[];
      for (const requestId of open) ledger.release(requestId, now);
      return open.length;
    })
    .immediate();
}

/** Returns a function that adds credits, or 0, to a balance and returns the new one. */
function prepareCredit(db: Connection): (customerId: number, credits: number) => number {
  const update = db
    .prepare('UPDATE customers SET balance = balance + ? WHERE id = ? RETURNING balance')
    .pluck();
  return (customerId, credits) => Number(update.get(credits, customerId));
}

interface NewEntry {
  customerId: number;
  keyId?: number | null;
  kind: EntryKind;
  credits: number;
  balance: number;
  requestId?: string;
  reference?: string | undefined;
  note?: string | undefined;
  call?: CallKind | undefined;
  now: number;
}

function prepareAddEntry(db: Connection): (entry: NewEntry) => void {
  const insert = db.prepare(
    `INSERT INTO ledger_entries
       (customer_id, key_id, kind, credits, balance, request_id, reference, note, created_at, call)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
  );
  return ({ customerId, keyId, kind, credits, balance, requestId, reference, note, call, now }) => {
    insert.run(
      ...[customerId, keyId ?? null, kind, credits, balance],
      ...[requestId ?? null, reference ?? null, note ?? null, now, call ?? null],
    );
  };
}

interface UsageChange {
  keyId: number;
  requests: number;
  credits: number;
  /** The time of the settlement, which determines month and day. */
  chargedAt: number;
}

function prepareAddUsage(db: Connection): (change: UsageChange) => void {
  const add = (table: string): Database.Statement =>
    db.prepare(
      `INSERT INTO ${table} VALUES (?, ?, ?, ?)
       ON CONFLICT DO UPDATE SET
         requests = requests + excluded.requests, credits = credits + excluded.credits`,
    );
  const addToMonth = add('usage');
  const addToDay = add('usage_days');
  return ({ keyId, requests, credits, chargedAt }) => {
    addToMonth.run(keyId, periodOf(chargedAt), requests, credits);
    addToDay.run(keyId, dayOf(chargedAt), requests, credits);
  };
}

/**
 * Returns a check of a key's monthly cap. Without a cap it reads one row. Open holds count too:
 * they may still be charged, and no month may exceed the cap, whichever month that is.
 */
function prepareAssertWithinCap(
  db: Connection,
): (keyId: number, credits: number, now: number) => void {
  const readCap = db.prepare('SELECT credits_per_month_max FROM api_keys WHERE id = ?').pluck();
  // There are only as many open holds as searches in flight, so the table needs no index by key.
  const readTaken = db
    .prepare(
      `SELECT coalesce((SELECT credits FROM usage WHERE key_id = :key AND period = :period), 0)
         + coalesce((SELECT sum(credits) FROM open_holds WHERE key_id = :key), 0)`,
    )
    .pluck();
  return (keyId, credits, now) => {
    const cap = readCap.get(keyId) as number | null | undefined;
    if (cap === null || cap === undefined) return;
    const taken = Number(readTaken.get({ key: keyId, period: periodOf(now) }));
    if (taken + credits > cap) throw new VerbatimError('key_cap_reached');
  };
}
