/**
 * The cookies. `session` holds the token of a session, or of a visitor who has not signed in. A
 * visitor's token is stored nowhere; it only ties forms to the browser that loaded them. `browser`
 * holds the token of known-browser.ts, which outlives sessions. `operatorSession` and `operatorBrowser`
 * are the same for operators, who sign in apart from customers. `operator` only ties forms to the browser,
 * on the loopback listener of the operator's pages. One browser can have all of them, although the ports
 * of a host share cookies. `pending` holds what a password proved until the code follows, and `kept` the name
 * of a form that waits for its sender to sign in. Pure.
 */

import type { Settings } from '../settings/config.ts';

export type CookieName =
  | ('session' | 'browser' | 'pending' | 'kept')
  | ('operatorSession' | 'operatorBrowser' | 'operator');

interface CookieKind {
  name: string;
  form: RegExp;
  sameSite: 'Lax' | 'Strict';
}

const kinds: Readonly<Record<CookieName, CookieKind>> = {
  session: { name: 'verbatim', form: /^[\w-]{43}$/, sameSite: 'Lax' },
  // Only forms on our own pages need it.
  browser: { name: 'verbatim-browser', form: /^[\w.-]{1,100}$/, sameSite: 'Strict' },
  pending: { name: 'verbatim-pending', form: /^[\w.-]{1,500}$/, sameSite: 'Lax' },
  kept: { name: 'verbatim-kept', form: /^[\w-]{22}$/, sameSite: 'Lax' },
  operatorSession: { name: 'verbatim-operator-session', form: /^[\w-]{43}$/, sameSite: 'Lax' },
  operatorBrowser: {
    name: 'verbatim-operator-browser',
    form: /^[\w.-]{1,100}$/,
    sameSite: 'Strict',
  },
  operator: { name: 'verbatim-operator', form: /^[\w-]{43}$/, sameSite: 'Strict' },
};

/** With `__Host-`, browsers reject the cookie from other hosts of the domain and without TLS. */
const nameOf = (cookie: CookieName, isSecure: boolean): string =>
  `${isSecure ? '__Host-' : ''}${kinds[cookie].name}`;

/**
 * Returns whether browsers reach the service over TLS: the public address says so, or there is none
 * and the server itself speaks TLS.
 */
export function isSecure({
  publicUrl,
  tlsCertificate,
}: Pick<Settings, 'publicUrl' | 'tlsCertificate'>): boolean {
  return publicUrl === '' ? tlsCertificate !== '' : publicUrl.toLowerCase().startsWith('https:');
}

/**
 * Returns the token in a Cookie header. Returns undefined for no token, for several, and for a
 * malformed one.
 */
export function readToken(
  cookie: CookieName,
  cookieHeader: string,
  isSecure: boolean,
): string | undefined {
  const prefix = `${nameOf(cookie, isSecure)}=`;
  const values = cookieHeader
    .split(';')
    .map((part) => part.trim())
    .filter((part) => part.startsWith(prefix));
  const token = values[0]?.slice(prefix.length) ?? '';
  return values.length === 1 && kinds[cookie].form.test(token) ? token : undefined;
}

/** Returns the Set-Cookie header that stores the token. */
export function tokenCookie(
  cookie: CookieName,
  { token, maxAgeSeconds }: { token: string; maxAgeSeconds: number },
  isSecure: boolean,
): string {
  const { sameSite } = kinds[cookie];
  const attributes = ['Path=/', `Max-Age=${maxAgeSeconds}`, 'HttpOnly', `SameSite=${sameSite}`];
  if (isSecure) attributes.push('Secure');
  return [`${nameOf(cookie, isSecure)}=${token}`, ...attributes].join('; ');
}

/** Returns the Set-Cookie header that deletes the token. */
export function clearedCookie(cookie: CookieName, isSecure: boolean): string {
  return tokenCookie(cookie, { token: '', maxAgeSeconds: 0 }, isSecure);
}
