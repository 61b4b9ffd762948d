/**
 * Topping up credit: what is on offer, where to pay, and what an event of Stripe means. Credits are
 * added by events alone, never because a customer came back from the page where they pay.
 */
import { VerbatimError } from '../errors.ts';
import type { PaymentEvent } from '../store/accounts/payment-events.ts';
import { type CheckoutOptions, type CheckoutRequest, createCheckout } from './checkout.ts';
import { type Offer, parseOffer } from './packs.ts';
import type { StripeOptions } from './stripe.ts';
import { toPaymentEvent } from './stripe-events.ts';

export interface TopUpSettings extends StripeOptions {
  creditPacks: string;
  creditCurrency: string;
  checkoutsPerHourMax: number;
}

export interface TopUp {
  /** Undefined where top-up is off; the error `top_up_off` says what to do then. */
  offer: Offer | undefined;
  /**
   * The address of the page where the customer pays. Throws `top_up_off`, `bad_request` for what is
   * not on offer, `rate_limited`, `checkout_failed` where Stripe does not answer.
   */
  createCheckout(request: CheckoutRequest): Promise<{ url: string }>;
  /**
   * What an event says about credit, undefined for nothing. Throws `not_found` where top-up is off,
   * `invalid_signature`, and `bad_request` for what is signed and is no event.
   */
  readEvent(body: Buffer, signature: string): PaymentEvent | undefined;
}

/**
 * What the settings put on offer; undefined where there are no secrets of Stripe, so that top-up is
 * off. Throws `usage` naming the variable that is wrong.
 */
export function readOffer(settings: TopUpSettings): Offer | undefined {
  const offer = parseOffer(settings);
  return isSetUp(settings) ? offer : undefined;
}

/** Loads Stripe's library where there is an offer. */
export async function openTopUp(
  offer: Offer | undefined,
  settings: TopUpSettings,
  deps: Pick<CheckoutOptions, 'writer' | 'log' | 'now'>,
): Promise<TopUp> {
  if (offer === undefined) return switchedOff;
  const { createStripeClient, describeStripeError } = await import('./stripe.ts');
  const stripe = createStripeClient(settings);
  const { checkoutsPerHourMax: perHourMax } = settings;
  const options = { offer, perHourMax, stripe, describeError: describeStripeError, ...deps };
  return {
    offer,
    createCheckout: (request) => createCheckout(options, request),
    readEvent: (body, signature) => toPaymentEvent(stripe.verifyEvent(body, signature)),
  };
}

const switchedOff: TopUp = {
  offer: undefined,
  async createCheckout() {
    throw new VerbatimError('top_up_off');
  },
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
    if (value === '') throw new VerbatimError('usage', `${variable} is missing for top-up`);
    if (/\s/.test(value)) {
      throw new VerbatimError('usage', `${variable} must not have white space in it`);
    }
  }
  checkAddress(stripeAddress);
  return true;
}

/** The secret key goes there: in the clear only within the machine. */
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
