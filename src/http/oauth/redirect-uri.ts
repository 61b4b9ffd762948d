/** Addresses to which a client is sent back with a code. Pure. */

const URI_CHARACTERS_MAX = 2_000;
/** Printable ASCII without what parsers read differently. */
const PLAIN = /^[\x21-\x7e]+$/;
/** A name or an address. The page's policy names the host, and marks such as `;` would extend it. */
const PLAIN_HOST = /^(?:[a-z\d._-]+|\[[\da-f:.]+\])$/;
const LOOPBACK = /^http:\/\/(?:127\.0\.0\.1|\[::1\]|localhost)(?::\d{1,5})?(?=[/?]|$)/;

/**
 * Whether a client may be sent there: over https, or over http to this computer (RFC 8252, section
 * 7.3). Anything else could be read on its way, or runs in the browser.
 */
export function isAllowedRedirect(uri: string): boolean {
  if (uri.length > URI_CHARACTERS_MAX || !PLAIN.test(uri) || /[\\#]/.test(uri)) return false;
  if (!URL.canParse(uri)) return false;
  const { protocol, username, password, hostname } = new URL(uri);
  if (username !== '' || password !== '' || !PLAIN_HOST.test(hostname)) return false;
  return protocol === 'https:' || isLoopbackRedirect(uri);
}

/** Whether the address is that of a program on the customer's computer. */
export function isLoopbackRedirect(uri: string): boolean {
  return LOOPBACK.test(uri);
}

/**
 * Whether a client that registered `registered` may be sent to `asked`: the same text. On this
 * computer the port may differ, because programs take any that is free.
 */
export function matchesRedirect(asked: string, registered: string): boolean {
  if (asked === registered) return true;
  // The port may be out of range, which the pattern of a loopback address does not notice.
  if (!isAllowedRedirect(asked)) return false;
  if (!isLoopbackRedirect(asked) || !isLoopbackRedirect(registered)) return false;
  return withoutPort(asked) === withoutPort(registered);
}

function withoutPort(uri: string): string {
  return uri.replace(LOOPBACK, (origin) => origin.replace(/:\d+$/, ''));
}
