/** Orders and payment events on PostgreSQL. See payment-events.ts of SQLite for what an event means. */
import {
  creditsKept,
  type DisputeEvent,
  type EventResult,
  type PaymentEvent,
  type RefundEvent,
  type SessionEvent,
  stateAfter,
} from '../accounts/payment-events.ts';
import type {
  ListedPayment,
  OpenedCheckout,
  Order,
  Payment,
  PaymentPage,
  PaymentPageRequest,
  PlacedOrder,
  StrayEvent,
} from '../accounts/payments.ts';
import { findByReference } from './credit.ts';
import { addPaymentEntry } from './customers.ts';
import type { Database, Queries } from './database.ts';

const HOUR_MS = 3_600_000;
/** Orders and events are rare, so one at a time is written. Any number that nothing else uses. */
const PAYMENTS_LOCK = 2_718_281;

const columns = `payments.id, order_id AS "orderId", customer_id AS "customerId", credits, amount,
  currency, session, url, expires_at AS "expiresAt", payment_intent AS "paymentIntent", state,
  credits_given AS "creditsGiven", payments.created_at AS "createdAt"`;

function withPayments<Result>(
  database: Database,
  work: (queries: Queries) => Promise<Result>,
): Promise<Result> {
  return database.transaction(async (queries) => {
    await queries.query('SELECT pg_advisory_xact_lock($1)', [PAYMENTS_LOCK]);
    return await work(queries);
  });
}

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

/** Lists payments, newest first. */
export async function listPayments(
  { query }: Queries,
  { customerId, limit }: { customerId: number | undefined; limit: number },
): Promise<ListedPayment[]> {
  return await query(
    `SELECT ${columns}, customers.email AS customer,
       (SELECT string_agg(problem, '; ') FROM payment_events
        WHERE payment_id = payments.id) AS problem
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
  const rows = await query<Payment>(
    `SELECT ${columns} FROM payments WHERE customer_id = $1
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

/** The effect of an event on the facts, before the ledger is updated. */
interface Finding {
  payment?: Payment | undefined;
  problem?: string | undefined;
  isUnrelated?: boolean;
}

async function recordEvent(queries: Queries, { event, now }: Received): Promise<EventResult> {
  const known = await queries.query('SELECT 1 FROM payment_events WHERE id = $1', [event.id]);
  if (known.length > 0) return { outcome: 'duplicate' };
  const { payment, problem, isUnrelated } = await keepFacts(queries, event);
  if (isUnrelated) return { outcome: 'foreign' };
  const given: Given =
    payment === undefined ? {} : await giveCredits(queries, payment, { event, now });
  const problems = [problem, given.problem].filter((text) => text !== undefined).join('; ');
  await queries.query('INSERT INTO payment_events VALUES ($1, $2, $3, $4, $5, $6)', [
    ...[event.id, event.kind, payment?.id ?? null],
    ...[problems === '' ? null : problems, event.createdAt, now],
  ]);
  return {
    outcome: problems === '' ? (given.outcome ?? 'noted') : 'problem',
    ...(payment === undefined ? {} : { paymentId: payment.id }),
    ...(given.credits === undefined ? {} : { credits: given.credits }),
    ...(problems === '' ? {} : { problem: problems }),
  };
}

function keepFacts(queries: Queries, event: PaymentEvent): Promise<Finding> {
  switch (event.kind) {
    case 'session':
      return keepSession(queries, event);
    case 'refund':
      return keepRefund(queries, event);
    case 'dispute':
      return keepDispute(queries, event);
  }
}

async function keepSession(queries: Queries, event: SessionEvent): Promise<Finding> {
  const { session, orderId } = event;
  const payment =
    (await findPayment(queries, 'session', session)) ??
    (orderId === undefined ? undefined : await findPayment(queries, 'order_id', orderId));
  if (payment === undefined) {
    // Nobody paid, or the session belongs to something else that the operator sells.
    if (orderId === undefined || event.state !== 'paid') return { isUnrelated: true };
    return { problem: `the session ${session} was paid, but its order ${orderId} is unknown here` };
  }
  if (payment.session !== null && payment.session !== session) {
    return { payment, problem: `the session ${session} does not belong to its order` };
  }
  const { state, problem } = stateAfter(payment, event);
  await queries.query(
    `UPDATE payments SET session = $1, state = $2, payment_intent = coalesce(payment_intent, $3)
     WHERE id = $4`,
    [session, state, event.paymentIntent ?? null, payment.id],
  );
  return { payment: await findPayment(queries, 'session', session), problem };
}

async function keepRefund(queries: Queries, event: RefundEvent): Promise<Finding> {
  const { paymentIntent, orderId, amount, currency } = event;
  const payment =
    (await findPayment(queries, 'payment_intent', paymentIntent)) ??
    (orderId === undefined ? undefined : await findPayment(queries, 'order_id', orderId));
  if (payment === undefined) return { isUnrelated: true };
  if (currency !== payment.currency) {
    return { payment, problem: `refunded in ${currency}, paid in ${payment.currency}` };
  }
  // The amounts are cumulative, so the largest is the newest.
  await queries.query(
    `INSERT INTO payment_refunds AS known VALUES ($1, $2, $3) ON CONFLICT (payment_intent)
     DO UPDATE SET amount = greatest(known.amount, excluded.amount)`,
    [paymentIntent, amount, currency],
  );
  return { payment };
}

/** A dispute does not name its order, so it is stored whether or not its payment is known yet. */
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
  const payment = await findPayment(queries, 'payment_intent', paymentIntent);
  if (payment === undefined || currency === payment.currency) return { payment };
  return { payment, problem: `disputed in ${currency}, paid in ${payment.currency}` };
}

type Given = Omit<EventResult, 'outcome'> & { outcome?: 'credited' | 'adjusted' };

/** Brings the ledger up to what the facts say. */
async function giveCredits(queries: Queries, payment: Payment, received: Received): Promise<Given> {
  const { id, customerId, credits, session } = payment;
  if (payment.state !== 'paid' || session === null) return {};
  const entered = await findByReference(queries, session);
  if (entered !== undefined && (entered.customerId !== customerId || entered.credits !== credits)) {
    await queries.query("UPDATE payments SET state = 'mismatch' WHERE id = $1", [id]);
    return { problem: `the ledger has a different top-up for the session, entry ${entered.id}` };
  }
  if (entered === undefined) {
    const note = `bought, payment ${id}`;
    const { now } = received;
    const topup = { kind: 'topup' as const, customerId, credits, reference: session, note, now };
    await addPaymentEntry(queries, topup);
  }
  // An operator may have entered the payment by hand, with the session as its reference.
  const adjustments = await countAdjustments(queries, session);
  const given = payment.creditsGiven === 0 && adjustments === 0 ? credits : payment.creditsGiven;
  const target = creditsKept(payment, await amountBack(queries, payment));
  if (target !== given) {
    const difference = target - given;
    await addPaymentEntry(queries, {
      kind: 'adjust',
      customerId,
      credits: difference,
      now: received.now,
      reference: `${session}:${adjustments + 1}`,
      note: `${difference < 0 ? 'paid back' : 'no longer disputed'}, payment ${id}, ${received.event.id}`,
    });
  }
  await queries.query('UPDATE payments SET credits_given = $1 WHERE id = $2', [target, id]);
  if (entered === undefined) return { outcome: 'credited', credits: target };
  return target === given ? {} : { outcome: 'adjusted', credits: target - given };
}

/** Counts the entries whose reference is the session and a number. */
async function countAdjustments({ query }: Queries, session: string): Promise<number> {
  // ';' is the character after ':'.
  const rows = await query('SELECT 1 FROM ledger_entries WHERE reference > $1 AND reference < $2', [
    ...[`${session}:`, `${session};`],
  ]);
  return rows.length;
}

/** Returns how much of a payment is back with the payer, a dispute in another currency in full. */
async function amountBack(
  { query }: Queries,
  { paymentIntent, currency, amount }: Payment,
): Promise<number> {
  const [row] = await query<{ back: number }>(
    `SELECT coalesce((SELECT amount FROM payment_refunds
                      WHERE payment_intent = $1 AND currency = $2), 0)
       + coalesce((SELECT sum(CASE WHEN currency = $2 THEN amount ELSE $3 END)::bigint
                   FROM payment_disputes WHERE payment_intent = $1 AND takes_back), 0) AS back`,
    [paymentIntent, currency, amount],
  );
  return row?.back ?? 0;
}
