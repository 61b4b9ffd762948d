/** Reads the body of a response, with a limit on its size. */

/** Returns the body. Throws beyond the limit. */
export async function readAtMost(
  response: Response,
  bytesMax: number,
): Promise<Buffer<ArrayBuffer>> {
  const pieces: Uint8Array[] = [];
  let bytes = 0;
  for await (const piece of response.body ?? []) {
    bytes += piece.length;
    if (bytes > bytesMax) throw new Error(`the response is larger than ${bytesMax} bytes`);
    pieces.push(piece);
  }
  return Buffer.concat(pieces);
}
