/** What customers see of their credit: balance, usage and ledger. */

import type { AccountDeps } from './account-deps.ts';
import { assertCredits } from './customer-keys.ts';
import type { CustomerOverview } from './sql/customer-reports.ts';
import type { LedgerFilter, LedgerPageEntry } from './sql/ledger-pages.ts';
import type { Page } from './sql/row-pages.ts';
import type { Session } from './sql/sessions.ts';

export interface BalanceView {
  balance: number;
  /** The balance below which the dashboard warns; null: never. */
  lowBalance: number | null;
  isLow: boolean;
}

/** Reads the current balance of the signed-in customer. */
export async function readBalanceView(
  { store }: AccountDeps,
  { customer }: Pick<Session, 'customer'>,
): Promise<BalanceView> {
  return balanceView(customer, await store.readBalance(customer.id));
}

/** Returns a balance as the pages of its customer show it. */
export function balanceView(
  { lowBalance }: Pick<Session['customer'], 'lowBalance'>,
  balance: number,
): BalanceView {
  return { balance, lowBalance, isLow: lowBalance !== null && balance < lowBalance };
}

/** Sets or clears (null) the balance below which the dashboard warns. Throws `bad_request`. */
export async function setLowBalance(
  deps: AccountDeps,
  input: { customerId: number; credits: number | null },
): Promise<void> {
  assertCredits(input.credits);
  await deps.store.setLowBalance(input);
}

/** Reads the balance, the keys, and the searches of the last days up to today. */
export function readOverview(
  { store, now }: AccountDeps,
  { customerId, days }: { customerId: number; days: number },
): Promise<CustomerOverview> {
  return store.readOverview({ customerId, days, now: now() });
}

/** Reads a page of the ledger, newest first. `before` is the `next` of the previous page. */
export function ledgerPage(
  { store, settings }: AccountDeps,
  request: LedgerFilter & { customerId: number; before?: number },
): Promise<Page<LedgerPageEntry>> {
  return store.readLedgerPage({ ...request, entriesMax: settings.listPageRowsMax });
}
