/**
 * Automatic top-ups: what a customer has agreed to, and the orders that follow from it. A customer is
 * *due* from the fall below the threshold until an order sees the balance above it again. An order is
 * placed in a transaction that checks everything, so of many servers one places it. Any number of servers
 * may do all of this at the same time.
 */
import { lockCustomer, query, queryFirst, type Sql } from '../../database/sql/sql.ts';
import { deleteNotice } from './billing-notice-rows.ts';
import type { PauseReason } from './pause-reason.ts';
import { lockPayments } from './payments.ts';
import {
  amountOfMonth,
  isMonthFull,
  type MonthFacts,
  type TopUpTerms,
} from './top-up-agreements.ts';

/** A card that Stripe has saved for a customer. */
export interface SavedCard {
  stripeCustomer: string;
  paymentMethod: string;
  card: string;
}

export interface DueTopUp extends Pick<TopUpTerms, 'credits' | 'amount' | 'currency'> {
  customerId: number;
}

export interface TopUpOrder {
  customerId: number;
  /** A new UUID, which is the idempotency key at Stripe. */
  orderId: string;
  /** When the month began whose orders count together. */
  monthStart: number;
  /** When to look again, whatever becomes of this. */
  retryAt: number;
  /** Until when Stripe may be asked. */
  expiresAt: number;
  now: number;
}

/** `idle`: nothing to do. `busy`: an earlier order is open. `bound`: the month allows no more. */
export type TopUpOutcome = 'ordered' | 'idle' | 'busy' | 'bound';

/** An order for which Stripe has to be asked. */
export interface OrderToAsk extends Pick<SavedCard, 'stripeCustomer' | 'paymentMethod'> {
  paymentId: number;
  orderId: string;
  credits: number;
  amount: number;
  currency: string;
  expiresAt: number;
}

export interface CardRemoval {
  stripeCustomer: string;
  paymentMethod: string | null;
}

/** The work that is claimed at once, and until when nobody else gets it. */
export interface WorkClaim {
  now: number;
  retryAt: number;
  limit: number;
}

/**
 * Stores what a customer agrees to, before Stripe saves a card. May be repeated with the same set-up;
 * another one replaces it, and its card is removed.
 */
export function* startTopUp(
  input: TopUpTerms & { customerId: number; setUp: string; now: number },
): Sql<void> {
  const { customerId, setUp, threshold, credits, amount, currency, amountPerMonthMax, now } = input;
  yield* lockCustomer(customerId);
  const repeated = yield* query(
    'SELECT 1 FROM automatic_top_ups WHERE customer_id = $1 AND set_up = $2',
    [customerId, setUp],
  );
  if (repeated.length > 0) return;
  yield* turnOffTopUp({ customerId });
  yield* query(
    `INSERT INTO automatic_top_ups (customer_id, set_up, threshold, credits, amount, currency,
       amount_per_month_max, agreed_at) VALUES ($1, $2, $3, $4, $5, $6, $7, $8)`,
    [customerId, setUp, threshold, credits, amount, currency, amountPerMonthMax, now],
  );
}

/**
 * Stores the card, and turns automatic top-up on. May be repeated. A card for something that the customer
 * has turned off or started anew in the meantime is removed. Returns whether it is in use.
 */
export function* saveTopUpCard(input: SavedCard & { setUp: string }): Sql<boolean> {
  const { setUp, stripeCustomer, paymentMethod, card } = input;
  const known = yield* queryFirst<{ customerId: number }>(
    'SELECT customer_id AS "customerId" FROM automatic_top_ups WHERE set_up = $1',
    [setUp],
  );
  if (known !== undefined) yield* lockCustomer(known.customerId);
  const saved = yield* query(
    `UPDATE automatic_top_ups SET stripe_customer = $2, payment_method = $3, card = $4, due_at = 0
     WHERE set_up = $1 AND payment_method IS NULL RETURNING 1`,
    [setUp, stripeCustomer, paymentMethod, card],
  );
  if (known !== undefined && saved.length > 0) {
    yield* watchBalance(known.customerId);
    return true;
  }
  const used = yield* query(
    'SELECT 1 FROM automatic_top_ups WHERE set_up = $1 AND stripe_customer = $2',
    [setUp, stripeCustomer],
  );
  if (used.length > 0) return true;
  yield* removeCard({ stripeCustomer, paymentMethod });
  return false;
}

/**
 * Changes what a customer with a saved card agrees to, and ends a pause. Returns whether there is a card.
 * May be repeated.
 */
export function* changeTopUp(
  input: TopUpTerms & { customerId: number; now: number },
): Sql<boolean> {
  const { customerId, threshold, credits, amount, currency, amountPerMonthMax, now } = input;
  yield* lockCustomer(customerId);
  const changed = yield* query(
    `UPDATE automatic_top_ups SET threshold = $2, credits = $3, amount = $4, currency = $5,
       amount_per_month_max = $6, agreed_at = $7, paused_for = NULL, due_at = 0
     WHERE customer_id = $1 AND payment_method IS NOT NULL RETURNING 1`,
    [customerId, threshold, credits, amount, currency, amountPerMonthMax, now],
  );
  if (changed.length === 0) return false;
  yield* deleteNotices(customerId);
  yield* watchBalance(customerId);
  return true;
}

/** Turns automatic top-up off, and lets the card be removed at Stripe. May be repeated. */
export function* turnOffTopUp({ customerId }: { customerId: number }): Sql<void> {
  yield* lockCustomer(customerId);
  const ended = yield* queryFirst<{ stripeCustomer: string | null; paymentMethod: string | null }>(
    `DELETE FROM automatic_top_ups WHERE customer_id = $1
     RETURNING stripe_customer AS "stripeCustomer", payment_method AS "paymentMethod"`,
    [customerId],
  );
  yield* query('UPDATE customers SET top_up_below = NULL WHERE id = $1', [customerId]);
  yield* deleteNotices(customerId);
  const { stripeCustomer = null, paymentMethod = null } = ended ?? {};
  if (stripeCustomer !== null) yield* removeCard({ stripeCustomer, paymentMethod });
}

/** Stops orders until the customer agrees again, and queues a mail about it. May be repeated. */
export function* pauseTopUp({
  customerId,
  reason,
}: {
  customerId: number;
  reason: PauseReason;
}): Sql<void> {
  yield* lockCustomer(customerId);
  const paused = yield* query(
    `UPDATE automatic_top_ups SET paused_for = $2, due_at = NULL
     WHERE customer_id = $1 AND paused_for IS NULL AND payment_method IS NOT NULL RETURNING 1`,
    [customerId, reason],
  );
  if (paused.length === 0) return;
  yield* query('UPDATE customers SET top_up_below = NULL WHERE id = $1', [customerId]);
  yield* query(
    `INSERT INTO billing_notices (customer_id, kind) VALUES ($1, 'top_up_paused')
     ON CONFLICT (customer_id, kind, payment_id) DO UPDATE SET attempts = 0, retry_at = 0, claimed_at = NULL`,
    [customerId],
  );
}

/** Lists customers whose balance may be below their threshold, the longest first. */
export function* listDueTopUps({ now, limit }: { now: number; limit: number }): Sql<DueTopUp[]> {
  return yield* query<DueTopUp>(
    `SELECT customer_id AS "customerId", credits, amount, currency FROM automatic_top_ups
     WHERE due_at <= $1 ORDER BY due_at LIMIT $2`,
    [now, limit],
  );
}

/** What decides about an order. */
interface TopUpFacts extends MonthFacts {
  /** Whether the balance is below the threshold of somebody whose account is not disabled. */
  isBelow: boolean;
  openOrders: number;
}

/** Decides about an order. Pure. */
function decideTopUp(facts: TopUpFacts | undefined): TopUpOutcome {
  if (facts === undefined || !facts.isBelow) return 'idle';
  if (facts.openOrders > 0) return 'busy';
  return isMonthFull(facts) ? 'bound' : 'ordered';
}

/**
 * Places an order if the balance is below the threshold, no other is open, and the month allows it. If the
 * month does not, it queues a mail about it, once until an order is placed again. Not repeatable: each order
 * has an id of its own.
 */
export function* placeTopUpOrder(order: TopUpOrder): Sql<TopUpOutcome> {
  const { customerId, orderId, monthStart, retryAt, expiresAt, now } = order;
  yield* lockCustomer(customerId);
  const facts = yield* queryFirst<TopUpFacts>(
    `SELECT t.amount, t.amount_per_month_max AS "amountPerMonthMax",
       c.balance < t.threshold AND c.disabled_at IS NULL AS "isBelow",
       (SELECT count(*) FROM payments p WHERE p.customer_id = c.id
          AND p.payment_method IS NOT NULL AND p.state IN ('ordered', 'unpaid')) AS "openOrders",
       ${amountOfMonth('c.id')} AS "amountOfMonth"
     FROM automatic_top_ups t JOIN customers c ON c.id = t.customer_id
     WHERE t.customer_id = $1 AND t.paused_for IS NULL AND t.payment_method IS NOT NULL`,
    [customerId, monthStart],
  );
  const outcome = decideTopUp(facts);
  yield* query('UPDATE automatic_top_ups SET due_at = $2 WHERE customer_id = $1', [
    ...[customerId, outcome === 'idle' ? null : retryAt],
  ]);
  if (outcome === 'bound') {
    yield* query(
      `INSERT INTO billing_notices (customer_id, kind) VALUES ($1, 'top_up_limit')
       ON CONFLICT DO NOTHING`,
      [customerId],
    );
  }
  if (outcome !== 'ordered') return outcome;
  // Another month, or another limit: the next time that it is reached is told again.
  yield* deleteNotice({ customerId, kind: 'top_up_limit' });
  yield* query(
    `INSERT INTO payments (order_id, customer_id, credits, amount, currency, created_at, expires_at,
       stripe_customer, payment_method, ask_at)
     SELECT $2, customer_id, credits, amount, currency, $3, $4, stripe_customer, payment_method, $3
     FROM automatic_top_ups WHERE customer_id = $1`,
    [customerId, orderId, now, expiresAt],
  );
  return outcome;
}

/**
 * Claims orders for which Stripe has to be asked: until `retryAt` nobody else gets them. Those whose card
 * is being removed wait for that: the customer has turned automatic top-up off.
 */
export function* claimTopUpOrders({ now, retryAt, limit }: WorkClaim): Sql<OrderToAsk[]> {
  // Of two servers at once, one sees in `ask_at` what the other has claimed.
  return yield* query<OrderToAsk>(
    `UPDATE payments SET ask_at = $1 WHERE ask_at <= $2 AND id IN (
       SELECT id FROM payments WHERE ask_at <= $2 AND stripe_customer NOT IN
         (SELECT stripe_customer FROM card_removals) ORDER BY ask_at LIMIT $3)
     RETURNING id AS "paymentId", order_id AS "orderId", credits, amount, currency,
       expires_at AS "expiresAt", stripe_customer AS "stripeCustomer",
       payment_method AS "paymentMethod"`,
    [retryAt, now, limit],
  );
}

/**
 * Stores which payment Stripe has made of an order. Its events say what becomes of it. May be repeated.
 */
export function* nameTopUpPayment({
  orderId,
  paymentIntent,
}: {
  orderId: string;
  paymentIntent: string;
}): Sql<void> {
  yield* query(
    `UPDATE payments SET session = $2, payment_intent = $2, ask_at = NULL
     WHERE order_id = $1 AND (session IS NULL OR session = $2)`,
    [orderId, paymentIntent],
  );
}

/** Ends an order that Stripe does not pay, and pauses. Changes nothing once an event has ended it. */
export function* endTopUpOrder({
  orderId,
  reason,
}: {
  orderId: string;
  reason: PauseReason;
}): Sql<void> {
  yield* lockPayments();
  const ended = yield* queryFirst<{ customerId: number }>(
    `UPDATE payments SET state = $2, ask_at = NULL
     WHERE order_id = $1 AND state IN ('ordered', 'unpaid') RETURNING customer_id AS "customerId"`,
    [orderId, stateOfEnded(reason)],
  );
  if (ended !== undefined) yield* pauseTopUp({ customerId: ended.customerId, reason });
}

/** An order without an answer may have been paid: an event can still say so, and its month counts it. */
function stateOfEnded(reason: PauseReason): 'expired' | 'failed' {
  return reason === 'no_answer' ? 'expired' : 'failed';
}

/** Claims cards that have to be removed at Stripe: until `retryAt` nobody else gets them. */
export function* claimCardRemovals({ now, retryAt, limit }: WorkClaim): Sql<CardRemoval[]> {
  // As for orders.
  return yield* query<CardRemoval>(
    `UPDATE card_removals SET retry_at = $1 WHERE retry_at <= $2 AND stripe_customer IN (
       SELECT stripe_customer FROM card_removals WHERE retry_at <= $2 LIMIT $3)
     RETURNING stripe_customer AS "stripeCustomer", payment_method AS "paymentMethod"`,
    [retryAt, now, limit],
  );
}

/** Stores that a card is gone at Stripe. May be repeated. */
export function* endCardRemoval({
  stripeCustomer,
}: Pick<CardRemoval, 'stripeCustomer'>): Sql<void> {
  yield* query('DELETE FROM card_removals WHERE stripe_customer = $1', [stripeCustomer]);
}

function* removeCard({ stripeCustomer, paymentMethod }: CardRemoval): Sql<void> {
  yield* query(
    `INSERT INTO card_removals (stripe_customer, payment_method, retry_at) VALUES ($1, $2, 0)
     ON CONFLICT DO NOTHING`,
    [stripeCustomer, paymentMethod],
  );
}

function* deleteNotices(customerId: number): Sql<void> {
  yield* deleteNotice({ customerId, kind: 'top_up_paused' });
  yield* deleteNotice({ customerId, kind: 'top_up_limit' });
}

/** Lets the trigger notice the next fall below the threshold. */
function* watchBalance(customerId: number): Sql<void> {
  yield* query(
    `UPDATE customers SET top_up_below =
       (SELECT threshold FROM automatic_top_ups WHERE customer_id = customers.id) WHERE id = $1`,
    [customerId],
  );
}
