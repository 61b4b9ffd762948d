/** GET and POST /dashboard/try: runs a search with one of the customer's keys. */
import type { VerbatimError } from '../../errors.ts';
import { errorResponse, type TextResponse } from '../../http/responses.ts';
import type { SearchCall, SearchFacts } from '../../http/run-search.ts';
import { paidSearch } from '../../http/search-endpoint.ts';
import { parseSearchFields } from '../../http/validate.ts';
import { TryForm } from '../components/try-form.tsx';
import { KeyNeeded, NotCharged, TryHead } from '../components/try-head.tsx';
import { admitOwnKey } from '../page/admit-own-key.ts';
import type { DashboardDeps } from '../page/dashboard-deps.ts';
import { expectedErrorOf, formHandler } from '../page/forms.ts';
import { keepTried } from '../page/keep-tried.ts';
import { usableKeys } from '../page/key-state.ts';
import type { CustomerCall, View } from '../page/page.ts';
import {
  type Entered,
  enteredOf,
  fieldErrorOf,
  readEntered,
  requestOf,
} from '../page/try-fields.ts';
import { tryOnce } from '../page/try-once.ts';

/** `again` fills in what a request asked. */
export async function tryPage(deps: DashboardDeps, call: CustomerCall): Promise<View> {
  return await tryView(deps, call, (await askedBefore(deps, call)) ?? {});
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
export const tryForm = formHandler(tryAgain, async (deps, call) => {
  const entered = readEntered(call.form);
  const keys = await usableKeys(deps, call.session.customer.id);
  const key = keys.find(({ prefix }) => prefix === entered.key);
  // Another choice of lanes may give other results.
  const asked = { ...entered, lanes: [key?.lanes, key?.customerLanes] };
  return await tryOnce(deps, call, asked, () => search(deps, call, entered));
});

/** Returns the name of the result. */
async function search(deps: DashboardDeps, call: CustomerCall, entered: Entered): Promise<string> {
  const asked = requestOf(entered);
  const startedAt = deps.accounts.now();
  const paid = await admitOwnKey(deps, call, entered.key ?? '');
  let unread: SearchFacts['unread'];
  const onFound = (found: SearchFacts): void => {
    unread ??= found.unread;
  };
  const response = await answerTo(deps, { ...paid, showsLanes: false, onFound }, asked);
  return keepTried(deps, call, { paid, asked, startedAt, response, what: { entered, unread } });
}

async function answerTo(
  { service }: DashboardDeps,
  paid: SearchCall,
  asked: Record<string, unknown>,
): Promise<TextResponse> {
  try {
    return await paidSearch(service, paid, async () => {
      const request = parseSearchFields(asked);
      // The page says in words how likely each quote answers. The request that it shows does without.
      return { ...request, include: [...(request.include ?? []), 'answers'] };
    });
  } catch (error) {
    return errorResponse(expectedErrorOf(error));
  }
}

function tryAgain(deps: DashboardDeps, call: CustomerCall, error: VerbatimError): Promise<View> {
  return tryView(deps, call, readEntered(call.form), error);
}

async function tryView(
  deps: DashboardDeps,
  call: CustomerCall,
  entered: Entered,
  error?: VerbatimError,
): Promise<View> {
  const keys = await usableKeys(deps, call.session.customer.id);
  return {
    title: 'Try it',
    main: (
      <>
        <TryHead path="/dashboard/try">
          Ask in plain words. A search here costs one credit, as in the API. A failed search is
          free.
        </TryHead>
        {error === undefined ? null : <NotCharged status={error.status} message={error.message} />}
        {keys.length === 0 ? (
          <KeyNeeded what="A search" />
        ) : (
          <TryForm
            token={call.formToken()}
            keys={keys}
            entered={entered}
            isOpen={error !== undefined}
            error={error?.code === 'bad_request' ? fieldErrorOf(error.message) : undefined}
          />
        )}
      </>
    ),
  };
}
