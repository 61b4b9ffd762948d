/** What a browser gets where somebody was signed in. */
import { tokenCookie } from '../../accounts/cookies.ts';
import type { SignedIn } from '../../accounts/sign-in.ts';
import type { HttpResponse } from '../../http/messages.ts';
import type { DashboardDeps } from './deps.ts';
import { redirectTo } from './responses.ts';

/** Leads to a page, with the cookies of the session and of the browser. */
export function redirectSignedIn(
  path: string,
  { session, browser }: SignedIn,
  { isSecure }: Pick<DashboardDeps, 'isSecure'>,
): HttpResponse {
  return redirectTo(path, [
    tokenCookie('session', session, isSecure),
    tokenCookie('browser', browser, isSecure),
  ]);
}
