/**
 * Applies Stripe's payment events to the ledger.
 *
 * An event changes facts: a payment's state, the amount refunded, the amount disputed. The facts
 * determine how many credits the payment should have given, and the ledger gets the difference to
 * what it has given. So the order, the repetition and the source of events do not matter. One
 * transaction contains the event, the facts, the entry and the balance.
 */
import type { Connection } from '../database/connection.ts';
import { addPaymentEntry, findByReference } from './ledger.ts';
import { findPayment, type Payment, type PaymentState } from './payments.ts';

/** A payment event, independent of the provider. */
export type PaymentEvent = {
  id: string;
  /** By the sender's clock, in milliseconds. */
  createdAt: number;
} & (SessionEvent | RefundEvent | DisputeEvent);

export interface SessionEvent {
  kind: 'session';
  session: string;
  /** The order of the session, if it names one. */
  orderId: string | undefined;
  paymentIntent: string | undefined;
  state: 'paid' | 'unpaid' | 'failed' | 'expired';
  amount: number | undefined;
  currency: string | undefined;
}

export interface RefundEvent {
  kind: 'refund';
  orderId: string | undefined;
  paymentIntent: string;
  /** The sum of all refunds of the payment so far. */
  amount: number;
  currency: string;
}

export interface DisputeEvent {
  kind: 'dispute';
  dispute: string;
  paymentIntent: string;
  amount: number;
  currency: string;
  /** Whether the money is, or may be, back with the payer. */
  takesBack: boolean;
}

/**
 * `foreign`: not one of our payments; nothing is stored. `problem`: needs the operator's attention.
 */
export interface EventResult {
  outcome: 'credited' | 'adjusted' | 'noted' | 'duplicate' | 'foreign' | 'problem';
  paymentId?: number;
  /** The credits added to the ledger. */
  credits?: number;
  problem?: string;
}

/** The effect of an event on the facts, before the ledger is updated. */
interface Finding {
  payment?: Payment | undefined;
  problem?: string | undefined;
  isUnrelated?: boolean;
}

/** A step: applies an event. It may repeat, and run concurrently with others. */
export function recordPaymentEvent(
  db: Connection,
  { event, now }: { event: PaymentEvent; now: number },
): EventResult {
  const known = db.prepare('SELECT 1 FROM payment_events WHERE id = ?').get(event.id);
  if (known !== undefined) return { outcome: 'duplicate' };
  const { payment, problem, isUnrelated } = keepFacts(db, event);
  if (isUnrelated) return { outcome: 'foreign' };
  const given = payment === undefined ? {} : giveCredits(db, { payment, event, now });
  const problems = [problem, given.problem].filter((text) => text !== undefined).join('; ');
  db.prepare('INSERT INTO payment_events VALUES (?, ?, ?, ?, ?, ?)').run(
    ...[event.id, event.kind, payment?.id ?? null],
    ...[problems === '' ? null : problems, event.createdAt, now],
  );
  return {
    outcome: problems === '' ? (given.outcome ?? 'noted') : 'problem',
    ...(payment === undefined ? {} : { paymentId: payment.id }),
    ...(given.credits === undefined ? {} : { credits: given.credits }),
    ...(problems === '' ? {} : { problem: problems }),
  };
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
    case 'refund':
      return keepRefund(db, event);
    case 'dispute':
      return keepDispute(db, event);
  }
}

function keepSession(db: Connection, event: SessionEvent): Finding {
  const { session, orderId } = event;
  const ordered = orderId === undefined ? undefined : findPayment(db, 'order_id', orderId);
  const payment = findPayment(db, 'session', session) ?? ordered;
  if (payment === undefined) {
    // Nobody paid, or the session belongs to something else that the operator sells.
    if (orderId === undefined || event.state !== 'paid') return { isUnrelated: true };
    return { problem: `the session ${session} was paid, but its order ${orderId} is unknown here` };
  }
  if (payment.session !== null && payment.session !== session) {
    return { payment, problem: `the session ${session} does not belong to its order` };
  }
  const { state, problem } = stateAfter(payment, event);
  db.prepare(
    `UPDATE payments SET session = ?, state = ?, payment_intent = coalesce(payment_intent, ?)
     WHERE id = ?`,
  ).run(session, state, event.paymentIntent ?? null, payment.id);
  return { payment: findPayment(db, 'session', session), problem };
}

/** A paid order stays paid, even if an older event arrives late. */
export function stateAfter(
  { state, amount, currency }: Payment,
  event: SessionEvent,
): { state: PaymentState; problem?: string } {
  if (state === 'paid') return { state };
  if (event.state === 'paid') {
    if (event.amount === amount && event.currency === currency) return { state: 'paid' };
    const paid = `${event.amount ?? 'nothing'} ${event.currency ?? ''}`.trim();
    return { state: 'mismatch', problem: `paid ${paid}, ordered ${amount} ${currency}` };
  }
  const progress: PaymentState[] = ['ordered', 'expired', 'unpaid', 'failed', 'mismatch'];
  return { state: progress.indexOf(event.state) > progress.indexOf(state) ? event.state : state };
}

function keepRefund(db: Connection, event: RefundEvent): Finding {
  const { paymentIntent, orderId, amount, currency } = event;
  const payment =
    findPayment(db, 'payment_intent', paymentIntent) ??
    (orderId === undefined ? undefined : findPayment(db, 'order_id', orderId));
  if (payment === undefined) return { isUnrelated: true };
  if (currency !== payment.currency) {
    return { payment, problem: `refunded in ${currency}, paid in ${payment.currency}` };
  }
  // The amounts are cumulative, so the largest is the newest.
  db.prepare(
    `INSERT INTO payment_refunds VALUES (?, ?, ?)
     ON CONFLICT DO UPDATE SET amount = max(amount, excluded.amount)`,
  ).run(paymentIntent, amount, currency);
  return { payment };
}

/** A dispute does not name its order, so it is stored whether or not its payment is known yet. */
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
  const payment = findPayment(db, 'payment_intent', paymentIntent);
  if (payment === undefined || currency === payment.currency) return { payment };
  return { payment, problem: `disputed in ${currency}, paid in ${payment.currency}` };
}

type Given = Omit<EventResult, 'outcome'> & { outcome?: 'credited' | 'adjusted' };

/** Brings the ledger up to what the facts say. */
function giveCredits(
  db: Connection,
  { payment, event, now }: { payment: Payment; event: PaymentEvent; now: number },
): Given {
  const { id, customerId, credits, session } = payment;
  if (payment.state !== 'paid' || session === null) return {};
  const entered = findByReference(db, session);
  if (entered !== undefined && (entered.customerId !== customerId || entered.credits !== credits)) {
    db.prepare("UPDATE payments SET state = 'mismatch' WHERE id = ?").run(id);
    return { problem: `the ledger has a different top-up for the session, entry ${entered.id}` };
  }
  if (entered === undefined) {
    const note = `bought, payment ${id}`;
    const topup = { kind: 'topup' as const, customerId, credits, reference: session, note, now };
    addPaymentEntry(db, topup);
  }
  // An operator may have entered the payment by hand, with the session as its reference.
  const isNew = payment.creditsGiven === 0 && countAdjustments(db, session) === 0;
  const given = isNew ? credits : payment.creditsGiven;
  const target = creditsKept(payment, amountBack(db, payment));
  if (target !== given) adjust(db, { payment, session, credits: target - given, event, now });
  db.prepare('UPDATE payments SET credits_given = ? WHERE id = ?').run(target, id);
  if (entered === undefined) return { outcome: 'credited', credits: target };
  return target === given ? {} : { outcome: 'adjusted', credits: target - given };
}

interface Adjustment {
  payment: Payment;
  session: string;
  credits: number;
  event: PaymentEvent;
  now: number;
}

function adjust(db: Connection, { payment, session, credits, event, now }: Adjustment): void {
  addPaymentEntry(db, {
    kind: 'adjust',
    customerId: payment.customerId,
    credits,
    now,
    reference: `${session}:${countAdjustments(db, session) + 1}`,
    note: `${credits < 0 ? 'paid back' : 'no longer disputed'}, payment ${payment.id}, ${event.id}`,
  });
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

/**
 * Returns how much of a payment is back with the payer. The share of a dispute in another currency
 * is unknown, so it counts in full and is reported as a problem.
 */
function amountBack(db: Connection, { paymentIntent, currency, amount }: Payment): number {
  return Number(
    db
      .prepare(
        `SELECT coalesce((SELECT amount FROM payment_refunds
                          WHERE payment_intent = @paymentIntent AND currency = @currency), 0)
           + coalesce((SELECT sum(iif(currency = @currency, amount, @amount)) FROM payment_disputes
                       WHERE payment_intent = @paymentIntent AND takes_back), 0)`,
      )
      .pluck()
      .get({ paymentIntent, currency, amount }),
  );
}

/**
 * Returns the credits that remain, in proportion to the amount that remains. Rounds up, in the
 * customer's favor. `amountBack` may exceed the amount if a refund and a dispute cover the same
 * money.
 */
export function creditsKept(
  { credits, amount }: { credits: number; amount: number },
  amountBack: number,
): number {
  const amountKept = Math.max(0, amount - amountBack);
  // The product can exceed the safe integers.
  const product = BigInt(credits) * BigInt(amountKept);
  return Number((product + BigInt(amount) - 1n) / BigInt(amount));
}
