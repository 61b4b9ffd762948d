/**
 * Wraps Stripe's library in a few calls with plain values. Loaded on demand, because the library is
 * as large as the rest of the program.
 */
import Stripe from 'stripe';
import { detailsOf, VerbatimError } from '../../errors.ts';
import { formatCredits } from '../amounts/credits.ts';
import { type CheckoutAnswer, checkoutHosts, readCheckoutAnswer } from './checkout-answer.ts';
import { limitedFetch } from './limited-fetch.ts';
import { createStripeCards, type StripeCards } from './stripe-cards.ts';
import { ORDER_METADATA } from './stripe-events.ts';

export interface StripeOptions {
  stripeSecretKey: string;
  stripeWebhookSecret: string;
  stripeAddress: string;
  /** The operator's domain for Checkout at Stripe; empty if there is none. */
  stripeCheckoutDomain: string;
  stripeTimeoutMs: number;
  stripeResponseBytesMax: number;
  stripeRetriesMax: number;
  webhookAgeSecondsMax: number;
}

export interface SessionRequest {
  /** The order's id, which is also the idempotency key. */
  orderId: string;
  customerId: number;
  email: string;
  credits: number;
  amount: number;
  currency: string;
  successUrl: string;
  cancelUrl: string;
}

export interface StripeClient {
  cards: StripeCards;
  /**
   * Creates a Checkout session, or returns the one of the same order. Rejects with `UnusableAnswer` if
   * it is not what was asked for.
   */
  createSession(request: SessionRequest): Promise<CheckoutAnswer>;
  /** Ends a session, so that nobody can pay it any more. Returns how it has ended. */
  endSession(id: string): Promise<'expired' | 'complete'>;
  /**
   * Returns the event of a signed body. Throws `invalid_signature`, and `bad_request` if the body
   * is not JSON.
   */
  verifyEvent(body: Buffer, signature: string): unknown;
  /** Lists the sessions since a time, newest first, with their payment intents and charges. */
  listSessions(sinceMs: number, sessionsMax: number): AsyncIterable<unknown>;
}

const PAGE_SESSIONS = 100;

export function createStripeClient(options: StripeOptions): StripeClient {
  const { protocol, hostname, port } = new URL(options.stripeAddress);
  const isHttp = protocol === 'http:';
  const hosts = checkoutHosts(options);
  const stripe = new Stripe(options.stripeSecretKey, {
    protocol: isHttp ? 'http' : 'https',
    host: hostname,
    port: port === '' ? (isHttp ? 80 : 443) : Number(port),
    timeout: options.stripeTimeoutMs,
    maxNetworkRetries: options.stripeRetriesMax,
    telemetry: false,
    httpClient: Stripe.createFetchHttpClient(limitedFetch(options.stripeResponseBytesMax)),
  });
  return {
    cards: createStripeCards(stripe, hosts),
    async createSession(request) {
      const session = await stripe.checkout.sessions.create(sessionParameters(request), {
        idempotencyKey: request.orderId,
      });
      return readCheckoutAnswer(session, { hosts, price: request });
    },
    async endSession(id) {
      try {
        await stripe.checkout.sessions.expire(id);
        return 'expired';
      } catch (error) {
        if (!(error instanceof Stripe.errors.StripeInvalidRequestError)) throw error;
        // It was not open any more.
        const { status } = await stripe.checkout.sessions.retrieve(id);
        return status === 'complete' ? 'complete' : 'expired';
      }
    },
    verifyEvent(body, signature) {
      const { stripeWebhookSecret, webhookAgeSecondsMax } = options;
      try {
        return Stripe.webhooks.constructEvent(
          ...([body, signature, stripeWebhookSecret, webhookAgeSecondsMax] as const),
        );
      } catch (error) {
        const isSignature = error instanceof Stripe.errors.StripeSignatureVerificationError;
        throw isSignature
          ? new VerbatimError('invalid_signature')
          : new VerbatimError('bad_request', 'expected an event as JSON');
      }
    },
    async *listSessions(sinceMs, sessionsMax) {
      let listed = 0;
      const sessions = stripe.checkout.sessions.list({
        created: { gte: Math.floor(sinceMs / 1000) },
        limit: PAGE_SESSIONS,
        expand: ['data.payment_intent.latest_charge.refunds'],
      });
      for await (const session of sessions) {
        yield session;
        if (++listed >= sessionsMax) return;
      }
    },
  };
}

function sessionParameters(request: SessionRequest): Stripe.Checkout.SessionCreateParams {
  const { orderId, customerId, email, credits, amount, currency } = request;
  const metadata = { [ORDER_METADATA]: orderId };
  return {
    mode: 'payment',
    client_reference_id: String(customerId),
    customer_email: email,
    line_items: [
      {
        quantity: 1,
        price_data: {
          currency,
          unit_amount: amount,
          product_data: { name: `${formatCredits(credits)} for searches` },
        },
      },
    ],
    // The payment must match the order, in the same currency.
    adaptive_pricing: { enabled: false },
    metadata,
    payment_intent_data: { metadata },
    success_url: request.successUrl,
    cancel_url: request.cancelUrl,
  };
}

/** Describes a failed call for the operator, without secrets. */
export function describeStripeError(error: unknown): string {
  if (!(error instanceof Stripe.errors.StripeError)) return withoutSecrets(detailsOf(error));
  const { type, code, statusCode, requestId, message } = error;
  const facts = [type, code, statusCode, requestId].filter((fact) => fact !== undefined);
  return withoutSecrets(`${facts.join(' ')}: ${message}`);
}

/** Removes keys: Stripe's messages quote the start and the end of a wrong key. */
function withoutSecrets(text: string): string {
  return text.replace(/\b(sk|rk|pk|whsec)_[\w*]+/g, '$1_...');
}
