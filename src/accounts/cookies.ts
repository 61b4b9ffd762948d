/**
 * The two cookies. `session` holds the token of a session, or of a visitor who has not signed in: a
 * random token that is stored nowhere and only ties forms to the browser that loaded them.
 * `browser` holds the token of known-browser.ts, which outlives sessions. Pure.
 */

export type CookieName = 'session' | 'browser';

interface CookieKind {
  name: string;
  form: RegExp;
  sameSite: 'Lax' | 'Strict';
}

const kinds: Readonly<Record<CookieName, CookieKind>> = {
  session: { name: 'verbatim', form: /^[\w-]{43}$/, sameSite: 'Lax' },
  // Only forms of our own pages need it.
  browser: { name: 'verbatim-browser', form: /^[\w.-]{1,100}$/, sameSite: 'Strict' },
};

/** `__Host-` makes browsers refuse the cookie from another host of the domain, or without TLS. */
const nameOf = (cookie: CookieName, isSecure: boolean): string =>
  `${isSecure ? '__Host-' : ''}${kinds[cookie].name}`;

/** Whether browsers reach the service by TLS: the public address says so. */
export function isSecure({ publicUrl }: { publicUrl: string }): boolean {
  return publicUrl.toLowerCase().startsWith('https:');
}

/** The token in a Cookie header; undefined for none, for several, and for what can be no token. */
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

/** The Set-Cookie header that gives a browser this token. */
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

/** The Set-Cookie header that takes the token away. */
export function clearedCookie(cookie: CookieName, isSecure: boolean): string {
  return tokenCookie(cookie, { token: '', maxAgeSeconds: 0 }, isSecure);
}
