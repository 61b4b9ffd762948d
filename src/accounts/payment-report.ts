/** All payments of a customer, as CSV and as JSON with the same fields. */
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { AccountDeps } from './account-deps.ts';
import { decimalAmount } from './amounts/price.ts';
import { paymentStatus, statusLabels } from './payments/payment-status.ts';
import { receiptNumber } from './payments/receipt.ts';
import { amountRefunded } from './sql/payment-decisions.ts';
import type { OwnPayment } from './sql/payments.ts';
import { csvHead, csvLines, csvTime } from './write-csv.ts';

type ReportDeps = Pick<AccountDeps, 'store' | 'settings' | 'now'>;

/** A field: its heading in CSV, its name in JSON, and what it has of a payment; null: nothing. */
type Field = readonly [heading: string, name: string, value: (of: OwnPayment) => Item];
type Item = string | number | boolean | Date | null;

function fieldsOf({ settings, now }: ReportDeps): readonly Field[] {
  const money = (pick: (of: OwnPayment) => number) => (of: OwnPayment) =>
    decimalAmount(pick(of), of.currency);
  const refundedOf = (of: OwnPayment): number => Math.min(amountRefunded(of), of.amount);
  const disputedOf = (of: OwnPayment): number => Math.min(of.disputed, of.amount - refundedOf(of));
  return [
    ['Ordered (UTC)', 'orderedAt', ({ createdAt }) => new Date(createdAt)],
    ['Paid (UTC)', 'paidAt', ({ paidAt }) => (paidAt === null ? null : new Date(paidAt))],
    ['Receipt', 'receipt', (of) => receiptNumber(of) ?? null],
    ['Status', 'status', (of) => statusLabels[paymentStatus(of, now())]],
    ['Currency', 'currency', ({ currency }) => currency.toUpperCase()],
    ['Amount', 'amount', money(({ amount }) => amount)],
    ['Refunded', 'refunded', money(refundedOf)],
    ['Disputed', 'disputed', money(disputedOf)],
    ['Tax', 'tax', ({ paidAt }) => (paidAt === null ? null : settings.sellerTaxLine || null)],
    ['Credits', 'credits', ({ credits }) => credits],
    ['Credits in the ledger', 'creditsGiven', ({ creditsGiven }) => creditsGiven],
    ['Automatic', 'isAutomatic', ({ paymentMethod }) => paymentMethod !== null],
    ['Reference', 'reference', (of) => of.paymentIntent ?? of.session],
    ['Order', 'order', ({ orderId }) => orderId],
  ];
}

/** Yields the file in pieces, newest first. Other requests run in between. */
export async function* paymentsCsv(deps: ReportDeps, customerId: number): AsyncGenerator<string> {
  const columns = fieldsOf(deps).map(
    ([heading, , value]) => [heading, (of: OwnPayment) => cellOf(value(of))] as const,
  );
  yield csvHead(columns);
  for await (const payments of pagesOf(deps, customerId)) yield csvLines(columns, payments);
}

function cellOf(item: Item): string | number {
  if (item instanceof Date) return csvTime(item.getTime());
  return typeof item === 'boolean' ? (item ? 'yes' : 'no') : (item ?? '');
}

/** Yields an object with the array `payments`, in pieces, newest first. */
export async function* paymentsJson(deps: ReportDeps, customerId: number): AsyncGenerator<string> {
  const fields = fieldsOf(deps);
  const write = (of: OwnPayment): string =>
    JSON.stringify(Object.fromEntries(fields.map(([, name, value]) => [name, value(of)])));
  let before = '{"payments":[';
  for await (const payments of pagesOf(deps, customerId)) {
    for (const payment of payments) {
      yield `${before}\n${write(payment)}`;
      before = ',';
    }
  }
  yield before === ',' ? '\n]}\n' : `${before}]}\n`;
}

async function* pagesOf(
  { store, settings }: ReportDeps,
  customerId: number,
): AsyncGenerator<OwnPayment[]> {
  let before: number | undefined;
  let hasOlder = true;
  while (hasOlder) {
    const paymentsMax = settings.csvEntriesPerRead;
    const page = await store.readBilling({ customerId, before, paymentsMax });
    yield page.payments;
    before = page.payments.at(-1)?.id;
    hasOlder = page.hasOlder && before !== undefined;
    await nextTurn();
  }
}
