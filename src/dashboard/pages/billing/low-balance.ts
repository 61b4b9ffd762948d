/** POST /dashboard/billing/low-balance: sets the low-credit warning. */
import { setLowBalance } from '../../../accounts/credit.ts';
import type { DashboardDeps } from '../../page/dashboard-deps.ts';
import { formHandler, readOptionalCredits, typed } from '../../page/forms.ts';
import type { CustomerCall } from '../../page/page.ts';
import { redirectTo } from '../../page/page-redirects.ts';
import { BILLING_PATH, billingView } from './billing.tsx';

export const lowBalanceForm = formHandler(
  (deps: DashboardDeps, call: CustomerCall, { message }) =>
    billingView(deps, call, { lowBalance: { text: typed(call, 'low_balance'), message } }),
  async (deps, call) => {
    const credits = readOptionalCredits(typed(call, 'low_balance'));
    await setLowBalance(deps.accounts, { customerId: call.session.customer.id, credits });
    return redirectTo(`${BILLING_PATH}?done=saved`);
  },
);
