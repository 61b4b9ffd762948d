/**
 * Applies Stripe's payment events to the ledger. payment-decisions.ts says what they mean. One
 * transaction contains the event, the facts, the entries and the balance.
 */
import { query, queryFirst, type Sql } from '../../database/sql/sql.ts';
import { pauseTopUp } from './automatic-top-up-rows.ts';
import { addPaymentEntry, findByReference } from './credit-entries.ts';
import { customerOf, isDeleted } from './customers.ts';
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
} from './payment-decisions.ts';
import {
  findPayment,
  lockPayments,
  type Payment,
  reversalColumns,
  type StoredReversals,
} from './payments.ts';

interface Received {
  event: PaymentEvent;
  now: number;
}

/** Applies an event. It may repeat, and run concurrently with others. Their order does not matter. */
export function* recordPaymentEvent({ event, now }: Received): Sql<EventResult> {
  yield* lockPayments();
  const known = yield* query('SELECT 1 FROM payment_events WHERE id = $1', [event.id]);
  if (known.length > 0) return { outcome: 'duplicate' };
  const finding = yield* keepFacts(event);
  if (finding.isUnrelated) return { outcome: 'foreign' };
  const { payment } = finding;
  const plan = payment && (yield* giveCredits(payment, { event, now }));
  if (plan !== undefined && 'outcome' in plan && plan.outcome === 'credited') {
    const { customerId } = payment as Payment;
    if (isDeleted(yield* customerOf(customerId))) {
      finding.problem ??= 'paid after the account was deleted; refund it at Stripe';
    }
  }
  yield* query(
    `INSERT INTO payment_events (id, kind, payment_id, problem, created_at, received_at)
     VALUES ($1, $2, $3, $4, $5, $6)`,
    [
      ...[event.id, event.kind, payment?.id ?? null],
      ...[problemsOf(finding, plan), event.createdAt, now],
    ],
  );
  return resultOf(finding, plan);
}

/** Applies the events of one payment. */
export function* recordReconciled({
  events,
  now,
}: {
  events: readonly PaymentEvent[];
  now: number;
}): Sql<EventResult[]> {
  const results: EventResult[] = [];
  for (const event of events) results.push(yield* recordPaymentEvent({ event, now }));
  return results;
}

function keepFacts(event: PaymentEvent): Sql<Finding> {
  switch (event.kind) {
    case 'session':
      return keepSession(event);
    case 'refund_sum':
      return keepRefundSum(event);
    case 'refund':
      return keepRefund(event);
    case 'dispute':
      return keepDispute(event);
  }
}

function* keepSession(event: SessionEvent): Sql<Finding> {
  const { session, orderId } = event;
  const known = (yield* findPayment('session', session)) ?? (yield* findOrdered(orderId));
  const { change, ...finding } = decideSession(known, event);
  if (change === undefined || finding.payment === undefined) return finding;
  yield* query(
    `UPDATE payments SET session = $1, state = $2, payment_intent = coalesce(payment_intent, $3),
       ask_at = NULL WHERE id = $4`,
    [change.session, change.state, change.paymentIntent, finding.payment.id],
  );
  const pause = pauseAfterSession(finding.payment, change.state, event);
  if (pause !== undefined) yield* pauseTopUp(pause);
  return { ...finding, payment: yield* findPayment('session', session) };
}

function* findOrdered(orderId: string | undefined): Sql<Payment | undefined> {
  return orderId === undefined ? undefined : yield* findPayment('order_id', orderId);
}

function* keepRefundSum(event: RefundSumEvent): Sql<Finding> {
  const { paymentIntent, orderId, amount, currency } = event;
  const payment =
    (yield* findPayment('payment_intent', paymentIntent)) ?? (yield* findOrdered(orderId));
  const finding = decideRefundSum(payment, event);
  if (finding.isUnrelated || finding.problem !== undefined) return finding;
  // The amounts are cumulative, so the largest is the newest.
  yield* query(
    `INSERT INTO payment_refunds AS known (payment_intent, amount, currency) VALUES ($1, $2, $3)
     ON CONFLICT (payment_intent) DO UPDATE SET amount = excluded.amount
     WHERE excluded.amount > known.amount`,
    [paymentIntent, amount, currency],
  );
  return finding;
}

function* keepRefund(event: RefundEvent): Sql<Finding> {
  const { refund, paymentIntent, amount, currency, hasFailed } = event;
  yield* query(
    `INSERT INTO refunds AS known (id, payment_intent, amount, currency, failed)
     VALUES ($1, $2, $3, $4, $5)
     ON CONFLICT (id) DO UPDATE SET failed = known.failed OR excluded.failed`,
    [refund, paymentIntent, amount, currency, hasFailed],
  );
  return decideReversal(yield* findPayment('payment_intent', paymentIntent), event);
}

function* keepDispute(event: DisputeEvent & { createdAt: number }): Sql<Finding> {
  const { dispute, paymentIntent, amount, currency, takesBack, createdAt } = event;
  // Of two events in the same second, the end of the dispute is the later one.
  yield* query(
    `INSERT INTO payment_disputes AS known
       (id, payment_intent, amount, currency, takes_back, changed_at) VALUES ($1, $2, $3, $4, $5, $6)
     ON CONFLICT (id) DO UPDATE SET amount = excluded.amount, takes_back = excluded.takes_back,
       changed_at = excluded.changed_at
     WHERE excluded.changed_at > known.changed_at
       OR (excluded.changed_at = known.changed_at AND known.takes_back AND NOT excluded.takes_back)`,
    [dispute, paymentIntent, amount, currency, takesBack, createdAt],
  );
  return decideReversal(yield* findPayment('payment_intent', paymentIntent), event);
}

/** Brings the ledger up to what the facts say. */
function* giveCredits(payment: Payment, { event, now }: Received): Sql<CreditPlan | undefined> {
  const { id, customerId, session } = payment;
  if (session === null) return undefined;
  const facts = {
    entered: yield* findByReference(session),
    adjustments: yield* countAdjustments(session),
    reversals: yield* readReversals(id),
  };
  const plan = planCredits(payment, facts, event);
  if (plan === undefined) return undefined;
  if ('mismatch' in plan) {
    yield* query("UPDATE payments SET state = 'mismatch' WHERE id = $1", [id]);
    return plan;
  }
  for (const entry of plan.entries) yield* addPaymentEntry({ ...entry, customerId, now });
  if (takesBack(plan)) yield* pauseTopUp({ customerId, reason: 'reversed' });
  yield* query('UPDATE payments SET credits_given = $1 WHERE id = $2', [plan.creditsGiven, id]);
  if (payment.receipt === null) yield* issueReceipt(payment);
  return plan;
}

/** Gives the receipt the next number of its customer, and queues its mail. Other payments wait meanwhile. */
function* issueReceipt({ id, customerId }: Payment): Sql<void> {
  yield* query(
    `UPDATE payments SET receipt =
       (SELECT coalesce(max(receipt), 0) + 1 FROM payments WHERE customer_id = $2) WHERE id = $1`,
    [id, customerId],
  );
  yield* query(
    "INSERT INTO billing_notices (customer_id, kind, payment_id) VALUES ($1, 'receipt', $2)",
    [customerId, id],
  );
}

/** Counts the entries whose reference is the session and a number. */
function* countAdjustments(session: string): Sql<number> {
  // ';' is the character after ':'.
  const text = 'SELECT 1 FROM ledger_entries WHERE reference > $1 AND reference < $2';
  return (yield* query(text, [`${session}:`, `${session};`])).length;
}

function* readReversals(paymentId: number): Sql<StoredReversals> {
  const text = `SELECT ${reversalColumns} FROM payments WHERE id = $1`;
  return (yield* queryFirst<StoredReversals>(text, [paymentId])) as StoredReversals;
}
