/** Reads the requests that the query of a page filters, for their customer and for operators. */
import type { AccountDeps } from '../../accounts/account-deps.ts';
import { listCustomerKeys } from '../../accounts/customer-keys.ts';
import { readRequests } from '../../accounts/requests.ts';
import type { RequestView } from '../../accounts/sql/customer-reports.ts';
import type { RequestsOf } from '../../accounts/sql/request-pages.ts';
import { assertFilter, filterFaultOf } from './filter-faults.ts';
import type { NamedKey } from './filter-fields.ts';
import { type ReadRequestFilter, readRequestFilter } from './request-filter.ts';

interface FoundRequests {
  keys: readonly NamedKey[];
  read: ReadRequestFilter;
  /** Undefined if the filter is wrong. */
  found: RequestView | undefined;
}

/** Returns a page of requests with what it is filtered by. */
export async function findRequests(
  accounts: AccountDeps,
  customerId: number,
  query: URLSearchParams,
): Promise<FoundRequests> {
  const keys = await listCustomerKeys(accounts, customerId);
  const read = readRequestFilter(query, keys);
  const isWrong = filterFaultOf(read) !== undefined;
  const found = isWrong ? undefined : await readRequests(accounts, { ...read.filter, customerId });
  return { keys, read, found };
}

/** Returns the filter alone, for all requests at once. Throws `bad_request` for a wrong one. */
export async function requestsIn(
  accounts: AccountDeps,
  customerId: number,
  query: URLSearchParams,
): Promise<{ filter: RequestsOf; fields: ReadRequestFilter['fields'] }> {
  const read = readRequestFilter(query, await listCustomerKeys(accounts, customerId));
  assertFilter(read);
  return { filter: { ...read.filter, customerId }, fields: read.fields };
}
