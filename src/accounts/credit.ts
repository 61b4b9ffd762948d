/** What customers see of their credit: balance, usage and ledger. */
import { readBalance } from '../store/accounts/customers.ts';
import {
  type LedgerFilter,
  type LedgerPage,
  readLedgerPage,
} from '../store/accounts/ledger-pages.ts';
import { type DayUsage, usageByDay } from '../store/accounts/search-usage.ts';
import type { Session } from '../store/accounts/sessions.ts';
import type { AccountDeps } from './account-deps.ts';
import { assertCredits } from './customer-keys.ts';

export interface BalanceView {
  balance: number;
  /** The balance below which the dashboard warns; null: never. */
  lowBalance: number | null;
  isLow: boolean;
}

/** Reads the current balance of the signed-in customer. */
export function readBalanceView({ db }: AccountDeps, { customer }: Session): BalanceView {
  const { id, lowBalance } = customer;
  const balance = readBalance(db, id);
  return { balance, lowBalance, isLow: lowBalance !== null && balance < lowBalance };
}

/** Sets or clears (null) the balance below which the dashboard warns. Throws `bad_request`. */
export async function setLowBalance(
  deps: AccountDeps,
  given: { customerId: number; credits: number | null },
): Promise<void> {
  assertCredits(given.credits);
  await deps.write('setLowBalance', given);
}

/**
 * Returns the searches per day for the last days up to today, oldest first, including days without
 * any.
 */
export function searchesByDay(
  { db, now }: AccountDeps,
  { customerId, days }: { customerId: number; days: 30 | 90 },
): DayUsage[] {
  return usageByDay(db, { customerId, days, now: now() });
}

/** Reads a page of the ledger, newest first. `before` is the `next` of the previous page. */
export function ledgerPage(
  { db, settings }: AccountDeps,
  request: LedgerFilter & { customerId: number; before?: number },
): LedgerPage {
  return readLedgerPage(db, { ...request, entriesMax: settings.ledgerPageEntriesMax });
}
