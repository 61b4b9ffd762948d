/** GET /dashboard/requests: one line for each request, newest first, and their files. */
import { requestTable } from '../../accounts/account-tables.ts';
import type { Table } from '../../accounts/write-table.ts';
import { TRY_PATH } from '../../http/api-paths.ts';
import { Empty } from '../components/empty.tsx';
import { Downloads } from '../components/filtered-list.tsx';
import { formatCounted } from '../components/format-values.ts';
import { PageHead } from '../components/page-head.tsx';
import { RequestList } from '../components/request-list.tsx';
import { RoleLink } from '../components/role-link.tsx';
import type { DashboardDeps } from '../page/dashboard-deps.ts';
import { withFilterFault } from '../page/filter-faults.ts';
import { findRequests, requestsIn } from '../page/find-requests.ts';
import type { CustomerCall, Reply } from '../page/page.ts';
import { redirectTo } from '../page/page-redirects.ts';

const PATH = '/dashboard/requests';

const linkOf = (requestId: string): string => `${PATH}/${requestId}`;

/** With `id`, it leads to the page of that request. */
export async function requestsPage(deps: DashboardDeps, call: CustomerCall): Promise<Reply> {
  const id = call.query.get('id')?.trim() ?? '';
  await deps.service.requests.flush();
  const customerId = call.session.customer.id;
  if (id !== '' && (await deps.accounts.store.findRequest({ customerId, requestId: id }))) {
    return redirectTo(linkOf(id));
  }
  const { keys, read, found } = await findRequests(deps.accounts, customerId, call.query);
  const { requestDays } = deps.accounts.settings;
  return withFilterFault(read, {
    title: 'Requests',
    main: (
      <>
        <PageHead title="Requests" action={<Downloads path={PATH} read={read} />}>
          Each request to the API, kept for {formatCounted(requestDays, 'day')}. A request that
          fails is free.
        </PageHead>
        <RequestList
          path={PATH}
          read={read}
          keys={keys}
          missingId={id}
          found={found}
          linkOf={linkOf}
        >
          <Empty title="No requests yet">
            <p>Your requests will appear here, failed ones too.</p>
            <RoleLink class="button" href={TRY_PATH}>
              Try a search
            </RoleLink>
          </Empty>
        </RequestList>
      </>
    ),
  });
}

/** Returns the filtered requests. Throws `bad_request` for a wrong filter. */
export async function requestsFile(deps: DashboardDeps, call: CustomerCall): Promise<Table> {
  const customerId = call.session.customer.id;
  const { filter } = await requestsIn(deps.accounts, customerId, call.query);
  await deps.service.requests.flush();
  return requestTable(deps.accounts, filter);
}
