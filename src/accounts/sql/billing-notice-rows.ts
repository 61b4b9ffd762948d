/**
 * Mail that a customer gets about billing. The change that gives the reason stores it: a trigger does
 * so when a balance falls below the customer's warning.
 */

import type { Connection } from '../../database/sqlite/connection.ts';
import { monthStart } from './calendar-month.ts';
import { type AutomaticTopUp, findAutomaticTopUp, isMonthFull } from './top-up-agreements.ts';

export type NoticeKind = 'low_balance' | 'top_up_paused' | 'top_up_limit';

export interface BillingNotice {
  customerId: number;
  kind: NoticeKind;
}

export interface ClaimedNotice extends BillingNotice {
  balance: number;
  lowBalance: number | null;
  /** Undefined if automatic top-up is off. */
  topUp: AutomaticTopUp | undefined;
  /** The addresses of those who pay. */
  recipients: string[];
}

/** Lists notices that wait, the oldest first. */
export function listDueNotices(
  db: Connection,
  { now, limit }: { now: number; limit: number },
): BillingNotice[] {
  return db
    .prepare(
      `SELECT customer_id AS customerId, kind FROM billing_notices
       WHERE claimed_at IS NULL AND retry_at <= ? ORDER BY retry_at LIMIT ?`,
    )
    .all(now, limit) as BillingNotice[];
}

interface Facts extends Pick<ClaimedNotice, 'balance' | 'lowBalance'> {
  disabledAt: number | null;
}

/** A step: claims a notice; undefined if it does not wait, or if its reason is gone. */
export function claimNotice(
  db: Connection,
  { customerId, kind, now }: BillingNotice & { now: number },
): ClaimedNotice | undefined {
  const claimed = db
    .prepare(
      `UPDATE billing_notices SET claimed_at = ?, attempts = attempts + 1
       WHERE customer_id = ? AND kind = ? AND claimed_at IS NULL`,
    )
    .run(now, customerId, kind);
  if (claimed.changes === 0) return undefined;
  const { disabledAt, ...balances } = db
    .prepare(
      `SELECT balance, low_balance AS lowBalance, disabled_at AS disabledAt
       FROM customers WHERE id = ?`,
    )
    .get(customerId) as Facts;
  const topUp = findAutomaticTopUp(db, { customerId, monthStart: monthStart(now) });
  const reason = { ...balances, topUp };
  if (disabledAt !== null || !holds(kind, reason)) {
    deleteNotice(db, { customerId, kind });
    return undefined;
  }
  const recipients = db
    .prepare(
      `SELECT email FROM members WHERE customer_id = ? AND role IN ('owner', 'billing')
         AND password_hash IS NOT NULL ORDER BY id`,
    )
    .pluck()
    .all(customerId) as string[];
  return { customerId, kind, ...reason, recipients };
}

/** Returns whether the reason of a notice still holds. A released hold may have ended it. Pure. */
export function holds(
  kind: NoticeKind,
  { balance, lowBalance, topUp }: Pick<ClaimedNotice, 'balance' | 'lowBalance' | 'topUp'>,
): boolean {
  switch (kind) {
    case 'low_balance':
      return lowBalance !== null && balance < lowBalance;
    case 'top_up_paused':
      return topUp !== undefined && topUp.pausedFor !== null;
    case 'top_up_limit':
      return topUp?.pausedFor === null && balance < topUp.threshold && isMonthFull(topUp);
  }
}

/** A step: lets a claimed notice wait again, unless it was tried often enough. */
export function returnNotice(
  db: Connection,
  {
    customerId,
    kind,
    retryAt,
    attemptsMax,
  }: BillingNotice & { retryAt: number; attemptsMax: number },
): void {
  db.prepare(
    `UPDATE billing_notices SET claimed_at = NULL, retry_at = ?
     WHERE customer_id = ? AND kind = ? AND attempts < ?`,
  ).run(retryAt, customerId, kind, attemptsMax);
}

/** A step: deletes a notice. Its reason is gone, so the next one is told again. */
export function deleteNotice(db: Connection, { customerId, kind }: BillingNotice): void {
  db.prepare('DELETE FROM billing_notices WHERE customer_id = ? AND kind = ?').run(
    customerId,
    kind,
  );
}

/**
 * A step: lets the next fall of a balance be told, if credit that was added has lifted it to the warning.
 * Credit that a failed search returns does not: a balance at the warning would be told repeatedly.
 */
export function allowNextWarning(db: Connection, customerId: number): void {
  db.prepare(
    `DELETE FROM billing_notices WHERE customer_id = :customerId AND kind = 'low_balance'
       AND (SELECT balance >= low_balance FROM customers WHERE id = :customerId)`,
  ).run({ customerId });
}
