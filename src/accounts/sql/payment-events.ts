/**
 * Applies Stripe's payment events to the ledger. payment-decisions.ts says what they mean. One
 * transaction contains the event, the facts, the entries and the balance.
 */
import type { Connection } from '../../database/sqlite/connection.ts';
import { pauseTopUp } from './automatic-top-up-rows.ts';
import { addPaymentEntry, findByReference } from './ledger.ts';
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
import { findPayment, type Payment, reversalColumns, type StoredReversals } from './payments.ts';

/** A step: applies an event. It may repeat, and run concurrently with others. */
export function recordPaymentEvent(
  db: Connection,
  { event, now }: { event: PaymentEvent; now: number },
): EventResult {
  const known = db.prepare('SELECT 1 FROM payment_events WHERE id = ?').get(event.id);
  if (known !== undefined) return { outcome: 'duplicate' };
  const finding = keepFacts(db, event);
  if (finding.isUnrelated) return { outcome: 'foreign' };
  const { payment } = finding;
  const plan = payment && giveCredits(db, payment, { event, now });
  db.prepare('INSERT INTO payment_events VALUES (?, ?, ?, ?, ?, ?)').run(
    ...[event.id, event.kind, payment?.id ?? null],
    ...[problemsOf(finding, plan), event.createdAt, now],
  );
  return resultOf(finding, plan);
}

/** Applies the events of one payment in a transaction of its own. A dry run rolls it back. */
export function recordReconciled(
  db: Connection,
  { events, dryRun, now }: { events: readonly PaymentEvent[]; dryRun: boolean; now: number },
): EventResult[] {
  const results: EventResult[] = [];
  const undone = new Error('dry run');
  try {
    db.transaction(() => {
      for (const event of events) results.push(recordPaymentEvent(db, { event, now }));
      if (dryRun) throw undone;
    }).immediate();
  } catch (error) {
    if (error !== undone) throw error;
  }
  return results;
}

function keepFacts(db: Connection, event: PaymentEvent): Finding {
  switch (event.kind) {
    case 'session':
      return keepSession(db, event);
    case 'refund_sum':
      return keepRefundSum(db, event);
    case 'refund':
      return keepRefund(db, event);
    case 'dispute':
      return keepDispute(db, event);
  }
}

function keepSession(db: Connection, event: SessionEvent): Finding {
  const { session, orderId } = event;
  const ordered = orderId === undefined ? undefined : findPayment(db, 'order_id', orderId);
  const { change, ...finding } = decideSession(
    findPayment(db, 'session', session) ?? ordered,
    event,
  );
  if (change === undefined) return finding;
  db.prepare(
    `UPDATE payments SET session = ?, state = ?, payment_intent = coalesce(payment_intent, ?),
       ask_at = NULL WHERE id = ?`,
  ).run(change.session, change.state, change.paymentIntent, finding.payment?.id);
  const pause = pauseAfterSession(finding.payment, change.state, event);
  if (pause !== undefined) pauseTopUp(db, pause);
  return { ...finding, payment: findPayment(db, 'session', session) };
}

function keepRefundSum(db: Connection, event: RefundSumEvent): Finding {
  const { paymentIntent, orderId, amount, currency } = event;
  const payment =
    findPayment(db, 'payment_intent', paymentIntent) ??
    (orderId === undefined ? undefined : findPayment(db, 'order_id', orderId));
  const finding = decideRefundSum(payment, event);
  if (finding.isUnrelated || finding.problem !== undefined) return finding;
  // The amounts are cumulative, so the largest is the newest.
  db.prepare(
    `INSERT INTO payment_refunds VALUES (?, ?, ?)
     ON CONFLICT DO UPDATE SET amount = max(amount, excluded.amount)`,
  ).run(paymentIntent, amount, currency);
  return finding;
}

function keepRefund(db: Connection, event: RefundEvent): Finding {
  const { refund, paymentIntent, amount, currency, hasFailed } = event;
  db.prepare(
    `INSERT INTO refunds VALUES (?, ?, ?, ?, ?)
     ON CONFLICT DO UPDATE SET failed = max(failed, excluded.failed)`,
  ).run(refund, paymentIntent, amount, currency, hasFailed ? 1 : 0);
  return decideReversal(findPayment(db, 'payment_intent', paymentIntent), event);
}

function keepDispute(db: Connection, event: DisputeEvent & { createdAt: number }): Finding {
  const { dispute, paymentIntent, amount, currency, takesBack, createdAt } = event;
  // Of two events in the same second, the end of the dispute is the later one.
  db.prepare(
    `INSERT INTO payment_disputes VALUES (?, ?, ?, ?, ?, ?)
     ON CONFLICT DO UPDATE SET amount = excluded.amount, takes_back = excluded.takes_back,
       changed_at = excluded.changed_at
     WHERE excluded.changed_at > changed_at
       OR (excluded.changed_at = changed_at AND excluded.takes_back < takes_back)`,
  ).run(dispute, paymentIntent, amount, currency, takesBack ? 1 : 0, createdAt);
  return decideReversal(findPayment(db, 'payment_intent', paymentIntent), event);
}

/** Brings the ledger up to what the facts say. */
function giveCredits(
  db: Connection,
  payment: Payment,
  { event, now }: { event: PaymentEvent; now: number },
): CreditPlan | undefined {
  const { id, customerId, session } = payment;
  if (session === null) return undefined;
  const facts = {
    entered: findByReference(db, session),
    adjustments: countAdjustments(db, session),
    reversals: readReversals(db, id),
  };
  const plan = planCredits(payment, facts, event);
  if (plan === undefined) return undefined;
  if ('mismatch' in plan) {
    db.prepare("UPDATE payments SET state = 'mismatch' WHERE id = ?").run(id);
    return plan;
  }
  for (const entry of plan.entries) addPaymentEntry(db, { ...entry, customerId, now });
  if (takesBack(plan)) pauseTopUp(db, { customerId, reason: 'reversed' });
  db.prepare('UPDATE payments SET credits_given = ? WHERE id = ?').run(plan.creditsGiven, id);
  return plan;
}

/** Counts the entries whose reference is the session and a number. */
function countAdjustments(db: Connection, session: string): number {
  return Number(
    db
      // ';' is the character after ':'.
      .prepare('SELECT count(*) FROM ledger_entries WHERE reference > ? AND reference < ?')
      .pluck()
      .get(`${session}:`, `${session};`),
  );
}

function readReversals(db: Connection, paymentId: number): StoredReversals {
  return db
    .prepare(`SELECT ${reversalColumns} FROM payments WHERE id = ?`)
    .get(paymentId) as StoredReversals;
}
