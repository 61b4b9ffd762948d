/**
 * What a browser holds between the two steps of a sign-in: `ADDRESS.EXPIRES.SIGNATURE`. It proves that
 * this browser gave the right password a moment ago. It is worth nothing in another browser, after the
 * password changed, and after a restart. Pure.
 */
import { createHmac, timingSafeEqual } from 'node:crypto';

const FORM = /^([\w-]{1,400})\.([0-9a-z]{1,11})\.([\w-]{43})$/;

/** What a pending sign-in is bound to. */
export interface Bound {
  /** The key of this process. */
  key: Uint8Array;
  passwordHash: string;
  /** The token of the browser's cookie. */
  cookieToken: string;
}

/** Returns the text that the form of the second step carries. */
export function mintPendingSignIn(email: string, expiresAt: number, bound: Bound): string {
  const content = `${Buffer.from(email).toString('base64url')}.${expiresAt.toString(36)}`;
  return `${content}.${sign(content, bound).toString('base64url')}`;
}

/** Returns the address that a text names, before anything is checked; undefined for another text. */
export function emailOfPending(text: string): string | undefined {
  const [, email] = FORM.exec(text) ?? [];
  return email === undefined ? undefined : Buffer.from(email, 'base64url').toString('utf8');
}

/** Whether a text was minted for this and has not expired. */
export function isPending(text: string, bound: Bound, now: number): boolean {
  const [, email = '', expiresAt = '', signature = ''] = FORM.exec(text) ?? [];
  const expected = sign(`${email}.${expiresAt}`, bound);
  const received = Buffer.alloc(expected.length);
  received.write(signature, 'base64url');
  return timingSafeEqual(received, expected) && now < Number.parseInt(expiresAt, 36);
}

function sign(content: string, { key, passwordHash, cookieToken }: Bound): Buffer {
  const bound = JSON.stringify([content, passwordHash, cookieToken]);
  return createHmac('sha256', key).update(`pending sign-in ${bound}`).digest();
}
