/** What a browser gets where somebody was signed in. */
import { tokenCookie } from '../../accounts/cookies.ts';
import type { SignedIn } from '../../accounts/sign-in.ts';
import type { HttpAnswer } from '../../http/messages.ts';
import type { DashboardParts } from './deps.ts';
import { redirectTo } from './responses.ts';

/** Leads to a page, with the cookies of the session and of the browser. */
export function redirectSignedIn(
  path: string,
  { session, browser }: SignedIn,
  { isSecure }: Pick<DashboardParts, 'isSecure'>,
): HttpAnswer {
  return redirectTo(path, [
    tokenCookie('session', session, isSecure),
    tokenCookie('browser', browser, isSecure),
  ]);
}
