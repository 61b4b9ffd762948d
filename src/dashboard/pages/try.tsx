/** GET and POST /dashboard/try: a search with the credit of one of the customer's keys. */
import { listCustomerKeys } from '../../accounts/customer-keys.ts';
import { VerbatimError } from '../../errors.ts';
import { assertAllowed, consumeRate } from '../../http/authenticate.ts';
import type { HttpResponse } from '../../http/messages.ts';
import { errorResponse, type TextResponse } from '../../http/responses.ts';
import { paidSearch } from '../../http/search-endpoint.ts';
import { parseSearchFields } from '../../http/validate.ts';
import { type ApiKey, isRevoked } from '../../store/accounts/api-keys.ts';
import { Empty } from '../components/empty.tsx';
import { Notice } from '../components/notice.tsx';
import { PageHead } from '../components/page-head.tsx';
import { TryForm } from '../components/try-form.tsx';
import type { DashboardDeps } from '../page/dashboard-deps.ts';
import type { CustomerCall, View } from '../page/page.ts';
import { redirectTo } from '../page/redirects.ts';

interface Entered {
  query?: string;
  limit?: string;
  key?: string;
}

export function tryPage(deps: DashboardDeps, call: CustomerCall): View {
  return tryView(deps, call, {});
}

/**
 * Runs the search as POST /v1/search does. What came of it waits for the page that shows it, and
 * its credit is held: it is charged when that page has left, and given back if nobody fetches it.
 */
export async function tryForm(
  deps: DashboardDeps,
  call: CustomerCall,
): Promise<View | HttpResponse> {
  const entered = {
    query: call.form.get('query') ?? '',
    limit: call.form.get('limit') ?? '',
    key: call.form.get('key') ?? '',
  };
  const customerId = call.session.customer.id;
  const key = usableKeys(deps, customerId).find(({ prefix }) => prefix === entered.key);
  if (key === undefined) throw new VerbatimError('not_found');
  let response: TextResponse;
  try {
    assertAllowed(consumeRate(deps.service, key));
    const { requestId } = call;
    response = await paidSearch(
      deps.service,
      { key, requestId, logged: {}, showsLanes: false },
      async () =>
        parseSearchFields({ ...entered, limit: Number(entered.limit), fields: 'abstract' }),
    );
  } catch (error) {
    if (error instanceof VerbatimError && error.isForCustomers) {
      return tryView(deps, call, entered, errorResponse(error));
    }
    throw error;
  }
  if (response.status !== 200) {
    response.onSent?.(true);
    return tryView(deps, call, entered, response);
  }
  const name = deps.tried.put(customerId, {
    query: entered.query,
    limit: Number(entered.limit),
    requestId: call.requestId,
    response: response,
    keyName: key.name,
    keyPrefix: key.prefix,
  });
  return redirectTo(`/dashboard/try/${name}`);
}

function usableKeys(deps: DashboardDeps, customerId: number): ApiKey[] {
  const now = deps.accounts.now();
  return listCustomerKeys(deps.accounts, customerId).filter((key) => !isRevoked(key, now));
}

function tryView(
  deps: DashboardDeps,
  call: CustomerCall,
  entered: Entered,
  failed?: TextResponse,
): View {
  // What the API says of the error, but on a page.
  const { 'Content-Type': _, ...headers } = failed?.headers ?? {};
  const keys = usableKeys(deps, call.session.customer.id);
  return {
    title: 'Try it',
    ...(failed === undefined ? {} : { status: failed.status, headers }),
    main: (
      <>
        <PageHead title="Try it">
          Ask in plain words. A search from here is a search like any other: it costs one credit,
          and nothing where it fails.
        </PageHead>
        {failed === undefined ? null : (
          <Notice tone="bad">
            <p>
              <strong>{failed.status}</strong> {failed.body}. Nothing was charged.
            </p>
          </Notice>
        )}
        {keys.length === 0 ? (
          <Empty title="A search needs a key">
            <p>Create one first; this page then searches with its credit and within its limits.</p>
            <a class="button" href="/dashboard/keys">
              Create a key
            </a>
          </Empty>
        ) : (
          <TryForm token={call.formToken()} keys={keys} {...entered} />
        )}
      </>
    ),
  };
}
