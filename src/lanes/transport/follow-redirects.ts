/** Follows redirects, each as a request of its own. */
import { LaneFailure } from '../lane/lane-errors.ts';
import type { HttpRequest, HttpResponse } from '../lane/provider.ts';

const REDIRECTS: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);

/**
 * The response at the end of at most `redirectsMax` redirects. Secret headers are sent to their
 * own origin only. Throws `bad_redirect` for too many redirects, for one from TLS to plain text,
 * and for one of a POST.
 */
export async function followRedirects<Response extends Omit<HttpResponse, 'body'>>(
  request: HttpRequest,
  redirectsMax: number,
  exchange: (request: HttpRequest) => Promise<Response>,
): Promise<Response> {
  let next = request;
  for (let redirects = 0; redirects <= redirectsMax; redirects++) {
    const response = await exchange(next);
    if (!REDIRECTS.has(response.status)) return response;
    if (next.body !== undefined) throw badRedirect('a POST was redirected');
    next = redirected(next, response.headers['location'] ?? '');
  }
  throw badRedirect(`more than ${redirectsMax} redirects`);
}

function redirected(request: HttpRequest, location: string): HttpRequest {
  if (location === '' || !URL.canParse(location, request.url.href)) {
    throw badRedirect('a redirect without a valid address');
  }
  const url = new URL(location, request.url);
  if (request.url.protocol === 'https:' && url.protocol !== 'https:') {
    throw badRedirect('a redirect from TLS to plain text');
  }
  // A user name and password in an address would be sent as a header.
  url.username = '';
  url.password = '';
  if (url.origin === request.url.origin) return { ...request, url };
  return request.headers === undefined ? { url } : { url, headers: request.headers };
}

function badRedirect(message: string): LaneFailure {
  return new LaneFailure('bad_redirect', message);
}
