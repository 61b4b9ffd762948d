/** Follows redirects, each as a request of its own. */
import { LaneFailure } from '../lane/lane-errors.ts';
import type { HttpRequest, HttpResponse } from './http-client.ts';

const REDIRECTS: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);

/**
 * The answer at the end of at most `redirectsMax` redirects. Keys stay with the origin that they
 * are for. Throws `bad_redirect` for too many, for one that leaves TLS, and for one of a POST.
 */
export async function followRedirects(
  request: HttpRequest,
  redirectsMax: number,
  exchange: (request: HttpRequest) => Promise<HttpResponse>,
): Promise<HttpResponse> {
  let next = request;
  for (let redirects = 0; redirects <= redirectsMax; redirects++) {
    const answer = await exchange(next);
    if (!REDIRECTS.has(answer.status)) return answer;
    if (next.body !== undefined) throw refused('a POST was redirected');
    next = redirected(next, answer.headers['location'] ?? '');
  }
  throw refused(`more than ${redirectsMax} redirects`);
}

function redirected(request: HttpRequest, location: string): HttpRequest {
  if (location === '' || !URL.canParse(location, request.url.href)) {
    throw refused('a redirect to no address');
  }
  const url = new URL(location, request.url);
  if (request.url.protocol === 'https:' && url.protocol !== 'https:') {
    throw refused('a redirect from TLS to plain text');
  }
  // Names and passwords in an address would be sent as a header.
  url.username = '';
  url.password = '';
  return url.origin === request.url.origin ? { ...request, url } : { url };
}

function refused(why: string): LaneFailure {
  return new LaneFailure('bad_redirect', why);
}
