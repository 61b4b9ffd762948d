/**
 * The one cookie. It holds the token of a session, or of a visitor who has not signed in: a random
 * token that is stored nowhere and only ties forms to the browser that loaded them. Pure.
 */

/** `__Host-` makes browsers refuse the cookie from another host of the domain, or without TLS. */
const nameOf = (isSecure: boolean): string => (isSecure ? '__Host-verbatim' : 'verbatim');
const TOKEN_FORM = /^[\w-]{43}$/;

/** Whether browsers reach the service by TLS: the public address says so. */
export function isSecure({ publicUrl }: { publicUrl: string }): boolean {
  return publicUrl.toLowerCase().startsWith('https:');
}

/** The token in a Cookie header; undefined for none, for several, and for what can be no token. */
export function readToken(cookieHeader: string, isSecure: boolean): string | undefined {
  const prefix = `${nameOf(isSecure)}=`;
  const values = cookieHeader
    .split(';')
    .map((cookie) => cookie.trim())
    .filter((cookie) => cookie.startsWith(prefix));
  const token = values[0]?.slice(prefix.length) ?? '';
  return values.length === 1 && TOKEN_FORM.test(token) ? token : undefined;
}

/** The Set-Cookie header that gives a browser this token. */
export function tokenCookie(
  token: string,
  { isSecure, maxAgeSeconds }: { isSecure: boolean; maxAgeSeconds: number },
): string {
  const attributes = ['Path=/', `Max-Age=${maxAgeSeconds}`, 'HttpOnly', 'SameSite=Lax'];
  if (isSecure) attributes.push('Secure');
  return [`${nameOf(isSecure)}=${token}`, ...attributes].join('; ');
}

/** The Set-Cookie header that takes the token away. */
export function clearedCookie(isSecure: boolean): string {
  return tokenCookie('', { isSecure, maxAgeSeconds: 0 });
}
