/** Automatic top-ups on PostgreSQL, with the meaning of accounts/automatic-top-ups.ts. */

import type { Database, Queries } from '../../database/postgres/postgres-database.ts';
import {
  type CardRemoval,
  type DueTopUp,
  decideTopUp,
  type OrderToAsk,
  type SavedCard,
  stateOfEnded,
  type TopUpFacts,
  type TopUpOrder,
  type TopUpOutcome,
  type WorkClaim,
} from '../sql/automatic-top-up-rows.ts';
import type { PauseReason } from '../sql/pause-reason.ts';
import type { TopUpTerms } from '../sql/top-up-agreements.ts';
import { deleteNotice } from './postgres-billing-notices.ts';
import { lockCustomer } from './postgres-customer-lock.ts';
import { withPayments } from './postgres-payments-lock.ts';
import { amountOfMonth } from './postgres-top-up-agreements.ts';

export function startTopUp(
  database: Database,
  input: TopUpTerms & { customerId: number; setUp: string; now: number },
): Promise<void> {
  const { customerId, setUp, threshold, credits, amount, currency, amountPerMonthMax, now } = input;
  return database.transaction(async (queries) => {
    await lockCustomer(queries, customerId);
    const repeated = await queries.query(
      'SELECT 1 FROM automatic_top_ups WHERE customer_id = $1 AND set_up = $2',
      [customerId, setUp],
    );
    if (repeated.length > 0) return;
    await endTopUp(queries, customerId);
    await queries.query(
      `INSERT INTO automatic_top_ups (customer_id, set_up, threshold, credits, amount, currency,
         amount_per_month_max, agreed_at) VALUES ($1, $2, $3, $4, $5, $6, $7, $8)`,
      [customerId, setUp, threshold, credits, amount, currency, amountPerMonthMax, now],
    );
  });
}

export function saveTopUpCard(
  database: Database,
  input: SavedCard & { setUp: string },
): Promise<boolean> {
  const { setUp, stripeCustomer, paymentMethod, card } = input;
  return database.transaction(async (queries) => {
    const [known] = await queries.query<{ customerId: number }>(
      'SELECT customer_id AS "customerId" FROM automatic_top_ups WHERE set_up = $1',
      [setUp],
    );
    if (known !== undefined) await lockCustomer(queries, known.customerId);
    const saved = await queries.query(
      `UPDATE automatic_top_ups SET stripe_customer = $2, payment_method = $3, card = $4, due_at = 0
       WHERE set_up = $1 AND payment_method IS NULL RETURNING 1`,
      [setUp, stripeCustomer, paymentMethod, card],
    );
    if (known !== undefined && saved.length > 0) {
      await watchBalance(queries, known.customerId);
      return true;
    }
    const used = await queries.query(
      'SELECT 1 FROM automatic_top_ups WHERE set_up = $1 AND stripe_customer = $2',
      [setUp, stripeCustomer],
    );
    if (used.length > 0) return true;
    await removeCard(queries, { stripeCustomer, paymentMethod });
    return false;
  });
}

export function changeTopUp(
  database: Database,
  input: TopUpTerms & { customerId: number; now: number },
): Promise<boolean> {
  const { customerId, threshold, credits, amount, currency, amountPerMonthMax, now } = input;
  return database.transaction(async (queries) => {
    await lockCustomer(queries, customerId);
    const changed = await queries.query(
      `UPDATE automatic_top_ups SET threshold = $2, credits = $3, amount = $4, currency = $5,
         amount_per_month_max = $6, agreed_at = $7, paused_for = NULL, due_at = 0
       WHERE customer_id = $1 AND payment_method IS NOT NULL RETURNING 1`,
      [customerId, threshold, credits, amount, currency, amountPerMonthMax, now],
    );
    if (changed.length === 0) return false;
    await deleteNotices(queries, customerId);
    await watchBalance(queries, customerId);
    return true;
  });
}

export function turnOffTopUp(
  database: Database,
  { customerId }: { customerId: number },
): Promise<void> {
  return database.transaction(async (queries) => {
    await lockCustomer(queries, customerId);
    await endTopUp(queries, customerId);
  });
}

/** In a transaction that has locked the customer. */
export async function endTopUp(queries: Queries, customerId: number): Promise<void> {
  const [ended] = await queries.query<{
    stripeCustomer: string | null;
    paymentMethod: string | null;
  }>(
    `DELETE FROM automatic_top_ups WHERE customer_id = $1
     RETURNING stripe_customer AS "stripeCustomer", payment_method AS "paymentMethod"`,
    [customerId],
  );
  await queries.query('UPDATE customers SET top_up_below = NULL WHERE id = $1', [customerId]);
  await deleteNotices(queries, customerId);
  const { stripeCustomer = null, paymentMethod = null } = ended ?? {};
  if (stripeCustomer !== null) await removeCard(queries, { stripeCustomer, paymentMethod });
}

/** In a transaction. */
export async function pauseTopUp(
  queries: Queries,
  { customerId, reason }: { customerId: number; reason: PauseReason },
): Promise<void> {
  await lockCustomer(queries, customerId);
  const paused = await queries.query(
    `UPDATE automatic_top_ups SET paused_for = $2, due_at = NULL
     WHERE customer_id = $1 AND paused_for IS NULL AND payment_method IS NOT NULL RETURNING 1`,
    [customerId, reason],
  );
  if (paused.length === 0) return;
  await queries.query('UPDATE customers SET top_up_below = NULL WHERE id = $1', [customerId]);
  await queries.query(
    `INSERT INTO billing_notices (customer_id, kind) VALUES ($1, 'top_up_paused')
     ON CONFLICT (customer_id, kind) DO UPDATE SET attempts = 0, retry_at = 0, claimed_at = NULL`,
    [customerId],
  );
}

export async function listDueTopUps(
  { query }: Queries,
  { now, limit }: { now: number; limit: number },
): Promise<DueTopUp[]> {
  return await query(
    `SELECT customer_id AS "customerId", credits, amount, currency FROM automatic_top_ups
     WHERE due_at <= $1 ORDER BY due_at LIMIT $2`,
    [now, limit],
  );
}

/** Of several nodes one places the order: the lock of payments lets them come one after the other. */
export function placeTopUpOrder(database: Database, order: TopUpOrder): Promise<TopUpOutcome> {
  const { customerId, orderId, monthStart, retryAt, expiresAt, now } = order;
  return withPayments(database, async (queries) => {
    await lockCustomer(queries, customerId);
    const [facts] = await queries.query<TopUpFacts>(
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
    await queries.query('UPDATE automatic_top_ups SET due_at = $2 WHERE customer_id = $1', [
      ...[customerId, outcome === 'idle' ? null : retryAt],
    ]);
    if (outcome === 'bound') {
      await queries.query(
        `INSERT INTO billing_notices (customer_id, kind) VALUES ($1, 'top_up_limit')
         ON CONFLICT DO NOTHING`,
        [customerId],
      );
    }
    if (outcome !== 'ordered') return outcome;
    await deleteNotice(queries, { customerId, kind: 'top_up_limit' });
    await queries.query(
      `INSERT INTO payments (order_id, customer_id, credits, amount, currency, created_at,
         expires_at, stripe_customer, payment_method, ask_at)
       SELECT $2, customer_id, credits, amount, currency, $3, $4, stripe_customer, payment_method,
         $3 FROM automatic_top_ups WHERE customer_id = $1`,
      [customerId, orderId, now, expiresAt],
    );
    return outcome;
  });
}

export async function claimTopUpOrders(
  { query }: Queries,
  { now, retryAt, limit }: WorkClaim,
): Promise<OrderToAsk[]> {
  return await query(
    `UPDATE payments SET ask_at = $1 WHERE id IN (
       SELECT id FROM payments WHERE ask_at <= $2 AND stripe_customer NOT IN
         (SELECT stripe_customer FROM card_removals)
       ORDER BY ask_at LIMIT $3 FOR UPDATE SKIP LOCKED)
     RETURNING id AS "paymentId", order_id AS "orderId", credits, amount, currency,
       expires_at AS "expiresAt", stripe_customer AS "stripeCustomer",
       payment_method AS "paymentMethod"`,
    [retryAt, now, limit],
  );
}

export async function nameTopUpPayment(
  { query }: Queries,
  { orderId, paymentIntent }: { orderId: string; paymentIntent: string },
): Promise<void> {
  await query(
    `UPDATE payments SET session = $2, payment_intent = $2, ask_at = NULL
     WHERE order_id = $1 AND (session IS NULL OR session = $2)`,
    [orderId, paymentIntent],
  );
}

export function endTopUpOrder(
  database: Database,
  { orderId, reason }: { orderId: string; reason: PauseReason },
): Promise<void> {
  return withPayments(database, async (queries) => {
    const [ended] = await queries.query<{ customerId: number }>(
      `UPDATE payments SET state = $2, ask_at = NULL
       WHERE order_id = $1 AND state IN ('ordered', 'unpaid')
       RETURNING customer_id AS "customerId"`,
      [orderId, stateOfEnded(reason)],
    );
    if (ended !== undefined) await pauseTopUp(queries, { customerId: ended.customerId, reason });
  });
}

export async function claimCardRemovals(
  { query }: Queries,
  { now, retryAt, limit }: WorkClaim,
): Promise<CardRemoval[]> {
  return await query(
    `UPDATE card_removals SET retry_at = $1 WHERE stripe_customer IN (
       SELECT stripe_customer FROM card_removals WHERE retry_at <= $2 LIMIT $3
       FOR UPDATE SKIP LOCKED)
     RETURNING stripe_customer AS "stripeCustomer", payment_method AS "paymentMethod"`,
    [retryAt, now, limit],
  );
}

export async function endCardRemoval(
  { query }: Queries,
  { stripeCustomer }: Pick<CardRemoval, 'stripeCustomer'>,
): Promise<void> {
  await query('DELETE FROM card_removals WHERE stripe_customer = $1', [stripeCustomer]);
}

async function removeCard(
  { query }: Queries,
  { stripeCustomer, paymentMethod }: CardRemoval,
): Promise<void> {
  await query('INSERT INTO card_removals VALUES ($1, $2, 0) ON CONFLICT DO NOTHING', [
    ...[stripeCustomer, paymentMethod],
  ]);
}

async function deleteNotices(queries: Queries, customerId: number): Promise<void> {
  await deleteNotice(queries, { customerId, kind: 'top_up_paused' });
  await deleteNotice(queries, { customerId, kind: 'top_up_limit' });
}

async function watchBalance({ query }: Queries, customerId: number): Promise<void> {
  await query(
    `UPDATE customers SET top_up_below =
       (SELECT threshold FROM automatic_top_ups WHERE customer_id = customers.id) WHERE id = $1`,
    [customerId],
  );
}
