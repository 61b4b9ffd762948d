/** GET /dashboard/billing/ORDER/receipt: a receipt to print. */

import { receiptOf } from '../../../accounts/payments/receipt.ts';
import { VerbatimError } from '../../../errors.ts';
import { PlainLink } from '../../components/button.tsx';
import { FactList } from '../../components/fact-list.tsx';
import { PageHead } from '../../components/page-head.tsx';
import type { DashboardDeps } from '../../page/dashboard-deps.ts';
import type { CustomerCall, View } from '../../page/page.ts';
import { paymentOf } from '../../page/payment-of.ts';

/** Throws `not_found` unless the customer has paid such an order. */
export async function receiptPage(deps: DashboardDeps, call: CustomerCall): Promise<View> {
  const payment = await paymentOf(deps, call);
  const { id: customerId, email } = call.session.customer;
  const buyer = await deps.accounts.store.findBuyer({ customerId });
  const { settings } = deps.accounts;
  const receipt = receiptOf({ payment, buyer, email, settings, baseUrl: deps.baseUrl() });
  if (receipt === undefined) throw new VerbatimError('not_found');
  const title = `Receipt ${receipt.number}`;
  return {
    title,
    isNarrow: true,
    main: (
      <>
        <PageHead title={title} />
        <section class="card" aria-label="Receipt">
          <FactList facts={receipt.rows} />
        </section>
        <p>
          <PlainLink href="/dashboard/billing">Back to billing</PlainLink>
        </p>
      </>
    ),
  };
}
