/** Request bodies are read as they come: no encoding is undone. Pure. */
import { VerbatimError } from '../errors.ts';

const NAMED_CHARACTERS_MAX = 64;

/**
 * Throws `content_encoding` where a `Content-Encoding` header says that the body is encoded, naming
 * the encoding: otherwise the error would be about JSON that the client never sent.
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
