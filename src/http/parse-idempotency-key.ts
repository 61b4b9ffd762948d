/** Parses the header `Idempotency-Key`. Pure. */
import { badRequest } from './field-errors.ts';

/** A string of RFC 9651, section 3.3.3: only quotes and backslashes may and must be escaped. */
const QUOTED = /^"(?:[\x20\x21\x23-\x5b\x5d-\x7e]|\\["\\])+"$/;
/** Visible ASCII without what only a structured field, or a list of values, would have. */
const BARE = /^[\x21\x23-\x2b\x2d-\x3a\x3c-\x5b\x5d-\x7e]+$/;

/**
 * Returns the key in the header. The IETF draft asks for a string in quotes; most clients send it
 * bare, and both forms are the same key. Throws a 400 for anything else, and for more than
 * `charactersMax` characters.
 */
export function parseIdempotencyKey(header: string, charactersMax: number): string {
  const key = readKey(header.trim());
  if (key.length <= charactersMax) return key;
  const got = `got ${key.length}`;
  throw badRequest(`Idempotency-Key: expected at most ${charactersMax} characters, ${got}`);
}

function readKey(value: string): string {
  if (BARE.test(value)) return value;
  if (QUOTED.test(value)) return value.slice(1, -1).replaceAll(/\\(.)/g, '$1');
  throw badRequest(
    'Idempotency-Key: expected visible ASCII characters without quotes, commas, semicolons, ' +
      'and backslashes, or a string in double quotes',
  );
}
