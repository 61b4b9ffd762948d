/**
 * Mail that a customer gets about billing. The change that gives the reason stores it: a trigger does
 * so when a balance falls below the customer's warning. So no crash loses a notice, and one server claims
 * it just before its mail is handed over.
 */

import { lockCustomer, query, queryFirst, type Sql } from '../../database/sql/sql.ts';
import { type Buyer, findBuyer } from './buyers.ts';
import { monthStart } from './calendar-month.ts';
import { findPaymentOf, type OwnPayment } from './payments.ts';
import { type AutomaticTopUp, findAutomaticTopUp, isMonthFull } from './top-up-agreements.ts';

export type NoticeKind = 'low_balance' | 'top_up_paused' | 'top_up_limit' | 'receipt';

export interface BillingNotice {
  customerId: number;
  kind: NoticeKind;
  /** The payment of a receipt; 0 for the other kinds. */
  paymentId: number;
}

/** How long a receipt waits for a mail server. Whoever gets one later has no use for a flood of old ones. */
const RECEIPT_WAIT_MS = 7 * 86_400_000;

export interface ClaimedNotice extends BillingNotice {
  balance: number;
  lowBalance: number | null;
  /** Undefined if automatic top-up is off. */
  topUp: AutomaticTopUp | undefined;
  /** The address of the customer. */
  email: string;
  /** What a receipt is about. */
  receipt: { payment: OwnPayment; buyer: Buyer } | undefined;
  /** The addresses of those who pay. */
  recipients: string[];
}

/** Lists notices that wait and whose time has come, the oldest first. */
export function* listDueNotices({
  now,
  limit,
}: {
  now: number;
  limit: number;
}): Sql<BillingNotice[]> {
  return yield* query<BillingNotice>(
    `SELECT customer_id AS "customerId", kind, payment_id AS "paymentId" FROM billing_notices
     WHERE claimed_at IS NULL AND retry_at <= $1 ORDER BY retry_at LIMIT $2`,
    [now, limit],
  );
}

interface Facts extends Pick<ClaimedNotice, 'balance' | 'lowBalance' | 'email'> {
  disabledAt: number | null;
}

/**
 * Claims a notice. Returns undefined if somebody else has, or if its reason is gone: then nobody needs to be
 * told. Not repeatable: what was claimed is not given out again.
 */
export function* claimNotice({
  customerId,
  kind,
  paymentId,
  now,
}: BillingNotice & { now: number }): Sql<ClaimedNotice | undefined> {
  // Otherwise a fall that is not committed yet would be told by nobody.
  yield* lockCustomer(customerId);
  const claimed = yield* query(
    `UPDATE billing_notices SET claimed_at = $3, attempts = attempts + 1
     WHERE customer_id = $1 AND kind = $2 AND payment_id = $4 AND claimed_at IS NULL RETURNING 1`,
    [customerId, kind, now, paymentId],
  );
  if (claimed.length === 0) return undefined;
  const facts = yield* queryFirst<Facts>(
    `SELECT balance, low_balance AS "lowBalance", email, disabled_at AS "disabledAt"
     FROM customers WHERE id = $1`,
    [customerId],
  );
  const { disabledAt, ...balances } = facts as Facts;
  const topUp = yield* findAutomaticTopUp({ customerId, monthStart: monthStart(now) });
  const payment = kind === 'receipt' ? yield* findPaymentOf(paymentId) : undefined;
  const receipt = payment && { payment, buyer: yield* findBuyer({ customerId }) };
  const reason = { ...balances, topUp, receipt };
  if (disabledAt !== null || !holds(kind, reason, now)) {
    yield* deleteNotice({ customerId, kind, paymentId });
    return undefined;
  }
  const members = yield* query<{ email: string }>(
    `SELECT email FROM members WHERE customer_id = $1 AND role IN ('owner', 'billing')
       AND password_hash IS NOT NULL ORDER BY id`,
    [customerId],
  );
  return { customerId, kind, paymentId, ...reason, recipients: members.map(({ email }) => email) };
}

/** Returns whether the reason of a notice still holds. A released hold may have ended it. Pure. */
function holds(
  kind: NoticeKind,
  { balance, lowBalance, topUp, receipt }: Omit<ClaimedNotice, keyof BillingNotice | 'recipients'>,
  now: number,
): boolean {
  switch (kind) {
    case 'receipt':
      return now - (receipt?.payment.paidAt ?? 0) < RECEIPT_WAIT_MS;
    case 'low_balance':
      return lowBalance !== null && balance < lowBalance;
    case 'top_up_paused':
      return topUp !== undefined && topUp.pausedFor !== null;
    case 'top_up_limit':
      return topUp?.pausedFor === null && balance < topUp.threshold && isMonthFull(topUp);
  }
}

/** Lets a claimed notice wait again, unless it was tried often enough. May be repeated. */
export function* returnNotice({
  customerId,
  kind,
  paymentId,
  retryAt,
  attemptsMax,
}: BillingNotice & { retryAt: number; attemptsMax: number }): Sql<void> {
  yield* query(
    `UPDATE billing_notices SET claimed_at = NULL, retry_at = $3
     WHERE customer_id = $1 AND kind = $2 AND payment_id = $5 AND attempts < $4`,
    [customerId, kind, retryAt, attemptsMax, paymentId],
  );
}

/** Deletes a notice. Its reason is gone, so the next one is told again. */
export function* deleteNotice({
  customerId,
  kind,
  paymentId = 0,
}: Omit<BillingNotice, 'paymentId'> & { paymentId?: number }): Sql<void> {
  yield* query(
    'DELETE FROM billing_notices WHERE customer_id = $1 AND kind = $2 AND payment_id = $3',
    [customerId, kind, paymentId],
  );
}

/**
 * Lets the next fall of a balance be told, if credit that was added has lifted it to the warning. Credit
 * that a failed search returns does not: a balance at the warning would be told repeatedly.
 */
export function* allowNextWarning(customerId: number): Sql<void> {
  yield* query(
    `DELETE FROM billing_notices WHERE customer_id = $1 AND kind = 'low_balance'
       AND (SELECT balance >= low_balance FROM customers WHERE id = $1)`,
    [customerId],
  );
}
