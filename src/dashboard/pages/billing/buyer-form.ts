/** POST /dashboard/billing/buyer: what a customer wants on receipts. */
import { readBuyer } from '../../../accounts/buyer.ts';
import type { HttpResponse } from '../../../http/messages.ts';
import type { DashboardDeps } from '../../page/dashboard-deps.ts';
import { expectedErrorOf } from '../../page/forms.ts';
import { type CustomerCall, type View, withError } from '../../page/page.ts';
import { redirectTo } from '../../page/page-redirects.ts';
import { BILLING_PATH, billingView } from './billing.tsx';

export async function buyerForm(
  deps: DashboardDeps,
  call: CustomerCall,
): Promise<View | HttpResponse> {
  const typed = { address: call.form.get('address') ?? '', taxId: call.form.get('tax_id') ?? '' };
  try {
    const buyer = readBuyer(deps.accounts, typed);
    await deps.accounts.store.saveBuyer({ customerId: call.session.customer.id, ...buyer });
    return redirectTo(`${BILLING_PATH}?done=saved`);
  } catch (error) {
    const expectedError = expectedErrorOf(error);
    const buyer = { ...typed, error: expectedError.message };
    return withError(await billingView(deps, call, { buyer }), expectedError);
  }
}
