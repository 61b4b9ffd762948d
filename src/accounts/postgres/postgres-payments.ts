/** Orders and payment events on PostgreSQL. payment-decisions.ts says what an event means. */

import type { Database, Queries } from '../../database/postgres/postgres-database.ts';
import {
  type CreditPlan,
  type DisputeEvent,
  decideRefundSum,
  decideReversal,
  decideSession,
  type EventResult,
  type Finding,
  type PaymentEvent,
  pauseAfterSession,
  planCredits,
  problemsOf,
  type RefundEvent,
  type RefundSumEvent,
  resultOf,
  type SessionEvent,
  takesBack,
} from '../sql/payment-decisions.ts';
import type {
  ListedPayment,
  OpenedCheckout,
  Order,
  OwnPayment,
  Payment,
  PaymentPage,
  PaymentPageRequest,
  PlacedOrder,
  StoredReversals,
  StrayEvent,
} from '../sql/payments.ts';
import { pauseTopUp } from './postgres-automatic-top-ups.ts';
import { findByReference } from './postgres-credit.ts';
import { addPaymentEntry } from './postgres-customers.ts';
import { withPayments } from './postgres-payments-lock.ts';

const HOUR_MS = 3_600_000;

const columns = `payments.id, order_id AS "orderId", customer_id AS "customerId", credits, amount,
  currency, session, url, expires_at AS "expiresAt", payment_intent AS "paymentIntent", state,
  credits_given AS "creditsGiven", payments.created_at AS "createdAt",
  payment_method AS "paymentMethod"`;

/** Columns of `StoredReversals`. */
export const reversalColumns = `
  coalesce((SELECT r.amount FROM payment_refunds r WHERE r.payment_intent = payments.payment_intent
            AND r.currency = payments.currency), 0) AS "refundsReported",
  coalesce((SELECT sum(r.amount) FROM refunds r WHERE r.payment_intent = payments.payment_intent
            AND r.currency = payments.currency AND NOT r.failed), 0)::bigint AS "refundsListed",
  coalesce((SELECT sum(r.amount) FROM refunds r WHERE r.payment_intent = payments.payment_intent
            AND r.currency = payments.currency AND r.failed), 0)::bigint AS "refundsFailed",
  coalesce((SELECT sum(CASE WHEN d.currency = payments.currency THEN d.amount ELSE payments.amount END)
            FROM payment_disputes d WHERE d.payment_intent = payments.payment_intent
            AND d.takes_back), 0)::bigint AS disputed`;

/** Stores a new order, or returns the stored one if the order is repeated. */
export function placeOrder(database: Database, order: Order): Promise<PlacedOrder> {
  const { orderId, customerId, credits, amount, currency, perHourMax, now } = order;
  return withPayments(database, async (queries) => {
    const known = await findPayment(queries, 'order_id', orderId);
    if (known !== undefined) {
      const isSame =
        known.customerId === customerId &&
        known.credits === credits &&
        known.amount === amount &&
        known.currency === currency;
      return isSame ? { payment: known } : { rejection: 'another_order' };
    }
    const begun = await queries.query(
      'SELECT 1 FROM payments WHERE customer_id = $1 AND created_at > $2',
      [customerId, now - HOUR_MS],
    );
    if (begun.length >= perHourMax) return { rejection: 'too_many' };
    const [payment] = await queries.query<Payment>(
      `INSERT INTO payments (order_id, customer_id, credits, amount, currency, created_at)
       VALUES ($1, $2, $3, $4, $5, $6) RETURNING ${columns}`,
      [orderId, customerId, credits, amount, currency, now],
    );
    return { payment: payment as Payment };
  });
}

/** Stores where the order is paid. An event may have named the session already. */
export async function openCheckout(
  { query }: Queries,
  { orderId, session, url, expiresAt }: OpenedCheckout,
): Promise<void> {
  await query(
    `UPDATE payments SET session = $1, url = $2, expires_at = $3
     WHERE order_id = $4 AND (session IS NULL OR session = $1)`,
    [session, url, expiresAt, orderId],
  );
}

async function findPayment(
  { query }: Queries,
  column: 'order_id' | 'session' | 'payment_intent',
  value: string,
): Promise<Payment | undefined> {
  const sql = `SELECT ${columns} FROM payments WHERE ${column} = $1`;
  return (await query<Payment>(sql, [value]))[0];
}

const ownColumns = `${columns}, ${reversalColumns},
  (SELECT e.created_at FROM ledger_entries e WHERE e.reference = payments.session) AS "paidAt",
  (SELECT string_agg(problem, '; ') FROM payment_events
   WHERE payment_id = payments.id) AS problem`;

/** Finds a payment of a customer by its order; undefined if they have none. */
export async function findOwnPayment(
  { query }: Queries,
  { customerId, orderId }: { customerId: number; orderId: string },
): Promise<OwnPayment | undefined> {
  const rows = await query<OwnPayment>(
    `SELECT ${ownColumns} FROM payments WHERE order_id = $1 AND customer_id = $2`,
    [orderId, customerId],
  );
  return rows[0];
}

/** The columns of a `ListedPayment`, of payments joined with their customers. */
export const listedColumns = `${columns}, customers.email AS customer,
  (SELECT string_agg(problem, '; ') FROM payment_events
   WHERE payment_id = payments.id) AS problem`;

/** Lists payments, newest first. */
export async function listPayments(
  { query }: Queries,
  { customerId, limit }: { customerId: number | undefined; limit: number },
): Promise<ListedPayment[]> {
  return await query(
    `SELECT ${listedColumns}
     FROM payments JOIN customers ON customers.id = customer_id
     WHERE $1::bigint IS NULL OR customer_id = $1
     ORDER BY payments.id DESC LIMIT $2`,
    [customerId ?? null, limit],
  );
}

/** Reads a page of a customer's payments, newest first. */
export async function readPaymentPage(
  { query }: Queries,
  { customerId, before, paymentsMax }: PaymentPageRequest,
): Promise<PaymentPage> {
  const rows = await query<OwnPayment>(
    `SELECT ${ownColumns} FROM payments WHERE customer_id = $1
       AND ($2::bigint IS NULL OR (created_at, id) < (SELECT created_at, id FROM payments
         WHERE id = $2 AND customer_id = $1))
     ORDER BY created_at DESC, id DESC LIMIT $3`,
    [customerId, before ?? null, paymentsMax + 1],
  );
  return { payments: rows.slice(0, paymentsMax), hasOlder: rows.length > paymentsMax };
}

/** Lists events with a problem and without a payment, newest first. */
export async function listStrayEvents({ query }: Queries, limit: number): Promise<StrayEvent[]> {
  return await query(
    `SELECT id, kind, problem, created_at AS "createdAt" FROM payment_events
     WHERE payment_id IS NULL AND problem IS NOT NULL
     ORDER BY created_at DESC, id LIMIT $1`,
    [limit],
  );
}

interface Received {
  event: PaymentEvent;
  now: number;
}

/** Applies an event. It may repeat, and run concurrently with others. */
export function recordPaymentEvent(database: Database, received: Received): Promise<EventResult> {
  return withPayments(database, (queries) => recordEvent(queries, received));
}

/** Applies the events of one payment in a transaction of its own. A dry run rolls it back. */
export async function recordReconciled(
  database: Database,
  { events, dryRun, now }: { events: readonly PaymentEvent[]; dryRun: boolean; now: number },
): Promise<EventResult[]> {
  let results: EventResult[] = [];
  const undone = new Error('dry run');
  try {
    await withPayments(database, async (queries) => {
      results = [];
      for (const event of events) results.push(await recordEvent(queries, { event, now }));
      if (dryRun) throw undone;
    });
  } catch (error) {
    if (error !== undone) throw error;
  }
  return results;
}

async function recordEvent(queries: Queries, { event, now }: Received): Promise<EventResult> {
  const known = await queries.query('SELECT 1 FROM payment_events WHERE id = $1', [event.id]);
  if (known.length > 0) return { outcome: 'duplicate' };
  const finding = await keepFacts(queries, event);
  if (finding.isUnrelated) return { outcome: 'foreign' };
  const { payment } = finding;
  const plan = payment && (await giveCredits(queries, payment, { event, now }));
  await queries.query('INSERT INTO payment_events VALUES ($1, $2, $3, $4, $5, $6)', [
    ...[event.id, event.kind, payment?.id ?? null],
    ...[problemsOf(finding, plan), event.createdAt, now],
  ]);
  return resultOf(finding, plan);
}

function keepFacts(queries: Queries, event: PaymentEvent): Promise<Finding> {
  switch (event.kind) {
    case 'session':
      return keepSession(queries, event);
    case 'refund_sum':
      return keepRefundSum(queries, event);
    case 'refund':
      return keepRefund(queries, event);
    case 'dispute':
      return keepDispute(queries, event);
  }
}

async function keepSession(queries: Queries, event: SessionEvent): Promise<Finding> {
  const { session, orderId } = event;
  const known =
    (await findPayment(queries, 'session', session)) ??
    (orderId === undefined ? undefined : await findPayment(queries, 'order_id', orderId));
  const { change, ...finding } = decideSession(known, event);
  if (change === undefined || finding.payment === undefined) return finding;
  await queries.query(
    `UPDATE payments SET session = $1, state = $2, payment_intent = coalesce(payment_intent, $3),
       ask_at = NULL WHERE id = $4`,
    [change.session, change.state, change.paymentIntent, finding.payment.id],
  );
  const pause = pauseAfterSession(finding.payment, change.state, event);
  if (pause !== undefined) await pauseTopUp(queries, pause);
  return { ...finding, payment: await findPayment(queries, 'session', session) };
}

async function keepRefundSum(queries: Queries, event: RefundSumEvent): Promise<Finding> {
  const { paymentIntent, orderId, amount, currency } = event;
  const payment =
    (await findPayment(queries, 'payment_intent', paymentIntent)) ??
    (orderId === undefined ? undefined : await findPayment(queries, 'order_id', orderId));
  const finding = decideRefundSum(payment, event);
  if (finding.isUnrelated || finding.problem !== undefined) return finding;
  // The amounts are cumulative, so the largest is the newest.
  await queries.query(
    `INSERT INTO payment_refunds AS known VALUES ($1, $2, $3) ON CONFLICT (payment_intent)
     DO UPDATE SET amount = greatest(known.amount, excluded.amount)`,
    [paymentIntent, amount, currency],
  );
  return finding;
}

async function keepRefund(queries: Queries, event: RefundEvent): Promise<Finding> {
  const { refund, paymentIntent, amount, currency, hasFailed } = event;
  await queries.query(
    `INSERT INTO refunds AS known VALUES ($1, $2, $3, $4, $5)
     ON CONFLICT (id) DO UPDATE SET failed = known.failed OR excluded.failed`,
    [refund, paymentIntent, amount, currency, hasFailed],
  );
  return decideReversal(await findPayment(queries, 'payment_intent', paymentIntent), event);
}

async function keepDispute(
  queries: Queries,
  event: DisputeEvent & { createdAt: number },
): Promise<Finding> {
  const { dispute, paymentIntent, amount, currency, takesBack, createdAt } = event;
  // Of two events in the same second, the end of the dispute is the later one.
  await queries.query(
    `INSERT INTO payment_disputes AS known VALUES ($1, $2, $3, $4, $5, $6)
     ON CONFLICT (id) DO UPDATE SET amount = excluded.amount, takes_back = excluded.takes_back,
       changed_at = excluded.changed_at
     WHERE excluded.changed_at > known.changed_at
       OR (excluded.changed_at = known.changed_at AND known.takes_back AND NOT excluded.takes_back)`,
    [dispute, paymentIntent, amount, currency, takesBack, createdAt],
  );
  return decideReversal(await findPayment(queries, 'payment_intent', paymentIntent), event);
}

/** Brings the ledger up to what the facts say. */
async function giveCredits(
  queries: Queries,
  payment: Payment,
  { event, now }: Received,
): Promise<CreditPlan | undefined> {
  const { id, customerId, session } = payment;
  if (session === null) return undefined;
  const facts = {
    entered: await findByReference(queries, session),
    adjustments: await countAdjustments(queries, session),
    reversals: await readReversals(queries, id),
  };
  const plan = planCredits(payment, facts, event);
  if (plan === undefined) return undefined;
  if ('mismatch' in plan) {
    await queries.query("UPDATE payments SET state = 'mismatch' WHERE id = $1", [id]);
    return plan;
  }
  for (const entry of plan.entries) await addPaymentEntry(queries, { ...entry, customerId, now });
  if (takesBack(plan)) await pauseTopUp(queries, { customerId, reason: 'reversed' });
  await queries.query('UPDATE payments SET credits_given = $1 WHERE id = $2', [
    ...[plan.creditsGiven, id],
  ]);
  return plan;
}

/** Counts the entries whose reference is the session and a number. */
async function countAdjustments({ query }: Queries, session: string): Promise<number> {
  // ';' is the character after ':'.
  const rows = await query('SELECT 1 FROM ledger_entries WHERE reference > $1 AND reference < $2', [
    ...[`${session}:`, `${session};`],
  ]);
  return rows.length;
}

async function readReversals({ query }: Queries, paymentId: number): Promise<StoredReversals> {
  const sql = `SELECT ${reversalColumns} FROM payments WHERE id = $1`;
  return (await query<StoredReversals>(sql, [paymentId]))[0] as StoredReversals;
}
