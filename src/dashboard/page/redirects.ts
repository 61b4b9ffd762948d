/** Answers of pages that are no views: redirects. */
import { tokenCookie } from '../../accounts/cookies.ts';
import type { SignedIn } from '../../accounts/sign-in.ts';
import type { HttpResponse } from '../../http/messages.ts';
import type { DashboardDeps } from './dashboard-deps.ts';

/**
 * Sends the browser on, after a form was taken or where somebody has to sign in first. Leads to
 * pages of our own only: anything else leads to the first page.
 */
export function redirectTo(path: string, cookies: readonly string[] = []): HttpResponse {
  return {
    status: 303,
    headers: {
      Location: ownPath(path, '/dashboard'),
      ...(cookies.length > 0 ? { 'Set-Cookie': [...cookies] } : {}),
    },
    body: '',
  };
}

/** Sends the browser to an address that is not ours, from a source that we trust. */
export function redirectAway(url: URL): HttpResponse {
  return { status: 303, headers: { Location: url.href }, body: '' };
}

/** A path of our own, and a query: nothing that a browser takes for a host, and no line end. */
const OWN_PATH = /^\/(?![/\\])[\w\-./~%?=&+:,]*$/;

/** The path if it is one of our own, else `otherwise`. */
export function ownPath(path: string | null | undefined, otherwise: string): string {
  return typeof path === 'string' && OWN_PATH.test(path) ? path : otherwise;
}

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
