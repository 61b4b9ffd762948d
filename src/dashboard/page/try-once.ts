/** Runs a form of the page Try it once, however often it is sent. */
import { hashToken } from '../../accounts/sql/secret-tokens.ts';
import type { HttpResponse } from '../../http/messages.ts';
import type { DashboardDeps } from './dashboard-deps.ts';
import type { CustomerCall } from './page.ts';
import { redirectTo } from './page-redirects.ts';

/**
 * Redirects to the result of `work`, which returns its name in `tried`. Within the time that a result can be
 * viewed, a session that asks the same of the same index again gets the same result: after a second click,
 * and after Back, which loads a form that could not know an idempotency key. Throws what the work throws.
 */
export async function tryOnce(
  { service, tried, tryForms }: DashboardDeps,
  call: CustomerCall,
  asked: object,
  work: () => Promise<string>,
): Promise<HttpResponse> {
  const customerId = call.session.customer.id;
  const { path } = call.request;
  // No token stays in memory, because only a hash of all does.
  const session = call.cookieToken ?? '';
  const parts = [session, path, await service.indexVersion(), JSON.stringify(asked)];
  let isNew = false;
  for (;;) {
    const form = hashToken(parts.join(' ')).toString('base64url');
    const name = await tryForms.run(customerId, form, () => {
      isNew = true;
      return work();
    });
    if (isNew || tried.get(customerId, name) !== undefined) {
      return redirectTo(`/dashboard/try/${name}`);
    }
    // Nobody fetched it in time, so it was released.
    parts.push(name);
  }
}
