/** Rejects compressed request bodies: the server never decompresses. Pure. */
import { VerbatimError } from '../errors.ts';

const NAMED_CHARACTERS_MAX = 64;

/**
 * Throws `content_encoding`, naming the encoding, if the header says that the body is encoded.
 * Otherwise the client would get a misleading error about malformed JSON.
 */
export function assertNotCompressed(contentEncoding: string): void {
  const encodings = contentEncoding.split(',').map((name) => name.trim().toLowerCase());
  if (encodings.every((name) => name === '' || name === 'identity')) return;
  const named = contentEncoding.slice(0, NAMED_CHARACTERS_MAX);
  throw new VerbatimError(
    'content_encoding',
    `a request body must not be compressed: expected no Content-Encoding, got "${named}"`,
  );
}
