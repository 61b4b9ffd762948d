/**
 * Credit that operators gave, and take back if it was a mistake. Credit of payments is not here: Stripe's
 * refunds take it back.
 */
import { lockCustomer, query, queryFirst, type Sql } from '../../database/sql/sql.ts';
import { VerbatimError } from '../../errors.ts';
import { addPaymentEntry } from './credit-entries.ts';
import { assertNotDeleted, customerOf } from './customers.ts';

export interface GivenCredit {
  /** The entry of the ledger. */
  id: number;
  credits: number;
  reference: string | null;
  note: string | null;
  createdAt: number;
  isTakenBack: boolean;
}

/** Selects credit of a customer, `$1`, that no payment gave. */
const given = `
  SELECT e.id, e.credits, e.reference, e.note, e.created_at AS "createdAt", EXISTS (
    SELECT 1 FROM ledger_entries WHERE reference = 'gift:' || CAST(e.id AS text)) AS "isTakenBack"
  FROM ledger_entries e
  WHERE e.customer_id = $1 AND e.kind = 'topup' AND e.kind NOT IN ('hold', 'settle')
    AND NOT EXISTS (SELECT 1 FROM payments WHERE session = e.reference)`;

/** Lists what operators gave a customer, newest first. */
export function* listGivenCredit({
  customerId,
  limit,
}: {
  customerId: number;
  limit: number;
}): Sql<GivenCredit[]> {
  return yield* query<GivenCredit>(`${given} ORDER BY e.id DESC LIMIT $2`, [customerId, limit]);
}

/**
 * Takes back what an entry gave, once. Who spent it already owes it. Returns the entry that takes it.
 * Throws `already_exists` if it was taken back, and `usage` if the entry gave the customer nothing or the
 * customer is deleted.
 */
export function* takeBackCredit({
  customerId,
  entryId,
  note,
  now,
}: {
  customerId: number;
  entryId: number;
  note?: string | undefined;
  now: number;
}): Sql<{ customerId: number; credits: number; balance: number }> {
  yield* lockCustomer(customerId);
  assertNotDeleted(yield* customerOf(customerId));
  const gift = yield* queryFirst<GivenCredit>(`${given} AND e.id = $2`, [customerId, entryId]);
  if (gift === undefined) throw new VerbatimError('usage', `entry ${entryId} gave no credit`);
  if (gift.isTakenBack) {
    throw new VerbatimError('already_exists', 'this credit was already taken back');
  }
  const { credits } = gift;
  // The audit knows the reference.
  const entry = { customerId, credits: -credits, reference: `gift:${entryId}`, note, now };
  return { customerId, credits, balance: yield* addPaymentEntry({ ...entry, kind: 'adjust' }) };
}
