/** Translates Stripe's events, parsed JSON of any shape, to payment events. Pure. */
import { VerbatimError } from '../../errors.ts';
import type {
  DisputeEvent,
  PaymentEvent,
  RefundEvent,
  RefundSumEvent,
  SessionEvent,
} from '../sql/payment-decisions.ts';

/** The metadata field with our order id, on sessions, payment intents and charges. */
export const ORDER_METADATA = 'verbatim_order';

/** On payment intents and charges of automatic orders. */
export const AUTOMATIC_METADATA = 'verbatim_automatic';

/** The metadata field with the id of a set-up, on sessions and setup intents. */
export const SET_UP_METADATA = 'verbatim_set_up';

/** A card that was saved in a Checkout session. It is not about credit. */
export interface CompletedSetUp {
  kind: 'set_up';
  setUp: string;
  setupIntent: string;
}

type Fields = Record<string, unknown>;

/** Returns the set-up that an event reports as completed; undefined for any other event. */
export function toCompletedSetUp(value: unknown): CompletedSetUp | undefined {
  const event = fieldsOf(value, 'event');
  if (event['type'] !== 'checkout.session.completed') return undefined;
  const session = fieldsOf(fieldsOf(event['data'], 'data')['object'], 'data.object');
  const { metadata } = session;
  const setUp = isFields(metadata) ? metadata[SET_UP_METADATA] : undefined;
  if (session['mode'] !== 'setup' || typeof setUp !== 'string') return undefined;
  const setupIntent = idOf(session['setup_intent']);
  if (setupIntent === undefined) throw invalidEvent('setup_intent: expected a string');
  return { kind: 'set_up', setUp, setupIntent };
}

/**
 * Returns the payment event of a verified webhook; undefined if it does not affect credit. Throws
 * `bad_request` if a required field is not what Stripe documents.
 */
export function toPaymentEvent(value: unknown): PaymentEvent | undefined {
  const event = fieldsOf(value, 'event');
  const type = textOf(event, 'type');
  const read = Object.hasOwn(readers, type) ? readers[type] : undefined;
  if (read === undefined) return undefined;
  const known = read(fieldsOf(fieldsOf(event['data'], 'data')['object'], 'data.object'), type);
  if (known === undefined) return undefined;
  const createdAt = countOf(event, 'created') * 1000;
  return { id: textOf(event, 'id'), createdAt, ...known };
}

/** Returns the events that bring our records up to a session as Stripe lists it. */
export function toReconcilingEvents(value: unknown): PaymentEvent[] {
  const session = fieldsOf(value, 'session');
  return reconcilingEvents(session, readSession(session, ''), session['payment_intent']);
}

/** The same for a payment intent as Stripe lists it, if it is of an automatic order. */
export function toReconcilingAutomatic(value: unknown): PaymentEvent[] {
  const intent = fieldsOf(value, 'payment intent');
  return reconcilingEvents(intent, readAutomatic(intent), intent);
}

function reconcilingEvents(
  listed: Fields,
  event: SessionEvent | undefined,
  intent: unknown,
): PaymentEvent[] {
  if (event === undefined || event.state !== 'paid') return [];
  const createdAt = countOf(listed, 'created') * 1000;
  const events: PaymentEvent[] = [{ id: `reconcile:${event.session}`, createdAt, ...event }];
  const charge = isFields(intent) ? intent['latest_charge'] : undefined;
  if (!isFields(charge)) return events;
  const sum = charge['amount_refunded'] === 0 ? undefined : readRefundSum(charge);
  if (sum !== undefined) {
    events.push({ id: `reconcile:${event.session}:${sum.amount}`, createdAt, ...sum });
  }
  return [...events, ...readListedRefunds(charge, createdAt)];
}

/** Returns an event for each refund of a charge and each of its states. */
function readListedRefunds(charge: Fields, createdAt: number): PaymentEvent[] {
  const refunds = charge['refunds'];
  const data = isFields(refunds) ? refunds['data'] : undefined;
  if (!Array.isArray(data)) return [];
  return data.flatMap((item) => {
    const refund = readRefund(fieldsOf(item, 'refund'));
    if (refund === undefined) return [];
    const state = refund.hasFailed ? 'failed' : 'made';
    return [{ id: `reconcile:${refund.refund}:${state}`, createdAt, ...refund }];
  });
}

type Known = PaymentEvent extends infer Event
  ? Event extends PaymentEvent
    ? Omit<Event, 'id' | 'createdAt'>
    : never
  : never;

const readers: Readonly<Record<string, (object: Fields, type: string) => Known | undefined>> = {
  'checkout.session.completed': readSession,
  'checkout.session.async_payment_succeeded': readSession,
  'checkout.session.async_payment_failed': readSession,
  'checkout.session.expired': readSession,
  'payment_intent.succeeded': readAutomatic,
  'payment_intent.processing': readAutomatic,
  'payment_intent.payment_failed': readAutomatic,
  'payment_intent.canceled': readAutomatic,
  'charge.refunded': readRefundSum,
  'refund.created': readRefund,
  'refund.updated': readRefund,
  'refund.failed': readRefund,
  'charge.refund.updated': readRefund,
  'charge.dispute.created': readDispute,
  'charge.dispute.updated': readDispute,
  'charge.dispute.funds_withdrawn': readDispute,
  'charge.dispute.funds_reinstated': readDispute,
  'charge.dispute.closed': readDispute,
};

const stateByType: Readonly<Record<string, SessionEvent['state']>> = {
  'checkout.session.async_payment_failed': 'failed',
  'checkout.session.expired': 'expired',
};

/** `no_payment_required` means a session for free, which the check of the amount rejects. */
const paidStatuses: ReadonlySet<unknown> = new Set(['paid', 'no_payment_required']);

function readSession(session: Fields, type: string): SessionEvent | undefined {
  if (session['mode'] !== 'payment') return undefined;
  const isPaid = paidStatuses.has(session['payment_status']);
  const amount = session['amount_total'];
  const currency = session['currency'];
  return {
    kind: 'session',
    session: textOf(session, 'id'),
    orderId: orderOf(session),
    paymentIntent: idOf(session['payment_intent']),
    state: stateByType[type] ?? (isPaid ? 'paid' : 'unpaid'),
    amount: typeof amount === 'number' ? amount : undefined,
    currency: typeof currency === 'string' ? currency : undefined,
  };
}

/** Codes of errors that mean that the owner of the card must confirm a payment. */
const authenticationCodes: ReadonlySet<unknown> = new Set([
  'authentication_required',
  'payment_intent_action_required',
  'payment_intent_authentication_failure',
]);

/** Returns whether the owner of the card must confirm a payment, by the code of Stripe's error. */
export function isAuthenticationNeeded(code: unknown): boolean {
  return authenticationCodes.has(code);
}

const stateByStatus: Readonly<Record<string, SessionEvent['state']>> = {
  succeeded: 'paid',
  processing: 'unpaid',
  requires_payment_method: 'failed',
  canceled: 'failed',
};

/**
 * Reads the payment of an automatic order. It has no session, so its own name stands for one. Payments
 * of Checkout are reported with their sessions.
 */
function readAutomatic(intent: Fields): SessionEvent | undefined {
  const { metadata, status, last_payment_error: error } = intent;
  if (!isFields(metadata) || metadata[AUTOMATIC_METADATA] !== '1') return undefined;
  const state = typeof status === 'string' ? stateByStatus[status] : undefined;
  if (state === undefined) return undefined;
  const id = textOf(intent, 'id');
  const needsOwner = isFields(error) && isAuthenticationNeeded(error['code']);
  return {
    kind: 'session',
    session: id,
    orderId: orderOf(intent),
    paymentIntent: id,
    state,
    amount: countOf(intent, state === 'paid' ? 'amount_received' : 'amount'),
    currency: textOf(intent, 'currency'),
    failure: needsOwner ? 'authentication_required' : 'declined',
  };
}

/** Reads the sum of a charge's refunds. A charge without a payment intent is not ours. */
function readRefundSum(charge: Fields): RefundSumEvent | undefined {
  const paymentIntent = idOf(charge['payment_intent']);
  if (paymentIntent === undefined) return undefined;
  return {
    kind: 'refund_sum',
    orderId: orderOf(charge),
    paymentIntent,
    amount: countOf(charge, 'amount_refunded'),
    currency: textOf(charge, 'currency'),
  };
}

/** Money that is still on its way counts as refunded. */
const failedStatuses: ReadonlySet<unknown> = new Set(['failed', 'canceled']);

function readRefund(refund: Fields): RefundEvent | undefined {
  const paymentIntent = idOf(refund['payment_intent']);
  if (paymentIntent === undefined) return undefined;
  return {
    kind: 'refund',
    refund: textOf(refund, 'id'),
    paymentIntent,
    amount: countOf(refund, 'amount'),
    currency: textOf(refund, 'currency'),
    hasFailed: failedStatuses.has(refund['status']),
  };
}

/** An inquiry takes no money. A chargeback does, from its first day until it is won. */
const takingStatuses: ReadonlySet<unknown> = new Set(['needs_response', 'under_review', 'lost']);

function readDispute(dispute: Fields, type: string): DisputeEvent | undefined {
  const paymentIntent = idOf(dispute['payment_intent']);
  if (paymentIntent === undefined) return undefined;
  const isWithdrawn = type === 'charge.dispute.funds_withdrawn';
  const isReinstated = type === 'charge.dispute.funds_reinstated';
  return {
    kind: 'dispute',
    dispute: textOf(dispute, 'id'),
    paymentIntent,
    amount: countOf(dispute, 'amount'),
    currency: textOf(dispute, 'currency'),
    takesBack: isWithdrawn || (!isReinstated && takingStatuses.has(dispute['status'])),
  };
}

function orderOf(object: Fields): string | undefined {
  const metadata = object['metadata'];
  const orderId = isFields(metadata) ? metadata[ORDER_METADATA] : undefined;
  return typeof orderId === 'string' ? orderId : undefined;
}

/** Stripe sends a related object as an id or, if expanded, in full. */
function idOf(value: unknown): string | undefined {
  if (typeof value === 'string') return value;
  return isFields(value) && typeof value['id'] === 'string' ? value['id'] : undefined;
}

function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function fieldsOf(value: unknown, name: string): Fields {
  if (isFields(value)) return value;
  throw invalidEvent(`${name}: expected an object`);
}

function textOf(fields: Fields, name: string): string {
  const value = fields[name];
  if (typeof value === 'string' && value !== '') return value;
  throw invalidEvent(`${name}: expected a string`);
}

function countOf(fields: Fields, name: string): number {
  const value = fields[name];
  if (typeof value === 'number' && Number.isSafeInteger(value) && value >= 0) return value;
  throw invalidEvent(`${name}: expected a whole number`);
}

function invalidEvent(message: string): VerbatimError {
  return new VerbatimError('bad_request', message);
}
