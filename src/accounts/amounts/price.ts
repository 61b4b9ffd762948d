/** Prices, in the smallest unit of their currency, as people read and write them. Pure. */

/** Stripe's limit: eight digits. */
export const AMOUNT_MAX = 99_999_999;

/** Formats an amount: 500 in `usd` is `$5.00`, 500 in `jpy` is `¥500`. */
export function formatPrice(amount: number, currency: string): string {
  return formatOf(currency).format(amount / 10 ** digitsOf(currency));
}

function formatOf(currency: string): Intl.NumberFormat {
  return new Intl.NumberFormat('en-US', { style: 'currency', currency });
}

/** Returns the digits between the unit that people write and the smallest one. */
function digitsOf(currency: string): number {
  return formatOf(currency).resolvedOptions().maximumFractionDigits ?? 2;
}

/**
 * Parses an amount as customers write it: `25` and `25.50` in `usd` are 2500 and 2550. Undefined for
 * anything else.
 */
export function parseAmount(text: string, currency: string): number | undefined {
  const digits = digitsOf(currency);
  const [, whole, fraction = ''] = /^(\d{1,8})(?:\.(\d{1,3}))?$/.exec(text) ?? [];
  if (whole === undefined || fraction.length > digits) return undefined;
  const amount = Number(whole + fraction.padEnd(digits, '0'));
  return amount >= 1 && amount <= AMOUNT_MAX ? amount : undefined;
}

/** Writes an amount for programs, with all digits: 500 in `usd` is `5.00`. */
export function decimalAmount(amount: number, currency: string): string {
  const digits = digitsOf(currency);
  return (amount / 10 ** digits).toFixed(digits);
}

/** Writes an amount as `parseAmount` reads it. */
export function writeAmount(amount: number, currency: string): string {
  const digits = digitsOf(currency);
  return (amount / 10 ** digits).toFixed(amount % 10 ** digits === 0 ? 0 : digits);
}
