/** GET /dashboard/requests, .csv, and .json: one line for each request, newest first. */
import { listCustomerKeys } from '../../accounts/customer-keys.ts';
import { readRequests, requestsCsv, requestsJson } from '../../accounts/requests.ts';
import { VerbatimError } from '../../errors.ts';
import { TRY_PATH } from '../../http/api-paths.ts';
import type { HttpResponse } from '../../http/messages.ts';
import { PlainLink } from '../components/button.tsx';
import { Empty } from '../components/empty.tsx';
import { FilterError } from '../components/filter-form.tsx';
import { formatCounted } from '../components/format-values.ts';
import { PageHead } from '../components/page-head.tsx';
import { FoundRequests, RequestFilterForm } from '../components/request-list.tsx';
import { RoleLink } from '../components/role-link.tsx';
import type { DashboardDeps } from '../page/dashboard-deps.ts';
import { CSV_TYPE, download } from '../page/download.ts';
import { describeErrors, linkTo } from '../page/filter-fields.ts';
import { type CustomerCall, type Reply, type View, withError } from '../page/page.ts';
import { redirectTo } from '../page/page-redirects.ts';
import { pageStartOf, readRequestFilter, selectedBy } from '../page/request-filter.ts';

const PATH = '/dashboard/requests';

/** With `id`, it leads to the page of that request. */
export async function requestsPage(deps: DashboardDeps, call: CustomerCall): Promise<Reply> {
  const id = call.query.get('id')?.trim() ?? '';
  await deps.service.requests.flush();
  const customerId = call.session.customer.id;
  if (id !== '' && (await deps.accounts.store.findRequest({ customerId, requestId: id }))) {
    return redirectTo(`${PATH}/${id}`);
  }
  const keys = await listCustomerKeys(deps.accounts, customerId);
  const read = readRequestFilter(call.query, keys);
  const error = describeErrors(read.errors);
  const { before: _before, after: _after, ...fields } = read.fields;
  const start = pageStartOf(read.filter);
  const found =
    error === undefined
      ? await readRequests(deps.accounts, { ...selectedBy(read, customerId), start })
      : undefined;
  const { requestDays } = deps.accounts.settings;
  const view: View = {
    title: 'Requests',
    main: (
      <>
        <PageHead
          title="Requests"
          action={error === undefined ? <Downloads fields={fields} /> : undefined}
        >
          Each request to the API, kept for {formatCounted(requestDays, 'day')}. A request that
          fails is free.
        </PageHead>
        {error === undefined ? null : (
          <FilterError what="requests" hidden={[read.errors.before, read.errors.after]} />
        )}
        <RequestFilterForm path={PATH} read={read} keys={keys} missingId={id} />
        {found === undefined ? null : (
          <FoundRequests
            path={PATH}
            linkOf={(requestId) => `${PATH}/${requestId}`}
            found={found}
            start={start}
            fields={fields}
          >
            <None />
          </FoundRequests>
        )}
      </>
    ),
  };
  return error === undefined ? view : withError(view, new VerbatimError('bad_request', error));
}

type Fields = Readonly<Record<string, string>>;

function Downloads({ fields }: { fields: Fields }) {
  return (
    <div class="row">
      <PlainLink href={linkTo(`${PATH}.csv`, fields)}>CSV</PlainLink>
      <PlainLink href={linkTo(`${PATH}.json`, fields)}>JSON</PlainLink>
    </div>
  );
}

function None() {
  return (
    <Empty title="No requests yet">
      <p>Your requests will appear here, failed ones too.</p>
      <RoleLink class="button" href={TRY_PATH}>
        Try a search
      </RoleLink>
    </Empty>
  );
}

/** Sends the filtered requests as CSV while they are read. Throws `bad_request` for a wrong filter. */
export function requestsCsvPage(deps: DashboardDeps, call: CustomerCall): Promise<HttpResponse> {
  return downloadOf(deps, call, { type: CSV_TYPE, ending: 'csv', write: requestsCsv });
}

/** Sends the filtered requests as JSON while they are read. Throws `bad_request` for a wrong filter. */
export function requestsJsonPage(deps: DashboardDeps, call: CustomerCall): Promise<HttpResponse> {
  return downloadOf(deps, call, { type: 'application/json', ending: 'json', write: requestsJson });
}

async function downloadOf(
  deps: DashboardDeps,
  call: CustomerCall,
  file: { type: string; ending: string; write: typeof requestsCsv },
): Promise<HttpResponse> {
  const customerId = call.session.customer.id;
  const read = readRequestFilter(call.query, await listCustomerKeys(deps.accounts, customerId));
  const error = describeErrors(read.errors);
  if (error !== undefined) throw new VerbatimError('bad_request', error);
  await deps.service.requests.flush();
  const pieces = file.write(deps.accounts, selectedBy(read, customerId));
  return download(deps, call, {
    type: file.type,
    name: `verbatim-requests.${file.ending}`,
    pieces,
  });
}

/** The former address of these pages. */
export function formerActivityPage(): HttpResponse {
  return redirectTo(PATH);
}
