/** GET /dashboard/requests/:id: one request, with what was asked, what it cost, and where its time went. */
import { VerbatimError } from '../../errors.ts';
import { TRY_PATH } from '../../http/api-paths.ts';
import { PlainLink } from '../components/button.tsx';
import { RequestDetailsView } from '../components/request-details.tsx';
import type { DashboardDeps } from '../page/dashboard-deps.ts';
import type { CustomerCall, View } from '../page/page.ts';
import { mayOpen } from '../page/role-access.ts';

/** The paths of searches, which can be tried again. */
const SEARCHES: ReadonlySet<string> = new Set(['/v1/search', TRY_PATH]);

/** Throws `not_found`. */
export async function requestPage(deps: DashboardDeps, call: CustomerCall): Promise<View> {
  const { customer, member } = call.session;
  const requestId = call.parameters['id'] ?? '';
  await deps.service.requests.flush();
  const { store } = deps.accounts;
  const request = await store.findRequest({ customerId: customer.id, requestId });
  if (request === undefined) throw new VerbatimError('not_found');
  // What was asked is the developers' business.
  const mayTry = mayOpen(member.role, TRY_PATH);
  const asked = mayTry && customer.askedDays > 0 ? request.asked : null;
  return {
    title: 'Request',
    main: (
      <RequestDetailsView
        request={{ ...request, asked }}
        action={
          asked !== null && SEARCHES.has(request.path) ? (
            <PlainLink href={`${TRY_PATH}?again=${requestId}`}>Try again</PlainLink>
          ) : undefined
        }
        unkept={
          customer.askedDays > 0 || !mayTry ? undefined : (
            <p class="soft">
              What was asked is not kept. <a href="/dashboard/account">Your account</a> can keep it.
            </p>
          )
        }
      />
    ),
  };
}
