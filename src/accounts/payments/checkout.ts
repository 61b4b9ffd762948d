/**
 * Takes a customer from a pack to the payment page. The order is written before Stripe is asked, so
 * every payment is known here. The order's id is the idempotency key, so a repeated form, or a
 * crash in between, leads to the same session.
 */
import { VerbatimError } from '../../errors.ts';
import type { Log } from '../../log.ts';
import { isUuid } from '../../text/uuid.ts';
import { paymentOnItsWay } from '../sql/delete-customer.ts';
import type { OpenedCheckout, Order, Payment, PlacedOrder } from '../sql/payments.ts';
import { isPaymentPage, UnusableAnswer } from './checkout-answer.ts';
import { findPack, type Offer } from './packs.ts';
import { isOpen } from './payment-status.ts';
import type { StripeClient } from './stripe.ts';

/** Who pays, and where Stripe sends them afterwards. */
export interface Payer {
  customerId: number;
  email: string;
  /** The return addresses on this service, in full. */
  successUrl: string;
  cancelUrl: string;
}

export interface CheckoutRequest extends Payer {
  /** Identifies the pack. */
  credits: number;
  /** A UUID created with the form. The next purchase has another. */
  orderId: string;
}

export interface CheckoutOptions {
  offer: Offer;
  perHourMax: number;
  /** The hosts of payment pages. */
  hosts: readonly string[];
  stripe: Pick<StripeClient, 'createSession' | 'endSession'>;
  describeError: (error: unknown) => string;
  /** Durable when they resolve; see the functions of these names. */
  writer: {
    placeOrder(order: Order): Promise<PlacedOrder>;
    openCheckout(checkout: OpenedCheckout): Promise<void>;
    listOpenCheckouts(of: { customerId: number; now: number }): Promise<Payment[]>;
    cancelOrders(of: { customerId: number; orderId?: string; now: number }): Promise<boolean>;
  };
  log: Log;
  now: () => number;
}

/** See `TopUp`. */
export async function createCheckout(
  options: CheckoutOptions,
  request: CheckoutRequest,
): Promise<{ url: string }> {
  const { offer, perHourMax, writer, now } = options;
  const { customerId, orderId } = request;
  const pack = findPack(offer, request.credits);
  if (pack === undefined) throw new VerbatimError('bad_request', 'this pack does not exist');
  if (!isUuid(orderId)) throw new VerbatimError('bad_request', 'the order has no valid id');
  const { currency } = offer;
  const placed = await writer.placeOrder({
    orderId,
    customerId,
    ...pack,
    currency,
    perHourMax,
    now: now(),
  });
  if ('rejection' in placed) {
    if (placed.rejection === 'too_many') throw new VerbatimError('rate_limited');
    throw alreadyUsed();
  }
  return await continueCheckout(options, request, placed.payment);
}

/** Leads to the payment page of an order that was placed. See `TopUp`. */
export async function continueCheckout(
  options: CheckoutOptions,
  payer: Payer,
  payment: Payment,
): Promise<{ url: string }> {
  if (!isOpen(payment, options.now())) throw alreadyUsed();
  const { url } = payment;
  if (url === null) return await openSession(options, payer, payment);
  // The operator may have changed the domain since.
  if (isPaymentPage(url, options.hosts)) return { url };
  throw failed(options, payment, new UnusableAnswer('the stored payment address is not allowed'));
}

async function openSession(
  options: CheckoutOptions,
  payer: Payer,
  payment: Payment,
): Promise<{ url: string }> {
  const { stripe, writer } = options;
  const { orderId, credits, amount, currency } = payment;
  const session = await stripe
    .createSession({ ...payer, orderId, credits, amount, currency })
    .catch((error: unknown) => {
      throw failed(options, payment, error);
    });
  const { url, expiresAt } = session;
  await writer.openCheckout({ orderId, session: session.id, url, expiresAt });
  return { url };
}

/** Gives up an order of a customer. See `TopUp`. */
export async function cancelCheckout(options: CheckoutOptions, payment: Payment): Promise<void> {
  const { writer, now } = options;
  const { customerId, orderId } = payment;
  if (!isOpen(payment, now()) || (await isPaidAtStripe(options, payment))) {
    throw new VerbatimError('bad_request', 'this payment can no longer be canceled');
  }
  await writer.cancelOrders({ customerId, orderId, now: now() });
}

/** Ends all sessions of a customer. See `TopUp`. */
export async function endCheckouts(options: CheckoutOptions, customerId: number): Promise<void> {
  const { writer, now } = options;
  for (const payment of await writer.listOpenCheckouts({ customerId, now: now() })) {
    if (await isPaidAtStripe(options, payment)) throw paymentOnItsWay();
  }
}

/**
 * Ends the session of an order, and returns whether it was paid before. A session that Stripe does not end
 * now ends by itself within a day, and a payment until then is credited.
 */
async function isPaidAtStripe(
  { stripe, log, describeError }: CheckoutOptions,
  { id, session }: Payment,
): Promise<boolean> {
  if (session === null) return false;
  try {
    return (await stripe.endSession(session)) === 'complete';
  } catch (error) {
    log.error('checkout_not_ended', { payment: id, reason: describeError(error) });
    return false;
  }
}

/** Logs the failure and returns the error for the customer. The order stays and can be continued. */
function failed(
  { log, describeError }: Pick<CheckoutOptions, 'log' | 'describeError'>,
  { id }: Payment,
  error: unknown,
): VerbatimError {
  log.error('checkout_failed', { payment: id, reason: describeError(error) });
  return new VerbatimError(
    error instanceof UnusableAnswer ? 'checkout_unusable' : 'checkout_failed',
  );
}

function alreadyUsed(): VerbatimError {
  return new VerbatimError(
    'bad_request',
    'this purchase was already started; choose the pack again',
  );
}
