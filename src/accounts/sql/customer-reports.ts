/** What customers read of several tables at once. Each report reads one moment, and nothing of another customer. */
import type { Sql } from '../../database/sql/sql.ts';
import { readBalance } from './customers.ts';
import { listOwnKeys, type OwnKey } from './own-keys.ts';
import { type OwnPayment, type PaymentPageRequest, readPaymentPage } from './payments.ts';
import {
  countRequests,
  type ListedRequest,
  type RequestsOf,
  type RequestTotal,
  readRequestPage,
} from './request-pages.ts';
import type { Page } from './row-pages.ts';
import { type DayUsage, usageByDay } from './search-usage.ts';
import { readUsageDetails, type UsageDetails, type UsageRange } from './usage-details.ts';

/** Balance, keys, and days that agree with each other. */
export interface CustomerOverview {
  balance: number;
  /** Oldest first, including revoked ones. */
  keys: OwnKey[];
  /** The last days up to today, oldest first, including days without a search. */
  days: DayUsage[];
}

export function* readOverview(input: {
  customerId: number;
  days: number;
  now: number;
}): Sql<CustomerOverview> {
  return {
    balance: yield* readBalance(input.customerId),
    keys: yield* listOwnKeys(input),
    days: yield* usageByDay(input),
  };
}

export interface RequestView {
  page: Page<ListedRequest>;
  /** All requests of the filter by path and outcome. */
  totals: RequestTotal[];
}

/** Reads a page and counts all requests of its filter, whose times are the starts of days. */
export function* readRequests(
  filter: RequestsOf & { before?: number; requestsMax: number },
): Sql<RequestView> {
  return { page: yield* readRequestPage(filter), totals: yield* countRequests(filter) };
}

/** Usage by the day (`YYYY-MM-DD`) and by the id of the key, of whatever has some. */
export interface UsageView {
  byDay: ReadonlyMap<string, UsageDetails>;
  byKey: ReadonlyMap<string, UsageDetails>;
}

export function* readUsage(range: UsageRange): Sql<UsageView> {
  return {
    byDay: yield* readUsageDetails(range, 'day'),
    byKey: yield* readUsageDetails(range, 'key_id'),
  };
}

/** Balance and payments that agree with each other. */
export interface BillingView extends Page<OwnPayment> {
  balance: number;
}

/** Reads the balance and a page of payments, newest first. New payments shift nothing. */
export function* readBilling(request: PaymentPageRequest): Sql<BillingView> {
  const balance = yield* readBalance(request.customerId);
  const page = yield* readPaymentPage(request);
  return { ...page, balance };
}
