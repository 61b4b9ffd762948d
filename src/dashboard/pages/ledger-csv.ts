/** GET /dashboard/ledger.csv: the ledger, filtered as on its page, sent as it is read. */
import { ledgerCsv } from '../../accounts/ledger-csv.ts';
import { detailsOf } from '../../errors.ts';
import type { HttpAnswer } from '../../http/server.ts';
import { readFilter } from '../ledger-filter.ts';
import type { CustomerCall } from '../page.ts';
import type { DashboardParts } from '../parts.ts';

export function ledgerCsvPage(parts: DashboardParts, call: CustomerCall): HttpAnswer {
  return {
    status: 200,
    headers: {
      'Content-Type': 'text/csv; charset=utf-8; header=present',
      'Content-Disposition': 'attachment; filename="verbatim-ledger.csv"',
    },
    body: call.request.method === 'HEAD' ? '' : loggedCsv(parts, call),
  };
}

/** The answer is under way when reading fails: it breaks off, and here alone is known why. */
async function* loggedCsv(parts: DashboardParts, call: CustomerCall): AsyncGenerator<string> {
  const { filter } = readFilter(call.query);
  try {
    yield* ledgerCsv(parts.accounts, { ...filter, customerId: call.session.customer.id });
  } catch (error) {
    const reason = detailsOf(error);
    parts.service.log.error('download_failed', { request_id: call.requestId, reason });
    throw error;
  }
}
