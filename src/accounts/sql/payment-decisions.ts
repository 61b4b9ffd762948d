/**
 * What Stripe's payment events mean. Pure.
 *
 * An event changes facts: a payment's state, the amount refunded, the amount disputed. The facts
 * determine how many credits the payment should have given, and the ledger gets the difference to
 * what it has given. So the order, the repetition and the source of events do not matter.
 */
import { formatPrice } from '../amounts/price.ts';
import type { LedgerEntry } from './credit-entries.ts';
import type { Payment, PaymentState, StoredReversals } from './payments.ts';

/** A payment event, independent of the provider. */
export type PaymentEvent = {
  id: string;
  /** By the sender's clock, in milliseconds. */
  createdAt: number;
} & (SessionEvent | RefundSumEvent | RefundEvent | DisputeEvent);

export interface SessionEvent {
  kind: 'session';
  session: string;
  /** The order of the session, if it names one. */
  orderId: string | undefined;
  paymentIntent: string | undefined;
  state: 'paid' | 'unpaid' | 'failed' | 'expired';
  amount: number | undefined;
  currency: string | undefined;
  /** Why an automatic payment failed. */
  failure?: 'declined' | 'authentication_required';
}

/** The sum of all refunds of a payment so far. */
export interface RefundSumEvent {
  kind: 'refund_sum';
  orderId: string | undefined;
  paymentIntent: string;
  amount: number;
  currency: string;
}

/** One refund. It does not name its order. */
export interface RefundEvent {
  kind: 'refund';
  refund: string;
  paymentIntent: string;
  amount: number;
  currency: string;
  /** Whether the money stayed with the seller after all. A failed refund stays failed. */
  hasFailed: boolean;
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

/** What an event says about the facts, before the ledger is updated. */
export interface Finding {
  payment?: Payment | undefined;
  problem?: string | undefined;
  /** Whether the event is not about one of our payments, so that nothing is stored. */
  isUnrelated?: boolean;
}

/** A finding, and the columns of the payment that it changes. */
export interface SessionFinding extends Finding {
  change?: { session: string; state: PaymentState; paymentIntent: string | null };
}

/** Decides what a session means for its payment: the one of the session, or else of its order. */
export function decideSession(payment: Payment | undefined, event: SessionEvent): SessionFinding {
  const { session, orderId, paymentIntent } = event;
  if (payment === undefined) {
    // Nobody paid, or the session belongs to something else that the operator sells.
    if (orderId === undefined || event.state !== 'paid') return { isUnrelated: true };
    return { problem: `the session ${session} was paid, but its order ${orderId} is unknown here` };
  }
  if (payment.session !== null && payment.session !== session) {
    return { payment, problem: `the session ${session} does not belong to its order` };
  }
  const { state, problem } = stateAfter(payment, event);
  return { payment, problem, change: { session, state, paymentIntent: paymentIntent ?? null } };
}

/**
 * Returns what to pause after a session, given the payment before it: the automatic top-up of a customer
 * whose card was declined.
 */
export function pauseAfterSession(
  payment: Payment | undefined,
  state: PaymentState,
  { failure = 'declined' }: Pick<SessionEvent, 'failure'>,
): { customerId: number; reason: 'declined' | 'authentication_required' } | undefined {
  if (payment === undefined || payment.paymentMethod === null) return undefined;
  if (state !== 'failed' || payment.state === 'failed') return undefined;
  return { customerId: payment.customerId, reason: failure };
}

/** A paid order stays paid, even if an older event arrives late. */
function stateAfter(
  { state, amount, currency }: Payment,
  event: SessionEvent,
): { state: PaymentState; problem?: string } {
  if (state === 'paid') return { state };
  if (event.state === 'paid') {
    if (event.amount === amount && event.currency === currency) return { state: 'paid' };
    const problem = `paid ${paidSum(event)}, ordered ${formatPrice(amount, currency)}`;
    return { state: 'mismatch', problem };
  }
  const progress: PaymentState[] = ['ordered', 'expired', 'unpaid', 'failed', 'mismatch'];
  return { state: progress.indexOf(event.state) > progress.indexOf(state) ? event.state : state };
}

function paidSum({ amount, currency }: SessionEvent): string {
  if (amount === undefined) return 'nothing';
  // Without a currency, nobody knows how many digits are after the point.
  if (!/^[a-z]{3}$/.test(currency ?? '')) return `${amount} in no known currency`;
  return formatPrice(amount, currency ?? '');
}

/** Decides about the sum of refunds of a payment. It is stored unless there is a problem. */
export function decideRefundSum(
  payment: Payment | undefined,
  { currency }: Pick<RefundSumEvent, 'currency'>,
): Finding {
  if (payment === undefined) return { isUnrelated: true };
  return inOtherCurrency(payment, 'refunded', currency);
}

/**
 * Decides about a refund or a dispute, which does not name its order. It is stored whether or not its
 * payment is known yet.
 */
export function decideReversal(
  payment: Payment | undefined,
  { kind, currency }: Pick<RefundEvent | DisputeEvent, 'kind' | 'currency'>,
): Finding {
  if (payment === undefined) return {};
  return inOtherCurrency(payment, kind === 'refund' ? 'refunded' : 'disputed', currency);
}

function inOtherCurrency(payment: Payment, what: string, currency: string): Finding {
  if (currency === payment.currency) return { payment };
  return { payment, problem: `${what} in ${currency}, paid in ${payment.currency}` };
}

/**
 * Returns the amount that was refunded. A sum and single refunds may be reported in any order, or one
 * of them not at all. Failed refunds lower the sum; a later refund shows in the list.
 */
export function amountRefunded(
  stored: Pick<StoredReversals, 'refundsReported' | 'refundsListed' | 'refundsFailed'>,
): number {
  const { refundsReported, refundsListed, refundsFailed } = stored;
  return Math.max(refundsReported - refundsFailed, refundsListed, 0);
}

interface CreditFacts {
  /** The entry whose reference is the session. */
  entered: Pick<LedgerEntry, 'id' | 'customerId' | 'credits'> | undefined;
  /** The entries whose reference is the session and a number. */
  adjustments: number;
  reversals: StoredReversals;
}

/** An entry that the ledger lacks. */
interface MissingEntry {
  kind: 'topup' | 'adjust';
  credits: number;
  reference: string;
  note: string;
}

export type CreditPlan =
  | { mismatch: string }
  | {
      entries: MissingEntry[];
      /** The sum of all entries of the payment, with those above. */
      creditsGiven: number;
      outcome?: 'credited' | 'adjusted';
      /** What the entries add. */
      credits?: number;
    };

/**
 * Returns what brings the ledger up to the facts; undefined if the payment gives no credit. A mismatch
 * means that the ledger has another top-up under the payment's reference.
 */
export function planCredits(
  payment: Payment,
  { entered, adjustments, reversals }: CreditFacts,
  event: Pick<PaymentEvent, 'id' | 'kind'>,
): CreditPlan | undefined {
  const { id, customerId, credits, session } = payment;
  if (payment.state !== 'paid' || session === null) return undefined;
  if (entered !== undefined && (entered.customerId !== customerId || entered.credits !== credits)) {
    return {
      mismatch: `the ledger has a different top-up for the session, entry ${entered.id}`,
    };
  }
  const entries: MissingEntry[] = [];
  if (entered === undefined) {
    entries.push({ kind: 'topup', credits, reference: session, note: `bought, payment ${id}` });
  }
  // An operator may have entered the payment by hand, with the session as its reference.
  const creditsGiven =
    payment.creditsGiven === 0 && adjustments === 0 ? credits : payment.creditsGiven;
  const target = creditsKept(payment, amountRefunded(reversals) + reversals.disputed);
  if (target !== creditsGiven) {
    const ofDispute = isDispute(event, reversals);
    // The trigger that adds up credit by day knows disputes by this name.
    const reference = `${session}:${adjustments + 1}${ofDispute ? ':dispute' : ''}`;
    const note = `${reasonOf(target - creditsGiven, ofDispute)}, payment ${id}, ${event.id}`;
    entries.push({ kind: 'adjust', credits: target - creditsGiven, reference, note });
  }
  if (entered === undefined) {
    return { entries, creditsGiven: target, outcome: 'credited', credits: target };
  }
  if (target === creditsGiven) return { entries, creditsGiven: target };
  return { entries, creditsGiven: target, outcome: 'adjusted', credits: target - creditsGiven };
}

/** Whether a dispute changes the credit. An event of the payment itself may find earlier ones of both kinds. */
function isDispute(
  { kind }: Pick<PaymentEvent, 'kind'>,
  { disputed, ...refunds }: StoredReversals,
): boolean {
  return kind === 'dispute' || (kind === 'session' && disputed > amountRefunded(refunds));
}

function reasonOf(credits: number, ofDispute: boolean): string {
  if (credits < 0) return ofDispute ? 'disputed' : 'refunded';
  return ofDispute ? 'no longer disputed' : 'refund failed';
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

/** Returns the problems of an event in one text; null if there is none. */
export function problemsOf({ problem }: Finding, plan: CreditPlan | undefined): string | null {
  const mismatch = plan !== undefined && 'mismatch' in plan ? plan.mismatch : undefined;
  return [problem, mismatch].filter((text) => text !== undefined).join('; ') || null;
}

/**
 * Returns whether credit goes back with money. It may leave a balance below a threshold, and nobody wants
 * that to be charged to the card.
 */
export function takesBack(plan: CreditPlan): boolean {
  return 'entries' in plan && plan.entries.some(({ credits }) => credits < 0);
}

/** Returns the result of an event that was stored. */
export function resultOf(finding: Finding, plan: CreditPlan | undefined): EventResult {
  const problem = problemsOf(finding, plan);
  const { payment } = finding;
  const creditPlan = plan !== undefined && 'entries' in plan ? plan : undefined;
  return {
    outcome: problem === null ? (creditPlan?.outcome ?? 'noted') : 'problem',
    ...(payment === undefined ? {} : { paymentId: payment.id }),
    ...(creditPlan?.credits === undefined ? {} : { credits: creditPlan.credits }),
    ...(problem === null ? {} : { problem }),
  };
}
