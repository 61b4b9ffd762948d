/** What the operator does with credit on PostgreSQL. */

import type { Database, Queries } from '../../database/postgres/postgres-database.ts';
import { VerbatimError } from '../../errors.ts';
import type { LedgerEntry, SearchRefund, TopUp } from '../sql/ledger.ts';
import { lockCustomer } from './postgres-customer-lock.ts';
import { addPaymentEntry } from './postgres-customers.ts';

const entryColumns = `id, customer_id AS "customerId", key_id AS "keyId", kind, credits, balance,
  request_id AS "requestId", reference, note, created_at AS "createdAt"`;

/** Adds credit in the caller's transaction. Throws `already_exists`, and `usage` for no reference. */
export async function topUp(queries: Queries, input: TopUp): Promise<number> {
  if (input.reference?.trim() === '') {
    throw new VerbatimError('usage', 'the reference of a payment must not be empty');
  }
  return await addPaymentEntry(queries, { ...input, kind: 'topup' });
}

/** Refunds a settled search. Throws `unknown_request` and `not_refundable`. */
export function refundSearch(
  database: Database,
  { requestId, customerId: owner, note, now }: SearchRefund,
): Promise<LedgerEntry> {
  return database.transaction(async (queries) => {
    const hold = (await entriesOf(queries, requestId)).find(({ kind }) => kind === 'hold');
    if (hold === undefined || (owner ?? hold.customerId) !== hold.customerId) {
      throw new VerbatimError('unknown_request', `the ledger has no search ${requestId}`);
    }
    const { customerId, keyId } = hold;
    await lockCustomer(queries, customerId);
    const entries = await entriesOf(queries, requestId);
    const settle = entries.find(({ kind }) => kind === 'settle');
    if (settle === undefined || entries.some(({ kind }) => kind === 'refund')) {
      const why = settle === undefined ? 'was not charged' : 'was already refunded';
      throw new VerbatimError('not_refundable', `the search ${requestId} ${why}`);
    }
    const credits = -hold.credits;
    const [entry] = await queries.query<LedgerEntry>(
      `WITH changed AS (
         UPDATE customers SET balance = balance + $2 WHERE id = $1 RETURNING balance)
       INSERT INTO ledger_entries
         (customer_id, key_id, kind, credits, balance, request_id, note, created_at)
       SELECT $1, $3, 'refund', $2, balance, $4, $5, $6 FROM changed RETURNING ${entryColumns}`,
      [customerId, credits, keyId, requestId, note ?? null, now],
    );
    // The search counts as served in the month and day of its charge, whose credits shrink.
    await queries.query('SELECT count_usage($1, 0, $2, $3)', [keyId, -credits, settle.createdAt]);
    return entry as LedgerEntry;
  });
}

async function entriesOf({ query }: Queries, requestId: string): Promise<LedgerEntry[]> {
  return await query(
    `SELECT ${entryColumns} FROM ledger_entries WHERE request_id = $1 ORDER BY id`,
    [requestId],
  );
}

/** Finds the entry of a payment; undefined if it was not counted. */
export async function findByReference(
  { query }: Queries,
  reference: string,
): Promise<LedgerEntry | undefined> {
  const rows = await query<LedgerEntry>(
    `SELECT ${entryColumns} FROM ledger_entries WHERE reference = $1`,
    [reference],
  );
  return rows[0];
}

/** Lists the newest entries of a customer, newest first. */
export async function listEntries(
  { query }: Queries,
  { customerId, limit }: { customerId: number; limit: number },
): Promise<LedgerEntry[]> {
  return await query(
    `SELECT ${entryColumns} FROM ledger_entries WHERE customer_id = $1 ORDER BY id DESC LIMIT $2`,
    [customerId, limit],
  );
}
