/** Saved cards at Stripe: saving one, charging it while its owner is away, and removing it. */
import Stripe from 'stripe';
import { formatNumber } from '../../text/format-number.ts';
import type { CardRemoval, OrderToAsk, SavedCard } from '../sql/automatic-top-up-rows.ts';
import {
  type CheckoutAnswer,
  readCheckoutAnswer,
  readIntentAnswer,
  readSavedCard,
} from './checkout-answer.ts';
import {
  AUTOMATIC_METADATA,
  isAuthenticationNeeded,
  ORDER_METADATA,
  SET_UP_METADATA,
} from './stripe-events.ts';

export interface SetUpRequest {
  /** Also the idempotency key. */
  setUp: string;
  customerId: number;
  email: string;
  currency: string;
  successUrl: string;
  cancelUrl: string;
}

/** How a charge ended without a payment. */
export type ChargeFailure = 'declined' | 'authentication_required' | 'refused';

export interface StripeCards {
  /** Creates the session in which a customer saves a card, or returns the one of the same set-up. */
  createSetUp(request: SetUpRequest): Promise<CheckoutAnswer>;
  /** Returns the card that a setup intent has saved. Rejects with `UnusableAnswer` if there is none. */
  readCard(setupIntent: string): Promise<SavedCard>;
  /**
   * Charges the card of an order, or returns the payment of the same order. Whatever Stripe answers, its
   * events say whether it was paid.
   */
  charge(order: OrderToAsk): Promise<{ paymentIntent: string } | { failure: ChargeFailure }>;
  /** Removes a card, and the customer that Stripe has made for it. May be repeated. */
  removeCard(card: CardRemoval): Promise<void>;
  /** Lists payment intents since a time, newest first, with their charges. */
  listPayments(sinceMs: number, paymentsMax: number): AsyncIterable<unknown>;
}

const PAGE_PAYMENTS = 100;

export function createStripeCards(stripe: Stripe, hosts: readonly string[]): StripeCards {
  return {
    async createSetUp(request) {
      const session = await stripe.checkout.sessions.create(setUpParameters(request), {
        idempotencyKey: request.setUp,
      });
      return readCheckoutAnswer(session, { hosts });
    },
    async readCard(setupIntent) {
      const expand = ['payment_method'];
      return readSavedCard(await stripe.setupIntents.retrieve(setupIntent, { expand }));
    },
    async charge(order) {
      try {
        const intent = await stripe.paymentIntents.create(chargeParameters(order), {
          idempotencyKey: order.orderId,
        });
        return { paymentIntent: readIntentAnswer(intent, order) };
      } catch (error) {
        const failure = failureOf(error);
        if (failure === undefined) throw error;
        return { failure };
      }
    },
    async removeCard({ stripeCustomer, paymentMethod }) {
      if (paymentMethod !== null) await unlessGone(stripe.paymentMethods.detach(paymentMethod));
      await unlessGone(stripe.customers.del(stripeCustomer));
    },
    async *listPayments(sinceMs, paymentsMax) {
      let listed = 0;
      const intents = stripe.paymentIntents.list({
        created: { gte: Math.floor(sinceMs / 1000) },
        limit: PAGE_PAYMENTS,
        expand: ['data.latest_charge.refunds'],
      });
      for await (const intent of intents) {
        yield intent;
        if (++listed >= paymentsMax) return;
      }
    },
  };
}

function setUpParameters(request: SetUpRequest): Stripe.Checkout.SessionCreateParams {
  const { setUp, customerId, email, currency, successUrl, cancelUrl } = request;
  const metadata = { [SET_UP_METADATA]: setUp };
  return {
    mode: 'setup',
    client_reference_id: String(customerId),
    customer_creation: 'always',
    customer_email: email,
    currency,
    allowed_payment_method_types: ['card'],
    metadata,
    setup_intent_data: { metadata },
    success_url: successUrl,
    cancel_url: cancelUrl,
  };
}

function chargeParameters(order: OrderToAsk): Stripe.PaymentIntentCreateParams {
  const { orderId, credits, amount, currency, stripeCustomer, paymentMethod } = order;
  return {
    amount,
    currency,
    customer: stripeCustomer,
    payment_method: paymentMethod,
    allowed_payment_method_types: ['card'],
    confirm: true,
    off_session: true,
    // Nobody is there who could confirm anything.
    error_on_requires_action: true,
    description: `${formatNumber(credits)} searches`,
    metadata: { [ORDER_METADATA]: orderId, [AUTOMATIC_METADATA]: '1' },
  };
}

/** Returns how a charge ended; undefined if it is unknown, so that the same request is made again. */
function failureOf(error: unknown): ChargeFailure | undefined {
  if (!(error instanceof Stripe.errors.StripeError)) return undefined;
  if (isAuthenticationNeeded(error.code)) return 'authentication_required';
  if (error instanceof Stripe.errors.StripeCardError) return 'declined';
  // The card or its customer is gone, or Stripe does not take such a payment.
  return error instanceof Stripe.errors.StripeInvalidRequestError ? 'refused' : undefined;
}

/** What is gone already cannot be removed again. */
async function unlessGone(removal: Promise<unknown>): Promise<void> {
  await removal.catch((error: unknown) => {
    if (!(error instanceof Stripe.errors.StripeInvalidRequestError)) throw error;
  });
}
