/** What the forms get that ask for a one-time link by an e-mail address alone. */
import { requestLink } from '../../accounts/links.ts';
import type { HttpResponse } from '../../http/messages.ts';
import type { DashboardDeps } from './deps.ts';
import { expectedErrorOf } from './expected-error.ts';
import type { PageCall } from './page.ts';
import { redirectTo } from './responses.ts';
import { refused, type View } from './view.ts';

/** Leads back to the page, which then says what follows; `view` of it where something was wrong. */
export function respondToLinkRequest(
  { accounts }: DashboardDeps,
  call: PageCall,
  { path, view }: { path: string; view: (wrong: string) => View },
): View | HttpResponse {
  try {
    const { browserToken } = call;
    const email = call.form.get('email') ?? '';
    requestLink(accounts, { email, address: call.address(), browserToken });
    return redirectTo(`${path}?done=asked`);
  } catch (error) {
    const told = expectedErrorOf(error);
    return refused(view(told.message), told);
  }
}
