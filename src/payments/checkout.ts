/**
 * Takes a customer from a pack to the payment page. The order is written before Stripe is asked, so
 * every payment is known here. The order's id is the idempotency key, so a repeated form, or a
 * crash in between, leads to the same session.
 */
import { VerbatimError } from '../errors.ts';
import type { Log } from '../log.ts';
import type { OpenedCheckout, Order, Payment, PlacedOrder } from '../store/accounts/payments.ts';
import type { Offer } from './packs.ts';
import type { StripeClient } from './stripe.ts';

export interface CheckoutRequest {
  customerId: number;
  email: string;
  /** Identifies the pack. */
  credits: number;
  /** A UUID created with the form. The next purchase has another. */
  orderId: string;
  /** The return addresses on this service, in full. */
  successUrl: string;
  cancelUrl: string;
}

export interface CheckoutOptions {
  offer: Offer;
  perHourMax: number;
  stripe: Pick<StripeClient, 'createSession'>;
  describeError: (error: unknown) => string;
  /** Durable when they resolve; see the functions of these names. */
  writer: {
    placeOrder(order: Order): Promise<PlacedOrder>;
    openCheckout(checkout: OpenedCheckout): Promise<void>;
  };
  log: Log;
  now: () => number;
}

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** See `TopUp`. */
export async function createCheckout(
  options: CheckoutOptions,
  request: CheckoutRequest,
): Promise<{ url: string }> {
  const { offer, perHourMax, writer, now } = options;
  const { customerId, orderId } = request;
  const pack = offer.packs.find(({ credits }) => credits === request.credits);
  if (pack === undefined) throw new VerbatimError('bad_request', 'this pack does not exist');
  if (!UUID.test(orderId)) throw new VerbatimError('bad_request', 'the order has no valid id');
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
  const { payment } = placed;
  if (payment.state !== 'ordered' || (payment.expiresAt ?? Infinity) <= now()) throw alreadyUsed();
  if (payment.url !== null) return { url: payment.url };
  return await openSession(options, request, payment);
}

async function openSession(
  { stripe, writer, log, describeError }: CheckoutOptions,
  { customerId, email, successUrl, cancelUrl }: CheckoutRequest,
  { id, orderId, credits, amount, currency }: Payment,
): Promise<{ url: string }> {
  const session = await stripe
    .createSession({
      orderId,
      customerId,
      email,
      credits,
      amount,
      currency,
      successUrl,
      cancelUrl,
    })
    .catch((error: unknown) => {
      log.error('checkout_failed', { payment: id, reason: describeError(error) });
      throw new VerbatimError('checkout_failed');
    });
  const { url, expiresAt } = session;
  await writer.openCheckout({ orderId, session: session.id, url, expiresAt });
  return { url };
}

function alreadyUsed(): VerbatimError {
  return new VerbatimError(
    'bad_request',
    'this purchase was already started; choose the pack again',
  );
}
