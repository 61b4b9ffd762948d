/**
 * Credit that operators gave, and take back if it was a mistake. Credit of payments is not here: Stripe's
 * refunds take it back.
 */
import { lockCustomer, query, queryFirst, type Sql } from '../../database/sql/sql.ts';
import { VerbatimError } from '../../errors.ts';
import { addPaymentEntry } from './credit-entries.ts';
import { findCustomer, readBalance } from './customers.ts';

export interface GivenCredit {
  /** The entry of the ledger. */
  id: number;
  credits: number;
  reference: string | null;
  note: string | null;
  createdAt: number;
  /** How much of it was taken back; 0 if none. */
  takenBack: number;
}

export interface TakeBack {
  email: string;
  /** The entry that gave the credit. */
  entryId: number;
  /** All of it if absent. */
  credits?: number | undefined;
  /** Lets the customer owe what is already spent. */
  mayOwe?: boolean | undefined;
  note?: string | undefined;
  now: number;
}

export interface TakenBack {
  customerId: number;
  credits: number;
  balance: number;
}

/** Returns the reference of the entry that takes credit back. The audit knows it. */
function takeBackReference(entryId: number): string {
  return `gift:${entryId}`;
}

/** Selects credit of a customer, `$1`, that no payment gave. */
const given = `
  SELECT e.id, e.credits, e.reference, e.note, e.created_at AS "createdAt",
    coalesce(-t.credits, 0) AS "takenBack"
  FROM ledger_entries e
  LEFT JOIN ledger_entries t ON t.reference = 'gift:' || CAST(e.id AS text)
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
 * Takes credit back that was given by mistake, once for each entry. Throws `unknown_customer`,
 * `already_exists` if it was taken back, and `usage` if the entry gave the customer nothing, gave less, or
 * if the balance would fall below zero and may not.
 */
export function* takeBackCredit(input: TakeBack): Sql<TakenBack> {
  const { email, entryId, mayOwe = false, note, now } = input;
  const { id: customerId } = yield* findCustomer(email);
  yield* lockCustomer(customerId);
  const gift = yield* queryFirst<GivenCredit>(`${given} AND e.id = $2`, [customerId, entryId]);
  if (gift === undefined) {
    throw new VerbatimError('usage', `the entry ${entryId} gave ${email} no credit`);
  }
  if (gift.takenBack > 0) {
    const message = `${gift.takenBack} of the credits of entry ${entryId} were already taken back`;
    throw new VerbatimError('already_exists', message);
  }
  const credits = input.credits ?? gift.credits;
  if (credits > gift.credits) {
    throw new VerbatimError('usage', `the entry ${entryId} gave only ${gift.credits} credits`);
  }
  const left = yield* readBalance(customerId);
  if (credits > left && !mayOwe) {
    const message = `only ${Math.max(0, left)} credits are left; take back fewer, or let the customer owe the rest`;
    throw new VerbatimError('usage', message);
  }
  const reference = takeBackReference(entryId);
  const entry = { customerId, kind: 'adjust', credits: -credits, reference, note, now } as const;
  return { customerId, credits, balance: yield* addPaymentEntry(entry) };
}
