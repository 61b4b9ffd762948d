/** Checks what Stripe answers about a Checkout session before a customer is sent there. Pure. */

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
  const fields = typeof answer === 'object' && answer !== null ? answer : {};
  const { id, url, expires_at, amount_total, currency } = fields as Record<string, unknown>;
  const { hosts, price } = expected;
  if (typeof id !== 'string' || !/^[\w-]{1,255}$/.test(id)) throw wrong('it has no session id');
  if (typeof url !== 'string') throw wrong(`the session ${id} has no payment address`);
  if (!isPaymentPage(url, hosts)) {
    throw wrong(`the payment address of ${id} is not https://${hosts.join(' or https://')}`);
  }
  if (typeof expires_at !== 'number' || !Number.isSafeInteger(expires_at)) {
    throw wrong(`the session ${id} has no time at which it expires`);
  }
  if (price !== undefined && (amount_total !== price.amount || currency !== price.currency)) {
    const { amount } = price;
    throw wrong(`${id} is for ${amount_total} ${currency}, not for ${amount} ${price.currency}`);
  }
  return { id, url, expiresAt: expires_at * 1000 };
}

/** An answer that must not be used. */
export class UnusableAnswer extends Error {}

function wrong(reason: string): UnusableAnswer {
  return new UnusableAnswer(reason);
}
