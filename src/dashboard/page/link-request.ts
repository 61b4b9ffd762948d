/** What the forms get that ask for a one-time link by an e-mail address alone. */
import { requestLink } from '../../accounts/links.ts';
import type { HttpAnswer } from '../../http/messages.ts';
import type { DashboardParts } from './deps.ts';
import { foreseen } from './expected-error.ts';
import type { PageCall } from './page.ts';
import { redirectTo } from './responses.ts';
import { refused, type View } from './view.ts';

/** Leads back to the page, which then says what follows; `view` of it where something was wrong. */
export function answerLinkRequest(
  { accounts }: DashboardParts,
  call: PageCall,
  { path, view }: { path: string; view: (wrong: string) => View },
): View | HttpAnswer {
  try {
    const { browserToken } = call;
    const email = call.form.get('email') ?? '';
    requestLink(accounts, { email, address: call.address(), browserToken });
    return redirectTo(`${path}?done=asked`);
  } catch (error) {
    const told = foreseen(error);
    return refused(view(told.message), told);
  }
}
