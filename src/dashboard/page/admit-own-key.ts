/** A paid call from a page, with one of the customer's keys. */
import { VerbatimError } from '../../errors.ts';
import { rateError } from '../../http/authenticate.ts';
import { newCallRecord } from '../../http/call-record.ts';
import type { PaidCall } from '../../http/paid-call.ts';
import type { DashboardDeps } from './dashboard-deps.ts';
import type { CustomerCall } from './page.ts';

/**
 * Counts one request of the key and reads what it may spend. Throws `not_found` if the customer has no
 * such valid key, and `rate_limited`.
 */
export async function admitOwnKey(
  { accounts: { store, now } }: DashboardDeps,
  { session, requestId }: CustomerCall,
  prefix: string,
): Promise<PaidCall> {
  const customerId = session.customer.id;
  const admission = await store.admitOwnKey({ customerId, prefix, now: now() });
  if (admission === undefined) throw new VerbatimError('not_found');
  const { key, rate, credit } = admission;
  if (credit === undefined) throw rateError(rate);
  return { key, credit, requestId, logged: {}, record: newCallRecord() };
}
