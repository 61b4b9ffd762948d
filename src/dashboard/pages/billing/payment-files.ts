/** GET /dashboard/billing/payments.csv and payments.json: all payments of a customer. */
import { paymentsCsv, paymentsJson } from '../../../accounts/payment-report.ts';
import type { HttpResponse } from '../../../http/messages.ts';
import type { DashboardDeps } from '../../page/dashboard-deps.ts';
import { CSV_TYPE, download } from '../../page/download.ts';
import type { CustomerCall } from '../../page/page.ts';

export function paymentsCsvPage(deps: DashboardDeps, call: CustomerCall): HttpResponse {
  const pieces = paymentsCsv(deps.accounts, call.session.customer.id);
  return download(deps, call, { type: CSV_TYPE, name: 'verbatim-payments.csv', pieces });
}

export function paymentsJsonPage(deps: DashboardDeps, call: CustomerCall): HttpResponse {
  const pieces = paymentsJson(deps.accounts, call.session.customer.id);
  return download(deps, call, { type: 'application/json', name: 'verbatim-payments.json', pieces });
}
