/**
 * Entries of the ledger, and those that are made outside of searches: purchased credit, credit that is
 * taken back, and refunds. What a search does to the ledger is described in sqlite/ledger/ledger.ts.
 */
import { lockCustomer, query, queryFirst, type Sql } from '../../database/sql/sql.ts';
import { VerbatimError } from '../../errors.ts';
import { allowNextWarning } from './billing-notice-rows.ts';
import { dayOf, periodOf } from './calendar-month.ts';
import { assertNotDeleted, customerOf } from './customers.ts';
import { idsWithParts, withoutPart } from './request-parts.ts';

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
export function* topUp(input: TopUp): Sql<number> {
  if (input.reference?.trim() === '') {
    throw new VerbatimError('usage', 'the reference of a payment must not be empty');
  }
  return yield* addPaymentEntry({ ...input, kind: 'topup' });
}

const entryColumns = `id, customer_id AS "customerId", key_id AS "keyId", kind, credits, balance,
  request_id AS "requestId", reference, note, created_at AS "createdAt"`;

/** Finds the entry of a payment; undefined if it was not counted. */
export function* findByReference(reference: string): Sql<LedgerEntry | undefined> {
  return yield* queryFirst<LedgerEntry>(
    `SELECT ${entryColumns} FROM ledger_entries WHERE reference = $1`,
    [reference],
  );
}

/**
 * Adds purchased credits, or adjusts for a reversed payment. Returns the balance. Throws `already_exists`
 * for a reference that was already counted: of two at once, one succeeds.
 */
export function* addPaymentEntry(entry: TopUp & { kind: 'topup' | 'adjust' }): Sql<number> {
  const { customerId, kind, credits, reference, note, now } = entry;
  const isNew = reference === undefined || (yield* findByReference(reference)) === undefined;
  const balance = yield* addToBalance(customerId, credits);
  const isAdded =
    isNew &&
    (yield* queryFirst(
      `INSERT INTO ledger_entries (customer_id, kind, credits, balance, reference, note, created_at)
       VALUES ($1, $2, $3, $4, $5, $6, $7) ON CONFLICT DO NOTHING RETURNING id`,
      [customerId, kind, credits, balance, reference ?? null, note ?? null, now],
    )) !== undefined;
  if (!isAdded) {
    throw new VerbatimError('already_exists', `the payment ${reference} was already counted`);
  }
  yield* allowNextWarning(customerId);
  return balance;
}

function* addToBalance(customerId: number, credits: number): Sql<number> {
  const changed = yield* queryFirst<{ balance: number }>(
    'UPDATE customers SET balance = balance + $2 WHERE id = $1 RETURNING balance',
    [customerId, credits],
  );
  return Number(changed?.balance);
}

export interface SearchRefund {
  requestId: string;
  /** Whose search it must be; anybody's if absent. */
  customerId?: number | undefined;
  note?: string | undefined;
  now: number;
}

/**
 * Refunds a settled search once. Returns the entry. Throws `unknown_request` if the customer
 * has no such search, `not_refundable` if it was not charged or already refunded, and `usage` if the
 * customer is deleted.
 */
export function* refundSearch({
  requestId,
  customerId: owner,
  note,
  now,
}: SearchRefund): Sql<LedgerEntry> {
  const hold = (yield* entriesOfHold(requestId)).find(({ kind }) => kind === 'hold');
  if (hold === undefined || (owner ?? hold.customerId) !== hold.customerId) {
    throw new VerbatimError('unknown_request', `the ledger has no search ${requestId}`);
  }
  const { customerId, keyId } = hold;
  yield* lockCustomer(customerId);
  assertNotDeleted(yield* customerOf(customerId));
  const entries = yield* entriesOfHold(requestId);
  const settle = entries.find(({ kind }) => kind === 'settle');
  if (settle === undefined || entries.some(({ kind }) => kind === 'refund')) {
    const why = settle === undefined ? 'was not charged' : 'was already refunded';
    throw new VerbatimError('not_refundable', `the search ${requestId} ${why}`);
  }
  const credits = -hold.credits;
  const balance = yield* addToBalance(customerId, credits);
  const [entry] = yield* query<LedgerEntry>(
    `INSERT INTO ledger_entries
       (customer_id, key_id, kind, credits, balance, request_id, note, created_at)
     VALUES ($1, $2, 'refund', $3, $4, $5, $6, $7) RETURNING ${entryColumns}`,
    [customerId, keyId, credits, balance, requestId, note ?? null, now],
  );
  // The search counts as served in the month and day of its charge, whose credits shrink.
  yield* query('UPDATE usage SET credits = credits - $1 WHERE key_id = $2 AND period = $3', [
    ...[credits, keyId, periodOf(settle.createdAt)],
  ]);
  yield* query('UPDATE usage_days SET credits = credits - $1 WHERE key_id = $2 AND day = $3', [
    ...[credits, keyId, dayOf(settle.createdAt)],
  ]);
  yield* query('UPDATE requests SET credits = credits - $1 WHERE request_id = $2', [
    ...[credits, withoutPart(requestId)],
  ]);
  return entry as LedgerEntry;
}

/** Lists the newest entries of a customer, newest first. */
export function* listEntries({
  customerId,
  limit,
}: {
  customerId: number;
  limit: number;
}): Sql<LedgerEntry[]> {
  return yield* query<LedgerEntry>(
    `SELECT ${entryColumns} FROM ledger_entries WHERE customer_id = $1 ORDER BY id DESC LIMIT $2`,
    [customerId, limit],
  );
}

/** Lists the entries of a request with all its parts, oldest first. */
export function* entriesOfRequest(requestId: string): Sql<LedgerEntry[]> {
  const ids = idsWithParts(requestId);
  return yield* query<LedgerEntry>(
    `SELECT ${entryColumns} FROM ledger_entries
     WHERE request_id IN (${ids.map((_, at) => `$${at + 1}`).join(', ')}) ORDER BY id`,
    ids,
  );
}

/** Lists the entries of one hold, oldest first. */
function* entriesOfHold(requestId: string): Sql<LedgerEntry[]> {
  return yield* query<LedgerEntry>(
    `SELECT ${entryColumns} FROM ledger_entries WHERE request_id = $1 ORDER BY id`,
    [requestId],
  );
}
