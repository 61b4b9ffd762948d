/** Redirects, the responses of pages that are not views. */
import { clearedCookie, tokenCookie } from '../../accounts/cookies.ts';
import type { SignedIn } from '../../accounts/sign-in.ts';
import type { HttpResponse } from '../../http/messages.ts';
import type { DashboardDeps } from './dashboard-deps.ts';
import type { AnyCall } from './page.ts';

/**
 * Redirects to a page of this site, after a form or to the sign-in page. Any other target becomes
 * the dashboard.
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

/** Redirects to another site. The address must come from a trusted source. */
export function redirectAway(url: URL): HttpResponse {
  return { status: 303, headers: { Location: url.href }, body: '' };
}

/** A local path with a query. Excludes anything that a browser takes for a host, and line ends. */
const OWN_PATH = /^\/(?![/\\])[\w\-./~%?=&+:,!'()*;@$]*$/;

/** Returns the path if it is local, otherwise `otherwise`. */
export function ownPath(path: string | null | undefined, otherwise: string): string {
  return typeof path === 'string' && OWN_PATH.test(path) ? path : otherwise;
}

/** Returns where to go after signing in, as the form or the address says. */
export function nextOf({ form, query }: Pick<AnyCall, 'form' | 'query'>): string {
  return ownPath(form.get('next') ?? query.get('next'), '/dashboard');
}

/** Redirects to a page and sets the cookies of the session and of the known browser. */
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

/** Leads to the sign-in page, without the cookies of a session and an account that are over. */
export function redirectSignedOut(
  { isSecure }: Pick<DashboardDeps, 'isSecure'>,
  done: 'left' | 'deleted' | 'signed-out-everywhere',
): HttpResponse {
  return redirectTo(`/dashboard/sign-in?done=${done}`, [
    clearedCookie('session', isSecure),
    clearedCookie('browser', isSecure),
  ]);
}
