/** POST /dashboard/billing/low-balance: sets the low-credit warning. */

import { parseCredits } from '../../../accounts/amounts/credits.ts';
import { setLowBalance } from '../../../accounts/credit.ts';
import { VerbatimError } from '../../../errors.ts';
import type { HttpResponse } from '../../../http/messages.ts';
import type { DashboardDeps } from '../../page/dashboard-deps.ts';
import { CREDITS_ADVICE } from '../../page/forms.ts';
import { type CustomerCall, type View, withError } from '../../page/page.ts';
import { redirectTo } from '../../page/page-redirects.ts';
import { BILLING_PATH, billingView } from './billing.tsx';

export async function lowBalanceForm(
  deps: DashboardDeps,
  call: CustomerCall,
): Promise<View | HttpResponse> {
  const text = (call.form.get('low_balance') ?? '').trim();
  const credits = text === '' ? null : parseCredits(text);
  if (credits === undefined) {
    const view = await billingView(deps, call, { lowBalance: { text, message: CREDITS_ADVICE } });
    return withError(view, new VerbatimError('invalid_field'));
  }
  await setLowBalance(deps.accounts, { customerId: call.session.customer.id, credits });
  return redirectTo(`${BILLING_PATH}?done=saved`);
}
