/**
 * Automatic top-ups: what a customer has agreed to, and the orders that follow from it. A customer is
 * *due* from the fall below the threshold until an order sees the balance above it again. An order is
 * placed in a transaction that checks everything, so of many servers one places it.
 */
import type { Connection } from '../../database/sqlite/connection.ts';
import { deleteNotice } from './billing-notice-rows.ts';
import type { PauseReason } from './pause-reason.ts';
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

/** A step: stores what a customer agrees to, before Stripe saves a card. Replaces an earlier one. */
export function startTopUp(
  db: Connection,
  input: TopUpTerms & { customerId: number; setUp: string; now: number },
): void {
  const { customerId, setUp, threshold, credits, amount, currency, amountPerMonthMax, now } = input;
  const isRepeated = db.prepare(
    'SELECT 1 FROM automatic_top_ups WHERE customer_id = ? AND set_up = ?',
  );
  if (isRepeated.get(customerId, setUp) !== undefined) return;
  turnOffTopUp(db, { customerId });
  db.prepare(
    `INSERT INTO automatic_top_ups (customer_id, set_up, threshold, credits, amount, currency,
       amount_per_month_max, agreed_at) VALUES (?, ?, ?, ?, ?, ?, ?, ?)`,
  ).run(customerId, setUp, threshold, credits, amount, currency, amountPerMonthMax, now);
}

/**
 * A step: stores the card, and turns automatic top-up on. A card for something that the customer has
 * turned off or started anew in the meantime is removed. Returns whether it is in use.
 */
export function saveTopUpCard(db: Connection, input: SavedCard & { setUp: string }): boolean {
  const { setUp, stripeCustomer, paymentMethod, card } = input;
  const used = db.prepare(
    'SELECT 1 FROM automatic_top_ups WHERE set_up = ? AND stripe_customer = ?',
  );
  const saved = db
    .prepare(
      `UPDATE automatic_top_ups SET stripe_customer = ?, payment_method = ?, card = ?, due_at = 0
       WHERE set_up = ? AND payment_method IS NULL RETURNING customer_id AS customerId`,
    )
    .get(stripeCustomer, paymentMethod, card, setUp) as { customerId: number } | undefined;
  if (saved !== undefined) {
    watchBalance(db, saved.customerId);
    return true;
  }
  if (used.get(setUp, stripeCustomer) !== undefined) return true;
  removeCard(db, { stripeCustomer, paymentMethod });
  return false;
}

/** A step: changes what a customer with a saved card agrees to, and ends a pause. Whether there is one. */
export function changeTopUp(
  db: Connection,
  input: TopUpTerms & { customerId: number; now: number },
): boolean {
  const { customerId, threshold, credits, amount, currency, amountPerMonthMax, now } = input;
  const changed = db
    .prepare(
      `UPDATE automatic_top_ups SET threshold = ?, credits = ?, amount = ?, currency = ?,
         amount_per_month_max = ?, agreed_at = ?, paused_for = NULL, due_at = 0
       WHERE customer_id = ? AND payment_method IS NOT NULL`,
    )
    .run(threshold, credits, amount, currency, amountPerMonthMax, now, customerId);
  if (changed.changes === 0) return false;
  deleteNotices(db, customerId);
  watchBalance(db, customerId);
  return true;
}

/** A step: turns automatic top-up off, and lets the card be removed at Stripe. May be repeated. */
export function turnOffTopUp(db: Connection, { customerId }: { customerId: number }): void {
  const ended = db
    .prepare(
      `DELETE FROM automatic_top_ups WHERE customer_id = ?
       RETURNING stripe_customer AS stripeCustomer, payment_method AS paymentMethod`,
    )
    .get(customerId) as { stripeCustomer: string | null; paymentMethod: string | null } | undefined;
  db.prepare('UPDATE customers SET top_up_below = NULL WHERE id = ?').run(customerId);
  deleteNotices(db, customerId);
  const { stripeCustomer = null, paymentMethod = null } = ended ?? {};
  if (stripeCustomer !== null) removeCard(db, { stripeCustomer, paymentMethod });
}

/** A step: stops orders until the customer agrees again, and tells them. */
export function pauseTopUp(
  db: Connection,
  { customerId, reason }: { customerId: number; reason: PauseReason },
): void {
  const paused = db
    .prepare(
      `UPDATE automatic_top_ups SET paused_for = ?, due_at = NULL
       WHERE customer_id = ? AND paused_for IS NULL AND payment_method IS NOT NULL`,
    )
    .run(reason, customerId);
  if (paused.changes === 0) return;
  db.prepare('UPDATE customers SET top_up_below = NULL WHERE id = ?').run(customerId);
  db.prepare(
    `INSERT OR REPLACE INTO billing_notices (customer_id, kind) VALUES (?, 'top_up_paused')`,
  ).run(customerId);
}

/** Lists customers who are due, the longest first. */
export function listDueTopUps(
  db: Connection,
  { now, limit }: { now: number; limit: number },
): DueTopUp[] {
  return db
    .prepare(
      `SELECT customer_id AS customerId, credits, amount, currency FROM automatic_top_ups
       WHERE due_at <= ? ORDER BY due_at LIMIT ?`,
    )
    .all(now, limit) as DueTopUp[];
}

/** What decides about an order. */
export interface TopUpFacts extends MonthFacts {
  /** Whether the balance is below the threshold of somebody whose account is not disabled. */
  isBelow: boolean | number;
  openOrders: number;
}

/** Decides about an order. Pure. */
export function decideTopUp(facts: TopUpFacts | undefined): TopUpOutcome {
  if (facts === undefined || !facts.isBelow) return 'idle';
  if (facts.openOrders > 0) return 'busy';
  return isMonthFull(facts) ? 'bound' : 'ordered';
}

/** A step: places an order if the customer is due, no other is open, and the month allows it. */
export function placeTopUpOrder(db: Connection, order: TopUpOrder): TopUpOutcome {
  const { customerId, orderId, monthStart, retryAt, expiresAt, now } = order;
  const facts = db
    .prepare(
      `SELECT t.amount, t.amount_per_month_max AS amountPerMonthMax,
         c.balance < t.threshold AND c.disabled_at IS NULL AS isBelow,
         (SELECT count(*) FROM payments p WHERE p.customer_id = c.id
            AND p.payment_method IS NOT NULL AND p.state IN ('ordered', 'unpaid')) AS openOrders,
         ${amountOfMonth('c.id')} AS amountOfMonth
       FROM automatic_top_ups t JOIN customers c ON c.id = t.customer_id
       WHERE t.customer_id = :customerId AND t.paused_for IS NULL AND t.payment_method IS NOT NULL`,
    )
    .get({ customerId, monthStart }) as TopUpFacts | undefined;
  const outcome = decideTopUp(facts);
  db.prepare('UPDATE automatic_top_ups SET due_at = ? WHERE customer_id = ?').run(
    outcome === 'idle' ? null : retryAt,
    customerId,
  );
  if (outcome === 'bound') {
    const statement = `INSERT OR IGNORE INTO billing_notices (customer_id, kind) VALUES (?, 'top_up_limit')`;
    db.prepare(statement).run(customerId);
  }
  if (outcome !== 'ordered') return outcome;
  // Another month, or another limit: the next time that it is reached is told again.
  deleteNotice(db, { customerId, kind: 'top_up_limit' });
  db.prepare(
    `INSERT INTO payments (order_id, customer_id, credits, amount, currency, created_at, expires_at,
       stripe_customer, payment_method, ask_at)
     SELECT ?, customer_id, credits, amount, currency, ?, ?, stripe_customer, payment_method, ?
     FROM automatic_top_ups WHERE customer_id = ?`,
  ).run(orderId, now, expiresAt, now, customerId);
  return outcome;
}

/**
 * A step: claims orders for which Stripe has to be asked, until `retryAt`. Those whose card is being
 * removed wait for that: the customer has turned automatic top-up off.
 */
export function claimTopUpOrders(db: Connection, { now, retryAt, limit }: WorkClaim): OrderToAsk[] {
  return db
    .prepare(
      `UPDATE payments SET ask_at = ? WHERE id IN (
         SELECT id FROM payments WHERE ask_at <= ? AND stripe_customer NOT IN
           (SELECT stripe_customer FROM card_removals) ORDER BY ask_at LIMIT ?)
       RETURNING id AS paymentId, order_id AS orderId, credits, amount, currency,
         expires_at AS expiresAt, stripe_customer AS stripeCustomer,
         payment_method AS paymentMethod`,
    )
    .all(retryAt, now, limit) as OrderToAsk[];
}

/** A step: stores which payment Stripe has made of an order. Its events say what becomes of it. */
export function nameTopUpPayment(
  db: Connection,
  { orderId, paymentIntent }: { orderId: string; paymentIntent: string },
): void {
  db.prepare(
    `UPDATE payments SET session = ?, payment_intent = ?, ask_at = NULL
     WHERE order_id = ? AND (session IS NULL OR session = ?)`,
  ).run(paymentIntent, paymentIntent, orderId, paymentIntent);
}

/** A step: ends an order that Stripe does not pay, and pauses. An event may have said so before. */
export function endTopUpOrder(
  db: Connection,
  { orderId, reason }: { orderId: string; reason: PauseReason },
): void {
  const ended = db
    .prepare(
      `UPDATE payments SET state = ?, ask_at = NULL
       WHERE order_id = ? AND state IN ('ordered', 'unpaid') RETURNING customer_id AS customerId`,
    )
    .get(stateOfEnded(reason), orderId) as { customerId: number } | undefined;
  if (ended !== undefined) pauseTopUp(db, { customerId: ended.customerId, reason });
}

/** An order without an answer may have been paid: an event can still say so, and its month counts it. */
export function stateOfEnded(reason: PauseReason): 'expired' | 'failed' {
  return reason === 'no_answer' ? 'expired' : 'failed';
}

/** A step: claims cards that have to be removed at Stripe, until `retryAt`. */
export function claimCardRemovals(
  db: Connection,
  { now, retryAt, limit }: WorkClaim,
): CardRemoval[] {
  return db
    .prepare(
      `UPDATE card_removals SET retry_at = ? WHERE stripe_customer IN (
         SELECT stripe_customer FROM card_removals WHERE retry_at <= ? LIMIT ?)
       RETURNING stripe_customer AS stripeCustomer, payment_method AS paymentMethod`,
    )
    .all(retryAt, now, limit) as CardRemoval[];
}

/** A step: a card is gone at Stripe. */
export function endCardRemoval(
  db: Connection,
  { stripeCustomer }: Pick<CardRemoval, 'stripeCustomer'>,
): void {
  db.prepare('DELETE FROM card_removals WHERE stripe_customer = ?').run(stripeCustomer);
}

function removeCard(db: Connection, { stripeCustomer, paymentMethod }: CardRemoval): void {
  db.prepare('INSERT OR IGNORE INTO card_removals VALUES (?, ?, 0)').run(
    stripeCustomer,
    paymentMethod,
  );
}

function deleteNotices(db: Connection, customerId: number): void {
  deleteNotice(db, { customerId, kind: 'top_up_paused' });
  deleteNotice(db, { customerId, kind: 'top_up_limit' });
}

/** Lets the trigger notice the next fall below the threshold. */
function watchBalance(db: Connection, customerId: number): void {
  db.prepare(
    `UPDATE customers SET top_up_below =
       (SELECT threshold FROM automatic_top_ups WHERE customer_id = customers.id) WHERE id = ?`,
  ).run(customerId);
}
