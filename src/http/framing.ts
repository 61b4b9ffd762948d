/**
 * Checks that the head of a request is unambiguous about where the body ends and who sends it.
 * Pure.
 */

/** Headers that a request may have at most once, in lower case. */
const SINGLE = new Set([
  ...['authorization', 'content-encoding', 'content-length', 'content-type', 'host'],
  ...['idempotency-key', 'transfer-encoding'],
]);

export interface RequestHead {
  /** Values by lower-case name. Repeated list headers are joined into one value. */
  headers: Record<string, string>;
  /** Why the request is ambiguous; undefined if it is not. */
  fault: string | undefined;
}

/**
 * Builds the head of a request from its header lines. Two lengths, or a transfer encoding other
 * than `chunked`, let two programs disagree about where the request ends (RFC 9112, sections 6.3
 * and 11.2). Two API keys let them disagree about who pays, and two idempotency keys about what has
 * been paid. An idempotency key that is empty would protect from nothing.
 */
export function readHead(lines: Iterable<readonly [name: string, value: string]>): RequestHead {
  const headers: Record<string, string> = Object.create(null);
  let fault: string | undefined;
  for (const [name, value] of lines) {
    const known = headers[name];
    if (known === undefined) {
      headers[name] = value;
    } else if (SINGLE.has(name)) {
      fault ??= `${name}: expected one value, got more than one`;
    } else {
      headers[name] = `${known}${name === 'cookie' ? '; ' : ', '}${value}`;
    }
  }
  if (headers['idempotency-key'] === '') {
    fault ??= 'idempotency-key: expected a value, got nothing';
  }
  return { headers, fault: fault ?? bodyFault(headers) };
}

function bodyFault(headers: RequestHead['headers']): string | undefined {
  const { 'transfer-encoding': encoding, 'content-length': length } = headers;
  if (length === '') return 'content-length: expected a number, got nothing';
  if (encoding === undefined) return undefined;
  if (length !== undefined) return 'content-length: not allowed beside transfer-encoding';
  // The web framework compares the value case-sensitively.
  return encoding === 'chunked' ? undefined : 'transfer-encoding: the only one is chunked';
}
