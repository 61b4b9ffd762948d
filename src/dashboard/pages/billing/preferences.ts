/** POST /dashboard/billing/preferences: sets the low-credit warning, and what is on receipts. */
import { readBuyer } from '../../../accounts/buyer.ts';
import { setLowBalance } from '../../../accounts/credit.ts';
import type { BillingPreferences } from '../../components/billing-preferences.tsx';
import type { DashboardDeps } from '../../page/dashboard-deps.ts';
import { formHandler, readOptionalCredits, typed } from '../../page/forms.ts';
import type { CustomerCall } from '../../page/page.ts';
import { redirectTo } from '../../page/page-redirects.ts';
import { BILLING_PATH, billingView } from './billing.tsx';

export const preferencesForm = formHandler(
  (deps: DashboardDeps, call: CustomerCall, error) =>
    billingView(deps, call, { preferences: { ...typedPreferences(call), error } }),
  async ({ accounts }, call) => {
    const customerId = call.session.customer.id;
    const { lowBalance, ...facts } = typedPreferences(call);
    const credits = readOptionalCredits(lowBalance);
    const buyer = readBuyer(accounts, facts);
    await setLowBalance(accounts, { customerId, credits });
    await accounts.store.saveBuyer({ customerId, ...buyer });
    return redirectTo(`${BILLING_PATH}?done=saved`);
  },
);

function typedPreferences(call: CustomerCall): BillingPreferences {
  const [lowBalance, address, taxId] = ['low_balance', 'address', 'tax_id'].map((name) =>
    typed(call, name),
  ) as [string, string, string];
  return { lowBalance, address, taxId };
}
