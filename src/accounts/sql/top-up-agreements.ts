/** What customers have agreed to about automatic top-up, and how much of a month is used. */
import { queryFirst, type Sql } from '../../database/sql/sql.ts';
import type { PauseReason } from './pause-reason.ts';

/** What a customer agrees to. */
export interface TopUpTerms {
  /** Below so many credits an order is placed. */
  threshold: number;
  /** Of the pack. */
  credits: number;
  /** Of the pack, in the smallest unit of the currency. */
  amount: number;
  currency: string;
  /** Of all automatic orders in a calendar month (UTC). */
  amountPerMonthMax: number;
}

export interface AutomaticTopUp extends TopUpTerms {
  customerId: number;
  /** Created with the form. Stripe's Checkout session for the card names it. */
  setUp: string;
  /** Such as `visa 4242`; null until Stripe has saved a card. */
  card: string | null;
  /** null: not paused. */
  pausedFor: PauseReason | null;
  /** The sum of the automatic orders of this month that were not declined. */
  amountOfMonth: number;
}

/** What says whether a month is full. */
export type MonthFacts = Pick<AutomaticTopUp, 'amount' | 'amountPerMonthMax' | 'amountOfMonth'>;

/** Returns whether another order would exceed what a customer allows in a month. Pure. */
export function isMonthFull({ amountOfMonth, amount, amountPerMonthMax }: MonthFacts): boolean {
  return amountOfMonth + amount > amountPerMonthMax;
}

/** The sum of a customer's automatic orders since $2 that were not declined. */
export const amountOfMonth = (customer: string): string =>
  `(SELECT CAST(coalesce(sum(p.amount), 0) AS bigint) FROM payments p WHERE p.customer_id = ${customer}
    AND p.created_at >= $2 AND p.payment_method IS NOT NULL AND p.state <> 'failed')`;

/**
 * Finds what a customer has agreed to, with what orders since the start of a month come to; undefined if
 * automatic top-up is off.
 */
export function* findAutomaticTopUp({
  customerId,
  monthStart,
}: {
  customerId: number;
  monthStart: number;
}): Sql<AutomaticTopUp | undefined> {
  return yield* queryFirst<AutomaticTopUp>(
    `SELECT customer_id AS "customerId", set_up AS "setUp", threshold, credits, amount, currency,
       amount_per_month_max AS "amountPerMonthMax", card, paused_for AS "pausedFor",
       ${amountOfMonth('automatic_top_ups.customer_id')} AS "amountOfMonth"
     FROM automatic_top_ups WHERE customer_id = $1`,
    [customerId, monthStart],
  );
}
