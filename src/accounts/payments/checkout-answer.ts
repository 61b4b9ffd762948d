/** Checks what Stripe answers about a Checkout session before a customer is sent there. Pure. */

import type { SavedCard } from '../sql/automatic-top-up-rows.ts';

export interface CheckoutAnswer {
  id: string;
  /** Where the customer pays. */
  url: string;
  expiresAt: number;
}

export interface ExpectedCheckout {
  /** The hosts of Stripe's payment pages, such as `checkout.stripe.com`. */
  hosts: readonly string[];
  /** Undefined for a session that only saves a card. */
  price?: { amount: number; currency: string } | undefined;
}

/** Stripe's own host of payment pages. A custom domain is another one. */
const CHECKOUT_HOST = 'checkout.stripe.com';
const URL_CHARACTERS_MAX = 2_000;
const CARD_CHARACTERS_MAX = 20;

/** Returns the hosts of payment pages: Stripe's, and the operator's domain at Stripe if there is one. */
export function checkoutHosts({
  stripeCheckoutDomain,
}: {
  stripeCheckoutDomain: string;
}): string[] {
  return stripeCheckoutDomain === '' ? [CHECKOUT_HOST] : [CHECKOUT_HOST, stripeCheckoutDomain];
}

/** Returns whether an address is one of Stripe's payment pages. */
export function isPaymentPage(address: string, hosts: readonly string[]): boolean {
  if (address.length > URL_CHARACTERS_MAX || !URL.canParse(address)) return false;
  const url = new URL(address);
  return url.protocol === 'https:' && hosts.includes(url.host) && url.username === '';
}

/** Reads an answer of any shape. Throws an error that says what is wrong with it. */
export function readCheckoutAnswer(answer: unknown, expected: ExpectedCheckout): CheckoutAnswer {
  const { id, url, expires_at, amount_total, currency } = fieldsOf(answer);
  const { hosts, price } = expected;
  if (typeof id !== 'string' || !/^[\w-]{1,255}$/.test(id))
    throw unusableAnswer('it has no session id');
  if (typeof url !== 'string') throw unusableAnswer(`the session ${id} has no payment address`);
  if (!isPaymentPage(url, hosts)) {
    throw unusableAnswer(
      `the payment address of ${id} is not https://${hosts.join(' or https://')}`,
    );
  }
  if (typeof expires_at !== 'number' || !Number.isSafeInteger(expires_at)) {
    throw unusableAnswer(`the session ${id} has no time at which it expires`);
  }
  if (price !== undefined && (amount_total !== price.amount || currency !== price.currency)) {
    const { amount } = price;
    throw unusableAnswer(
      `${id} is for ${amount_total} ${currency}, not for ${amount} ${price.currency}`,
    );
  }
  return { id, url, expiresAt: expires_at * 1000 };
}

/** Reads the name of a payment intent. Throws if it is not for what was ordered. */
export function readIntentAnswer(
  answer: unknown,
  price: { amount: number; currency: string },
): string {
  const { id, amount, currency } = fieldsOf(answer);
  const name = readName(id, 'the payment');
  if (amount === price.amount && currency === price.currency) return name;
  throw unusableAnswer(
    `${name} is for ${amount} ${currency}, not for ${price.amount} ${price.currency}`,
  );
}

/** Reads the card of a setup intent with its payment method. */
export function readSavedCard(answer: unknown): SavedCard {
  const { status, customer, payment_method } = fieldsOf(answer);
  if (status !== 'succeeded') throw unusableAnswer(`the setup intent is ${String(status)}`);
  const { id, card } = fieldsOf(payment_method);
  const { brand, last4 } = fieldsOf(card);
  const text = (value: unknown): string =>
    typeof value === 'string' ? value.slice(0, CARD_CHARACTERS_MAX) : '';
  const isObject = typeof customer === 'object';
  return {
    stripeCustomer: readName(isObject ? fieldsOf(customer)['id'] : customer, 'the customer'),
    paymentMethod: readName(id, 'the payment method'),
    card: `${text(brand)} ${text(last4)}`.trim(),
  };
}

function readName(id: unknown, what: string): string {
  if (typeof id === 'string' && /^[\w-]{1,255}$/.test(id)) return id;
  throw unusableAnswer(`${what} has no name`);
}

function fieldsOf(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
}

/** An answer that must not be used. */
export class UnusableAnswer extends Error {}

function unusableAnswer(reason: string): UnusableAnswer {
  return new UnusableAnswer(reason);
}
