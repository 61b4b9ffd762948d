/** GET /dashboard/ledger.csv: the ledger, filtered as on its page, sent as it is read. */
import { listKeys } from '../../accounts/keys.ts';
import { ledgerCsv } from '../../accounts/ledger-csv.ts';
import { detailsOf, VerbatimError } from '../../errors.ts';
import type { HttpResponse } from '../../http/messages.ts';
import type { DashboardDeps } from '../page/deps.ts';
import { describeWrong, type ReadFilter, readFilter } from '../page/ledger-filter.ts';
import type { CustomerCall } from '../page/page.ts';

/** Throws `bad_request` naming the fields of the filter that are wrong. */
export function ledgerCsvPage(deps: DashboardDeps, call: CustomerCall): HttpResponse {
  const keys = listKeys(deps.accounts, call.session.customer.id);
  const read = readFilter(
    call.query,
    keys.map(({ prefix }) => prefix),
  );
  const wrong = describeWrong(read);
  if (wrong !== undefined) throw new VerbatimError('bad_request', wrong);
  return {
    status: 200,
    headers: {
      'Content-Type': 'text/csv; charset=utf-8; header=present',
      'Content-Disposition': 'attachment; filename="verbatim-ledger.csv"',
    },
    body: loggedCsv(deps, call, read.filter),
  };
}

/** The answer is under way when reading fails: it breaks off, and here alone is known why. */
async function* loggedCsv(
  deps: DashboardDeps,
  call: CustomerCall,
  filter: ReadFilter['filter'],
): AsyncGenerator<string> {
  try {
    yield* ledgerCsv(deps.accounts, { ...filter, customerId: call.session.customer.id });
  } catch (error) {
    const reason = detailsOf(error);
    deps.service.log.error('download_failed', { request_id: call.requestId, reason });
    throw error;
  }
}
