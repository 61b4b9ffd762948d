/**
 * Top-up: the offer, the payment page, and the meaning of Stripe's events. Only events add credit,
 * never a customer's return from the payment page.
 */
import { randomUUID } from 'node:crypto';
import { VerbatimError } from '../../errors.ts';
import type { AccountStore } from '../ports/account-store.ts';
import type { PaymentEvent } from '../sql/payment-decisions.ts';
import type { Payment } from '../sql/payments.ts';
import { type AutomaticTopUps, createAutomaticTopUps } from './automatic-top-ups.ts';
import {
  type CheckoutOptions,
  type CheckoutRequest,
  cancelCheckout,
  continueCheckout,
  createCheckout,
  endCheckouts,
  type Payer,
} from './checkout.ts';
import { checkoutHosts } from './checkout-answer.ts';
import { type Offer, parseOffer } from './packs.ts';
import type { StripeOptions } from './stripe.ts';
import { type CompletedSetUp, toCompletedSetUp, toPaymentEvent } from './stripe-events.ts';

export interface TopUpSettings extends StripeOptions {
  creditPacks: string;
  creditCurrency: string;
  checkoutsPerHourMax: number;
  topUpCheckMs: number;
  topUpsPerCheckMax: number;
  topUpRetryMs: number;
}

export interface TopUp {
  /** Undefined if top-up is off; the error `top_up_off` says what to do instead. */
  offer: Offer | undefined;
  /**
   * Returns the address of the payment page. Throws `top_up_off`, `bad_request` for an unknown
   * pack, `rate_limited`, and `checkout_failed` if Stripe does not respond.
   */
  createCheckout(request: CheckoutRequest): Promise<{ url: string }>;
  /** Returns the address of an order's payment page. Throws like `createCheckout`. */
  continueCheckout(payer: Payer, payment: Payment): Promise<{ url: string }>;
  /**
   * Gives up an order that is not paid, and ends its session. Money that arrives nevertheless is credited.
   * Throws `bad_request` if the order was paid, or is over.
   */
  cancelCheckout(payment: Payment): Promise<void>;
  /** Ends all sessions of a customer. Throws `account_kept` if one was paid and its event is to come. */
  endCheckouts(customerId: number): Promise<void>;
  /** The origins of the payment pages, for the policy of pages with forms that lead there. */
  paymentOrigins: readonly string[];
  /**
   * Returns what a webhook reports; undefined if it affects neither credit nor cards. Throws
   * `not_found` if top-up is off, `invalid_signature`, and `bad_request` if the signed body is not
   * an event.
   */
  readEvent(body: Buffer, signature: string): PaymentEvent | CompletedSetUp | undefined;
  /** Undefined if top-up is off. */
  automatic: AutomaticTopUps | undefined;
}

/**
 * Returns the offer; undefined if Stripe's secrets are not set, so top-up is off. Throws `usage`
 * naming the wrong variable.
 */
export function readOffer(settings: TopUpSettings): Offer | undefined {
  const offer = parseOffer(settings);
  return isSetUp(settings) ? offer : undefined;
}

/** Opens top-up. Loads Stripe's library only if there is an offer. */
export async function openTopUp(
  offer: Offer | undefined,
  settings: TopUpSettings,
  deps: Pick<CheckoutOptions, 'log' | 'now'> & { writer: AccountStore },
): Promise<TopUp> {
  if (offer === undefined) return switchedOff;
  const { createStripeClient, describeStripeError } = await import('./stripe.ts');
  const stripe = createStripeClient(settings);
  const { checkoutsPerHourMax: perHourMax } = settings;
  const hosts = checkoutHosts(settings);
  const options = { offer, perHourMax, hosts, stripe, describeError: describeStripeError, ...deps };
  return {
    offer,
    createCheckout: (request) => createCheckout(options, request),
    continueCheckout: (payer, payment) => continueCheckout(options, payer, payment),
    cancelCheckout: (payment) => cancelCheckout(options, payment),
    endCheckouts: (customerId) => endCheckouts(options, customerId),
    paymentOrigins: hosts.map((host) => `https://${host}`),
    readEvent(body, signature) {
      const event = stripe.verifyEvent(body, signature);
      return toCompletedSetUp(event) ?? toPaymentEvent(event);
    },
    automatic: createAutomaticTopUps({
      ...settings,
      offer,
      cards: stripe.cards,
      store: deps.writer,
      describeError: describeStripeError,
      newId: randomUUID,
      log: deps.log,
      now: deps.now,
    }),
  };
}

const switchedOff: TopUp = {
  offer: undefined,
  async createCheckout() {
    throw new VerbatimError('top_up_off');
  },
  async continueCheckout() {
    throw new VerbatimError('top_up_off');
  },
  async cancelCheckout() {
    throw new VerbatimError('top_up_off');
  },
  async endCheckouts() {},
  paymentOrigins: [],
  automatic: undefined,
  readEvent() {
    throw new VerbatimError('not_found');
  },
};

function isSetUp(settings: StripeOptions): boolean {
  const { stripeSecretKey, stripeWebhookSecret, stripeAddress } = settings;
  if (stripeSecretKey === '' && stripeWebhookSecret === '') return false;
  for (const { variable, value } of [
    { variable: 'VERBATIM_STRIPE_SECRET_KEY', value: stripeSecretKey },
    { variable: 'VERBATIM_STRIPE_WEBHOOK_SECRET', value: stripeWebhookSecret },
  ]) {
    if (value === '') throw new VerbatimError('usage', `${variable} is required for top-up`);
    if (/\s/.test(value)) {
      throw new VerbatimError('usage', `${variable} must not contain white space`);
    }
  }
  checkAddress(stripeAddress);
  checkDomain(settings.stripeCheckoutDomain);
  return true;
}

function checkDomain(domain: string): void {
  if (domain === '' || /^[a-z0-9-]+(\.[a-z0-9-]+)+$/.test(domain)) return;
  throw new VerbatimError(
    'usage',
    `VERBATIM_STRIPE_CHECKOUT_DOMAIN must be a host such as pay.example.org, not "${domain}"`,
  );
}

/** The secret key is sent there, so plain HTTP is allowed only on this machine. */
function checkAddress(text: string): void {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  const isLocal = url !== undefined && ['127.0.0.1', 'localhost'].includes(url.hostname);
  const isSafe = url?.protocol === 'https:' || (url?.protocol === 'http:' && isLocal);
  if (isSafe && url?.pathname === '/' && url.search === '' && url.username === '') return;
  throw new VerbatimError(
    'usage',
    `VERBATIM_STRIPE_ADDRESS must be an https address without a path, not "${text}"`,
  );
}
