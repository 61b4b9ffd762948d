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
 * Callers compose the steps into transactions; `topUp` and `refundSearch` run in their own. Callers
 * supply the request ids, so that a repeated step changes nothing.
 */
import type Database from 'better-sqlite3';
import type { Connection } from '../../database/sqlite/connection.ts';
import { VerbatimError } from '../../errors.ts';
import { type AnswerMeasures, prepareAddMeasures } from './answer-measures.ts';
import { allowNextWarning } from './billing-notice-rows.ts';

/** The calls that cost credit. */
export type CallKind = 'search' | 'paper' | 'similar' | 'verify';

export type EntryKind = 'topup' | 'adjust' | 'hold' | 'settle' | 'release' | 'refund';

export interface LedgerEntry {
  id: number;
  customerId: number;
  keyId: number | null;
  kind: EntryKind;
  /** The change of the balance. */
  credits: number;
  /** The balance after it. */
  balance: number;
  requestId: string | null;
  reference: string | null;
  note: string | null;
  createdAt: number;
}

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

/** Returns the calendar month in UTC, `YYYY-MM`, by which usage is counted. */
export function periodOf(time: number): string {
  return new Date(time).toISOString().slice(0, 7);
}

/** Returns the day in UTC, `YYYY-MM-DD`, by which usage is counted. */
export function dayOf(time: number): string {
  return new Date(time).toISOString().slice(0, 10);
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

export interface TopUp {
  customerId: number;
  credits: number;
  /** Names a payment, which counts only once. */
  reference?: string | undefined;
  note?: string | undefined;
  now: number;
}

/**
 * Adds credit. Returns the balance. Throws `already_exists` for a payment that was already counted,
 * and `usage` for an empty reference, which an unset shell variable would give.
 */
export function topUp(
  db: Connection,
  { customerId, credits, reference, note, now }: TopUp,
): number {
  if (reference?.trim() === '') {
    throw new VerbatimError('usage', 'the reference of a payment must not be empty');
  }
  return db
    .transaction(() => {
      if (reference !== undefined && findByReference(db, reference) !== undefined) {
        throw new VerbatimError('already_exists', `the payment ${reference} was already counted`);
      }
      return addPaymentEntry(db, { kind: 'topup', customerId, credits, reference, note, now });
    })
    .immediate();
}

/** Finds the entry of a payment; undefined if it was not counted. */
export function findByReference(db: Connection, reference: string): LedgerEntry | undefined {
  return db
    .prepare(`SELECT ${entryColumns} FROM ledger_entries WHERE reference = ?`)
    .get(reference) as LedgerEntry | undefined;
}

/** A step: adds purchased credits, or adjusts for a reversed payment. Returns the balance. */
export function addPaymentEntry(
  db: Connection,
  entry: TopUp & { kind: 'topup' | 'adjust' },
): number {
  const balance = prepareCredit(db)(entry.customerId, entry.credits);
  prepareAddEntry(db)({ ...entry, balance });
  allowNextWarning(db, entry.customerId);
  return balance;
}

export interface SearchRefund {
  requestId: string;
  /** Whose search it must be; anybody's if absent. */
  customerId?: number | undefined;
  note?: string | undefined;
  now: number;
}

/**
 * Refunds a settled search. Returns the entry. Throws `unknown_request` if the customer
 * has no such search, and `not_refundable` if it was not charged or already refunded.
 */
export function refundSearch(
  db: Connection,
  { requestId, customerId: owner, note, now }: SearchRefund,
): LedgerEntry {
  return db
    .transaction(() => {
      const entries = entriesOfRequest(db, requestId);
      const hold = entries.find((entry) => entry.kind === 'hold');
      const settle = entries.find((entry) => entry.kind === 'settle');
      if (hold === undefined || (owner ?? hold.customerId) !== hold.customerId) {
        throw new VerbatimError('unknown_request', `the ledger has no search ${requestId}`);
      }
      if (settle === undefined || entries.some((entry) => entry.kind === 'refund')) {
        const why = settle === undefined ? 'was not charged' : 'was already refunded';
        throw new VerbatimError('not_refundable', `the search ${requestId} ${why}`);
      }
      const { customerId, keyId } = hold;
      const credits = -hold.credits;
      const balance = prepareCredit(db)(customerId, credits);
      const entry = { customerId, keyId, kind: 'refund' as const, credits, balance, requestId };
      prepareAddEntry(db)({ ...entry, note, now });
      // The search counts as served in the month and day of its charge, whose credits shrink.
      const chargedAt = settle.createdAt;
      prepareAddUsage(db)({ keyId: Number(keyId), requests: 0, credits: -credits, chargedAt });
      return entriesOfRequest(db, requestId).at(-1) as LedgerEntry;
    })
    .immediate();
}

const entryColumns = `id, customer_id AS customerId, key_id AS keyId, kind, credits, balance,
  request_id AS requestId, reference, note, created_at AS createdAt`;

/** Lists the newest entries of a customer, newest first. */
export function listEntries(
  db: Connection,
  { customerId, limit }: { customerId: number; limit: number },
): LedgerEntry[] {
  return db
    .prepare(
      `SELECT ${entryColumns} FROM ledger_entries WHERE customer_id = ? ORDER BY id DESC LIMIT ?`,
    )
    .all(customerId, limit) as LedgerEntry[];
}

function entriesOfRequest(db: Connection, requestId: string): LedgerEntry[] {
  return db
    .prepare(`SELECT ${entryColumns} FROM ledger_entries WHERE request_id = ? ORDER BY id`)
    .all(requestId) as LedgerEntry[];
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
