/** The payment that a path names by its order. */

import type { OwnPayment } from '../../accounts/sql/payments.ts';
import { VerbatimError } from '../../errors.ts';
import type { DashboardDeps } from './dashboard-deps.ts';
import type { CustomerCall } from './page.ts';

/** Throws `not_found` if the customer has no such payment. */
export async function paymentOf(deps: DashboardDeps, call: CustomerCall): Promise<OwnPayment> {
  const orderId = call.parameters['order'] ?? '';
  const customerId = call.session.customer.id;
  const payment = await deps.accounts.store.findOwnPayment({ customerId, orderId });
  if (payment === undefined) throw new VerbatimError('not_found');
  return payment;
}
