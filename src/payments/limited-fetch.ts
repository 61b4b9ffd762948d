/** `fetch` with a limit on the size of a response, because Stripe's library reads all of it. */

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

async function readAtMost(response: Response, bytesMax: number): Promise<Uint8Array<ArrayBuffer>> {
  const pieces: Uint8Array[] = [];
  let bytes = 0;
  for await (const piece of response.body ?? []) {
    bytes += piece.length;
    if (bytes > bytesMax) throw new Error(`the response is larger than ${bytesMax} bytes`);
    pieces.push(piece);
  }
  return new Uint8Array(Buffer.concat(pieces));
}
