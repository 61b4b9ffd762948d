/**
 * GET /operator/requests: what fails, and a search by request id; /operator/requests/:id: one request; and
 * /operator/customers/:id/requests: those of a customer. What was asked is shown to its customer only.
 */
import { dayOf } from '../../../accounts/sql/calendar-month.ts';
import type { FailureCount } from '../../../accounts/sql/request-pages.ts';
import { VerbatimError } from '../../../errors.ts';
import { FilterForm } from '../../components/filter-form.tsx';
import { PageHead } from '../../components/page-head.tsx';
import { RequestDetailsView } from '../../components/request-details.tsx';
import { RequestIdField, RequestList } from '../../components/request-list.tsx';
import { withFilterFault } from '../../page/filter-faults.ts';
import { DAY_MS, linkTo } from '../../page/filter-fields.ts';
import { findRequests } from '../../page/find-requests.ts';
import type { Reply, View } from '../../page/page.ts';
import { redirectTo } from '../../page/page-redirects.ts';
import { Failures } from '../components/failures.tsx';
import { readsOf } from '../page/change-once.ts';
import type { OperatorCall } from '../page/operator-call.ts';
import type { OperatorDeps } from '../page/operator-deps.ts';
import { findShown } from './customer.tsx';

const PATH = '/operator/requests';
const FAILURES_SHOWN = 200;

const linkOf = (requestId: string): string => `${PATH}/${requestId}`;

/** Lists what failed today and yesterday: a day that has just begun says little. */
export async function recentFailures(
  deps: OperatorDeps,
  call: OperatorCall,
  limit: number,
): Promise<FailureCount[]> {
  await deps.flushRequests();
  const firstDay = dayOf(deps.now() - DAY_MS);
  return await readsOf(deps, call).listFailures({ firstDay, limit });
}

export async function failuresPage(deps: OperatorDeps, call: OperatorCall): Promise<Reply> {
  const id = call.query.get('id')?.trim() ?? '';
  await deps.flushRequests();
  if (id !== '' && (await deps.accounts.store.findRequest({ requestId: id }))) {
    return redirectTo(linkOf(id));
  }
  const failures = await recentFailures(deps, call, FAILURES_SHOWN);
  return {
    title: 'Requests',
    main: (
      <>
        <PageHead title="Requests">Find a request by its id, or see what fails.</PageHead>
        <FilterForm action={PATH}>
          <RequestIdField missing={id} />
        </FilterForm>
        <section class="card" aria-labelledby="failures">
          <h2 id="failures">Failures</h2>
          <Failures failures={failures} />
        </section>
      </>
    ),
  };
}

/** Throws `not_found`. */
export async function requestPage(deps: OperatorDeps, call: OperatorCall): Promise<View> {
  await deps.flushRequests();
  const requestId = call.parameters['id'] ?? '';
  const request = await deps.accounts.store.findRequest({ requestId });
  if (request === undefined) throw new VerbatimError('not_found');
  return {
    title: 'Request',
    main: (
      <RequestDetailsView
        request={{ ...request, asked: null }}
        action={
          <a class="button plain" href={`/operator/customers/${request.customerId}`}>
            Customer
          </a>
        }
        unkept={<p class="soft">Only the customer can see this.</p>}
      />
    ),
  };
}

/** Throws `not_found`. */
export async function customerRequestsPage(deps: OperatorDeps, call: OperatorCall): Promise<View> {
  const { id: customerId, email } = await findShown(deps, call);
  await deps.flushRequests();
  const { keys, read, found } = await findRequests(deps.accounts, customerId, call.query);
  const path = `/operator/customers/${customerId}/requests`;
  const { before: _before, ...fields } = read.fields;
  return withFilterFault(read, {
    title: `Requests of ${email}`,
    main: (
      <>
        <PageHead title="Requests">
          Of <a href={`/operator/customers/${customerId}`}>{email}</a>
        </PageHead>
        <RequestList path={path} read={read} keys={keys} found={found} linkOf={linkOf}>
          <p class="soft">This customer has made no request.</p>
        </RequestList>
        {found === undefined ? null : (
          <p>
            <a
              class="button plain"
              href={linkTo(`/operator/customers/${customerId}/refunds`, fields)}
            >
              Refund these …
            </a>
          </p>
        )}
      </>
    ),
  });
}
