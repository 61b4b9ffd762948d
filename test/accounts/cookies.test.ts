import { describe, expect, it } from 'vitest';
import { clearedCookie, isSecure, readToken, tokenCookie } from '../../src/accounts/cookies.ts';
import { mintToken } from '../../src/accounts/sql/secret-tokens.ts';

describe('the cookies', () => {
  const token = mintToken();

  it('have HttpOnly and SameSite, and Secure with TLS', () => {
    expect(tokenCookie('session', { token, maxAgeSeconds: 60 }, true)).toBe(
      `__Host-verbatim=${token}; Path=/; Max-Age=60; HttpOnly; SameSite=Lax; Secure`,
    );
    expect(tokenCookie('session', { token, maxAgeSeconds: 60 }, false)).toBe(
      `verbatim=${token}; Path=/; Max-Age=60; HttpOnly; SameSite=Lax`,
    );
    expect(clearedCookie('session', true)).toBe(
      '__Host-verbatim=; Path=/; Max-Age=0; HttpOnly; SameSite=Lax; Secure',
    );
    expect(tokenCookie('browser', { token, maxAgeSeconds: 60 }, true)).toBe(
      `__Host-verbatim-browser=${token}; Path=/; Max-Age=60; HttpOnly; SameSite=Strict; Secure`,
    );
  });

  it.each([
    ['https://search.example.org', '', true],
    ['HTTPS://search.example.org', '', true],
    ['http://search.example.org', '', false],
    ['http://search.example.org', 'tls.crt', false],
    ['', '', false],
    ['', 'tls.crt', true],
  ])('for %j with the certificate %j are Secure: %s', (publicUrl, tlsCertificate, expected) => {
    expect(isSecure({ publicUrl, tlsCertificate })).toBe(expected);
  });

  const headers: [what: string, header: string, isSecure: boolean, found: boolean][] = [
    ['alone', `verbatim=${token}`, false, true],
    ['beside the other cookie', `verbatim-browser=x; verbatim=${token}`, false, true],
    ['among others', `a=b; verbatim=${token}; c=d`, false, true],
    ['with the name for TLS', `__Host-verbatim=${token}`, true, true],
    ['that another host of the domain could have set', `verbatim=${token}`, true, false],
    ['that is there twice', `verbatim=${token}; verbatim=${mintToken()}`, false, false],
    ['that is too short', `verbatim=${token.slice(1)}`, false, false],
    ['that is too long', `verbatim=${token}A`, false, false],
    ['with characters of no token', `verbatim=${token.slice(1)}"`, false, false],
    ['that is empty', 'verbatim=', false, false],
    ['of a longer name', `xverbatim=${token}`, false, false],
    ['that is absent', '', false, false],
  ];
  it.each(headers)('reads the token: %s', (_what, header, isSecure, found) => {
    expect(readToken('session', header, isSecure)).toBe(found ? token : undefined);
  });
});
