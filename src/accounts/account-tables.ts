/** The tables of an account that customers download: requests, counts by day, ledger, and payments. */
import type { AccountDeps } from './account-deps.ts';
import { decimalAmount } from './amounts/price.ts';
import { entryLabel } from './credit-moves.ts';
import { paymentStatus, statusLabels } from './payments/payment-status.ts';
import { receiptNumber } from './payments/receipt.ts';
import type { LedgerFilter, LedgerPageEntry } from './sql/ledger-pages.ts';
import { amountRefunded } from './sql/payment-decisions.ts';
import type { OwnPayment } from './sql/payments.ts';
import type { KeyDayTotal, ListedRequest, RequestsOf } from './sql/request-pages.ts';
import { daysOf, type UsageRange } from './sql/usage-details.ts';
import { type Column, type Table, tableOf } from './write-table.ts';

type TableDeps = Pick<AccountDeps, 'store' | 'settings' | 'now'>;

/** Returns a time as a cell. */
export function timeCell(time: number | null): Date | null {
  return time === null ? null : new Date(time);
}

const requestColumns: readonly Column<ListedRequest>[] = [
  ['Time (UTC)', ({ createdAt }) => timeCell(createdAt)],
  ['Status', ({ status }) => status],
  ['Error', ({ code }) => code],
  ['Path', ({ path }) => path],
  ['Key', ({ keyName }) => keyName],
  ['Hash prefix of the key', ({ keyPrefix }) => keyPrefix],
  ['Milliseconds', ({ milliseconds }) => milliseconds],
  ['Credits', ({ credits }) => credits],
  ['Lanes', ({ lanes }) => lanes?.split(',') ?? []],
  ['Request id', ({ requestId }) => requestId],
];

/** Returns the requests of a filter, newest first. */
export function requestTable({ store, settings }: TableDeps, filter: RequestsOf): Table {
  const requestsMax = settings.csvEntriesPerRead;
  return tableOf('requests', requestColumns, (before) =>
    store.readRequestPage({ ...filter, before, requestsMax }),
  );
}

const dayColumns: readonly Column<KeyDayTotal & { day: string }>[] = [
  ['Day (UTC)', ({ day }) => day],
  ['Key', ({ keyName }) => keyName],
  ['Hash prefix of the key', ({ keyPrefix }) => keyPrefix],
  ['Path', ({ path }) => path],
  ['Status', ({ status }) => status],
  ['Error', ({ code }) => code],
  ['Requests', ({ calls }) => calls],
];

/** Returns the requests of each day, counted by key, path, and status. */
export function usageTable(
  { store }: TableDeps,
  { customerId, keyId, firstDay, lastDay }: UsageRange,
): Table {
  const days = daysOf({ firstDay, lastDay });
  return tableOf('usage', dayColumns, async (at = 0) => {
    const day = days[at] ?? lastDay;
    const totals = await store.countRequestsOfDay({ customerId, keyId, day });
    const rows = totals.map((total) => ({ ...total, day }));
    return { rows, next: at + 1 < days.length ? at + 1 : undefined };
  });
}

const entryColumns: readonly Column<LedgerPageEntry>[] = [
  ['Entry', ({ id }) => id],
  ['Time (UTC)', ({ createdAt }) => timeCell(createdAt)],
  ['What happened', entryLabel],
  ['Change in credits', ({ credits }) => credits],
  ['Balance', ({ balance }) => balance],
  ['Key', ({ keyName }) => keyName],
  ['Hash prefix of the key', ({ keyPrefix }) => keyPrefix],
  ['Request id', ({ requestId }) => requestId],
  ['Refunded (UTC)', ({ refundedAt }) => timeCell(refundedAt)],
  ['Payment', ({ reference }) => reference],
  ['Note', ({ note }) => note],
];

/** Returns the entries of the ledger that a filter selects, newest first. */
export function ledgerTable(
  { store, settings }: TableDeps,
  filter: LedgerFilter & { customerId: number },
): Table {
  const entriesMax = settings.csvEntriesPerRead;
  return tableOf('accounting', entryColumns, (before) =>
    store.readLedgerPage({ ...filter, before, entriesMax }),
  );
}

/** Returns all payments of a customer, newest first. */
export function paymentTable({ store, settings, now }: TableDeps, customerId: number): Table {
  const paymentsMax = settings.csvEntriesPerRead;
  const money = (pick: (of: OwnPayment) => number) => (of: OwnPayment) =>
    decimalAmount(pick(of), of.currency);
  const refundedOf = (of: OwnPayment): number => Math.min(amountRefunded(of), of.amount);
  const disputedOf = (of: OwnPayment): number => Math.min(of.disputed, of.amount - refundedOf(of));
  const columns: readonly Column<OwnPayment>[] = [
    ['Ordered (UTC)', ({ createdAt }) => timeCell(createdAt)],
    ['Paid (UTC)', ({ paidAt }) => timeCell(paidAt)],
    ['Receipt', (of) => receiptNumber(of) ?? null],
    ['Status', (of) => statusLabels[paymentStatus(of, now())]],
    ['Currency', ({ currency }) => currency.toUpperCase()],
    ['Amount', money(({ amount }) => amount)],
    ['Refunded', money(refundedOf)],
    ['Disputed', money(disputedOf)],
    ['Tax', ({ paidAt }) => (paidAt === null ? null : settings.sellerTaxLine || null)],
    ['Credits', ({ credits }) => credits],
    ['Credits in the ledger', ({ creditsGiven }) => creditsGiven],
    ['Automatic', ({ paymentMethod }) => paymentMethod !== null],
    ['Reference', (of) => of.paymentIntent ?? of.session],
    ['Order', ({ orderId }) => orderId],
  ];
  return tableOf('payments', columns, (before) =>
    store.readBilling({ customerId, before, paymentsMax }),
  );
}
