/** GET and POST /dashboard/try: runs a search with one of the customer's keys. */
import { VerbatimError } from '../../errors.ts';
import type { PaidCall } from '../../http/paid-call.ts';
import { errorResponse, type TextResponse } from '../../http/responses.ts';
import { paidSearch } from '../../http/search-endpoint.ts';
import { parseSearchFields } from '../../http/validate.ts';
import { TryForm } from '../components/try-form.tsx';
import { KeyNeeded, NotCharged, TryHead } from '../components/try-head.tsx';
import { admitOwnKey } from '../page/admit-own-key.ts';
import type { DashboardDeps } from '../page/dashboard-deps.ts';
import { usableKeys } from '../page/key-state.ts';
import type { CustomerCall, Reply, View } from '../page/page.ts';
import { redirectTo } from '../page/page-redirects.ts';
import { recentQuestionsOf, sessionName } from '../page/recent-questions.ts';
import { recordTried } from '../page/record-tried.ts';
import {
  type Entered,
  enteredOf,
  type FieldError,
  fieldErrorOf,
  readEntered,
  requestOf,
} from '../page/try-fields.ts';

/** `recent` fills in a question that was asked before, and `again` what a request asked. */
export async function tryPage(deps: DashboardDeps, call: CustomerCall): Promise<View> {
  const again = await askedBefore(deps, call);
  if (again !== undefined) return await tryView(deps, call, again);
  const id = Number(call.query.get('recent'));
  const recent = recentQuestionsOf(deps.recentQuestions, call).find((asked) => asked.id === id);
  return await tryView(deps, call, recent === undefined ? {} : { query: recent.query });
}

/** Returns the fields of the request that the address names, if what it asked is kept. */
async function askedBefore(
  { accounts: { store } }: DashboardDeps,
  { query, session: { customer } }: CustomerCall,
): Promise<Entered | undefined> {
  const requestId = query.get('again');
  if (requestId === null || customer.askedDays === 0) return undefined;
  const request = await store.findRequest({ customerId: customer.id, requestId });
  return request === undefined || request.asked === null
    ? undefined
    : enteredOf(request.asked, request.keyPrefix);
}

/**
 * Runs the search like POST /v1/search. Its credit stays held. It is charged when the result page
 * was sent, and released if nobody fetches that page.
 */
export async function tryForm(deps: DashboardDeps, call: CustomerCall): Promise<Reply> {
  const entered = readEntered(call.form);
  const customerId = call.session.customer.id;
  const tried = { asked: requestOf(entered), startedAt: deps.accounts.now() };
  let paid: PaidCall | undefined;
  let response: TextResponse;
  try {
    paid = await admitOwnKey(deps, call, entered.key ?? '');
    const searching = paidSearch(deps.service, { ...paid, showsLanes: false }, async () => {
      const request = parseSearchFields(tried.asked);
      // The page says in words how likely each quote answers. The request that it shows does without.
      return { ...request, include: [...(request.include ?? []), 'answers'] };
    });
    response = recordTried(deps, paid, tried, await searching);
  } catch (error) {
    if (error instanceof VerbatimError && error.isForCustomers) {
      if (paid !== undefined) recordTried(deps, paid, tried, errorResponse(error));
      const fieldError = error.code === 'bad_request' ? fieldErrorOf(error.message) : undefined;
      return await tryView(deps, call, entered, {
        response: errorResponse(error),
        error: fieldError,
      });
    }
    throw error;
  }
  if (response.status !== 200) {
    response.onSent?.(true);
    return await tryView(deps, call, entered, { response });
  }
  deps.recentQuestions.add(sessionName(call), entered.query ?? '');
  const name = deps.tried.put(customerId, {
    entered,
    requestId: call.requestId,
    response,
    keyName: paid.key.name,
    keyPrefix: paid.key.prefix,
  });
  return redirectTo(`/dashboard/try/${name}`);
}

/** A search without an answer, and the field that it failed for. */
interface Failed {
  response: TextResponse;
  error?: FieldError | undefined;
}

async function tryView(
  deps: DashboardDeps,
  call: CustomerCall,
  entered: Entered,
  failed?: Failed,
): Promise<View> {
  // The API's status and headers, but on a page.
  const { 'Content-Type': _, ...headers } = failed?.response.headers ?? {};
  const keys = await usableKeys(deps, call.session.customer.id);
  return {
    title: 'Try it',
    ...(failed === undefined ? {} : { status: failed.response.status, headers }),
    main: (
      <>
        <TryHead path="/dashboard/try">
          Ask in plain words. A search here costs one credit, as in the API. A failed search is
          free.
        </TryHead>
        {failed === undefined ? null : (
          <NotCharged status={failed.response.status} message={failed.response.body} />
        )}
        {keys.length === 0 ? (
          <KeyNeeded what="A search" />
        ) : (
          <TryForm
            token={call.formToken()}
            keys={keys}
            entered={entered}
            recent={recentQuestionsOf(deps.recentQuestions, call)}
            isOpen={failed !== undefined}
            error={failed?.error}
          />
        )}
      </>
    ),
  };
}
