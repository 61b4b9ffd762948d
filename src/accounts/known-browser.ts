/**
 * The token of a browser in which a customer has signed in: `ISSUED.NONCE.SIGNATURE`. It is signed
 * with the customer's own secret and proves only that this browser was let in before, so its
 * attempts are counted separately. OWASP calls it a device cookie. Pure.
 */
import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';

const NONCE_BYTES = 16;
const TOKEN_FORM = /^([0-9a-z]{1,11})\.([\w-]{22})\.([\w-]{43})$/;

/** Creates a signed token for a browser that has just signed in. */
export function mintBrowserToken(key: Uint8Array, now: number): string {
  const issued = now.toString(36);
  const nonce = randomBytes(NONCE_BYTES).toString('base64url');
  return `${issued}.${nonce}.${sign(key, issued, nonce).toString('base64url')}`;
}

export interface BrowserCheck {
  /** The secret of the customer who is signing in. */
  key: Uint8Array;
  lifetimeMs: number;
  now: number;
}

/**
 * Returns the name under which this browser's attempts are counted; undefined if the browser is
 * unknown.
 */
export function knownBrowser(
  token: string | undefined,
  { key, lifetimeMs, now }: BrowserCheck,
): string | undefined {
  const [, issued = '', nonce = '', signature = ''] = TOKEN_FORM.exec(token ?? '') ?? [];
  const expected = sign(key, issued, nonce);
  const received = Buffer.alloc(expected.length);
  received.write(signature, 'base64url');
  const isSigned = timingSafeEqual(received, expected);
  return isSigned && now - Number.parseInt(issued, 36) < lifetimeMs ? nonce : undefined;
}

function sign(key: Uint8Array, issued: string, nonce: string): Buffer {
  return createHmac('sha256', key).update(`known browser ${issued} ${nonce}`).digest();
}
