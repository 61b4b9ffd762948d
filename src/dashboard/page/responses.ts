/** Answers of pages that are no views: redirects. */
import type { HttpResponse } from '../../http/messages.ts';
import { ownPath } from './own-path.ts';

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
