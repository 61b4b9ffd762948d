/** POST /dashboard/billing/buyer: what a customer wants on receipts. */
import { readBuyer } from '../../../accounts/buyer.ts';
import type { Buyer } from '../../../accounts/sql/buyers.ts';
import type { DashboardDeps } from '../../page/dashboard-deps.ts';
import { formHandler } from '../../page/forms.ts';
import type { CustomerCall } from '../../page/page.ts';
import { redirectTo } from '../../page/page-redirects.ts';
import { BILLING_PATH, billingView } from './billing.tsx';

export const buyerForm = formHandler(
  (deps: DashboardDeps, call: CustomerCall, error) =>
    billingView(deps, call, { buyer: { ...typedBuyer(call), error: error.message } }),
  async (deps, call) => {
    const buyer = readBuyer(deps.accounts, typedBuyer(call));
    await deps.accounts.store.saveBuyer({ customerId: call.session.customer.id, ...buyer });
    return redirectTo(`${BILLING_PATH}?done=saved`);
  },
);

function typedBuyer({ form }: CustomerCall): Buyer {
  return { address: form.get('address') ?? '', taxId: form.get('tax_id') ?? '' };
}
