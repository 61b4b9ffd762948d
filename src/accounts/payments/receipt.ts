/** What a receipt says. Its number counts the receipts of its customer, so nobody sees a gap. Pure. */
import type { Settings } from '../../settings/config.ts';
import { formatCredits } from '../amounts/credits.ts';
import { formatPrice } from '../amounts/price.ts';
import type { Buyer } from '../sql/buyers.ts';
import { amountRefunded } from '../sql/payment-decisions.ts';
import type { OwnPayment, Payment } from '../sql/payments.ts';

type Seller = Pick<Settings, 'sellerName' | 'sellerAddress' | 'sellerTaxLine'>;

export interface ReceiptFacts {
  payment: OwnPayment;
  buyer: Buyer;
  /** The address of the customer. */
  email: string;
  settings: Seller;
  /** The address of this service. */
  baseUrl: string;
}

export interface Receipt {
  number: string;
  /** What was bought, and for how much. */
  summary: string;
  rows: { label: string; lines: string[] }[];
}

const SEQUENCE_DIGITS = 4;

const day = new Intl.DateTimeFormat('en-US', { dateStyle: 'long', timeZone: 'UTC' });

/** Returns the number of a receipt, such as `12-0003`; undefined unless the payment has arrived. */
export function receiptNumber({
  customerId,
  receipt,
}: Pick<Payment, 'customerId' | 'receipt'>): string | undefined {
  if (receipt === null) return undefined;
  return `${customerId}-${String(receipt).padStart(SEQUENCE_DIGITS, '0')}`;
}

/** Returns the name and the address of the seller. */
export function sellerLines(
  { sellerName, sellerAddress }: Omit<Seller, 'sellerTaxLine'>,
  baseUrl: string,
): string[] {
  return linesOf([sellerName || new URL(baseUrl).host, ...sellerAddress.split('|')]);
}

/** Returns what a customer wants on receipts, with their address. */
export function buyerLines({ address, taxId }: Buyer, email: string): string[] {
  return linesOf([...address.split('\n'), email, taxId]);
}

const linesOf = (texts: readonly string[]): string[] =>
  texts.map((text) => text.trim()).filter(Boolean);

/** Returns the receipt of a payment; undefined unless it has arrived. */
export function receiptOf(facts: ReceiptFacts): Receipt | undefined {
  const { payment, buyer, email, settings, baseUrl } = facts;
  const { paidAt, credits, amount, currency, disputed, paymentMethod, paymentIntent } = payment;
  const number = receiptNumber(payment);
  if (number === undefined || paidAt === null) return undefined;
  const price = (some: number): string[] => (some === 0 ? [] : [formatPrice(some, currency)]);
  const rows = {
    Receipt: [number],
    Date: [day.format(paidAt)],
    Seller: sellerLines(settings, baseUrl),
    Buyer: buyerLines(buyer, email),
    Item: [`${formatCredits(credits)} for searches${paymentMethod ? ', automatic top-up' : ''}`],
    Paid: price(amount),
    Refunded: price(amountRefunded(payment)),
    Disputed: price(disputed),
    Tax: linesOf(settings.sellerTaxLine.split('|')),
    Payment: linesOf([paymentIntent ?? '']),
  };
  return {
    number,
    summary: `${formatCredits(credits)} for ${formatPrice(amount, currency)}`,
    rows: Object.entries(rows)
      .map(([label, lines]) => ({ label, lines }))
      .filter(({ lines }) => lines.length > 0),
  };
}
