/** What customers see of their requests, and what is kept of them. */
import type { AccountDeps } from './account-deps.ts';
import type { RequestView } from './sql/customer-reports.ts';
import type { RequestsOf } from './sql/request-pages.ts';

/**
 * Reads a page of requests, newest first, and counts all of the filter by path and outcome. Its times are
 * the starts of days.
 */
export function readRequests(
  { store, settings }: AccountDeps,
  filter: RequestsOf & { before?: number },
): Promise<RequestView> {
  return store.readRequests({ ...filter, requestsMax: settings.listPageRowsMax });
}

/** Keeps what is asked for so many days from now on, or, with 0, forgets what was kept. */
export async function keepAsked(
  { store, settings, background }: AccountDeps,
  { customerId, days }: { customerId: number; days: number },
): Promise<void> {
  await store.setAskedDays({ customerId, days });
  if (days > 0) return;
  const limit = settings.usageDetailsDeletedMax;
  background.run('forget what was asked', async () => {
    while ((await store.forgetAsked({ customerId, limit })) === limit);
  });
}
