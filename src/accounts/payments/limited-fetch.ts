/** `fetch` with a limit on the size of a response, because Stripe's library reads all of it. */
import { readAtMost } from '../../read-at-most.ts';

/** Returns a `fetch` that rejects beyond the limit. Redirects are rejected: they could lead anywhere. */
export function limitedFetch(responseBytesMax: number): typeof fetch {
  return async (input, init) => {
    const response = await fetch(input, { ...init, redirect: 'error' });
    const body = await readAtMost(response, responseBytesMax);
    const { status, statusText, headers } = response;
    const mayHaveBody = status !== 204 && status !== 304;
    return new Response(mayHaveBody ? body : null, { status, statusText, headers });
  };
}
