/** The small pure parts: where requests come from, cookies, forms, throttles, passwords' rule. */
import { describe, expect, it } from 'vitest';
import { clientAddress } from '../../src/accounts/client-address.ts';
import { clearedCookie, isSecure, readToken, tokenCookie } from '../../src/accounts/cookies.ts';
import { assertOwnForm, formTokenOf, type SentForm } from '../../src/accounts/form-token.ts';
import { baseUrl } from '../../src/accounts/links.ts';
import { assertStrong } from '../../src/accounts/password-rule.ts';
import { createThrottle } from '../../src/accounts/throttle.ts';
import { mintToken } from '../../src/store/accounts/tokens.ts';
import { NOW } from '../support/accounts.ts';

describe("a client's address", () => {
  const rows: [what: string, proxies: number, forwardedFor: string, address: string][] = [
    ['is that of the socket', 0, '', '10.0.0.1'],
    ['is no header that anybody can write', 0, '203.0.113.9', '10.0.0.1'],
    ['is what the one proxy saw', 1, '203.0.113.9', '203.0.113.9'],
    ['is not what the client made up', 1, '1.1.1.1, 203.0.113.9', '203.0.113.9'],
    ['is what the outer of two proxies saw', 2, '1.1.1.1, 203.0.113.9, 10.0.0.2', '203.0.113.9'],
    ['is that of the socket where a proxy was passed by', 2, '1.1.1.1', '10.0.0.1'],
    ['is that of the socket where the proxy added none', 1, '', '10.0.0.1'],
    ['is that of the socket where the header is rubbish', 1, 'unknown', '10.0.0.1'],
    ['is a network of IPv6', 1, '2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
    ['is the same network of a short form', 1, '2001:0DB8:1:2::9', '2001:db8:1:2::/64'],
    ['is a network with zeros', 1, '2001:db8::1', '2001:db8:0:0::/64'],
    ['is this machine', 1, '::1', '0:0:0:0::/64'],
    ['is IPv4 in the clothes of IPv6', 1, '::ffff:203.0.113.9', '203.0.113.9'],
  ];
  it.each(rows)('%s', (_what, proxiesTrusted, forwardedFor, address) => {
    expect(clientAddress({ socketAddress: '10.0.0.1', forwardedFor, proxiesTrusted })).toBe(
      address,
    );
  });

  it('of a socket may be IPv6 too', () => {
    const origin = { forwardedFor: '', proxiesTrusted: 0 };
    expect(clientAddress({ ...origin, socketAddress: 'fe80::1%eth0' })).toBe('fe80:0:0:0::/64');
    expect(
      clientAddress({ ...origin, socketAddress: '0000:0000:0000:0000:0000:ffff:c000:0207' }),
    ).toBe('192.0.2.7');
  });
});

describe('the cookie', () => {
  const token = mintToken();

  it('cannot be read by scripts, sent by other sites, or sent without TLS', () => {
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
    ['https://search.example.org', true],
    ['HTTPS://search.example.org', true],
    ['http://search.example.org', false],
    ['', false],
  ])('behind %j is for TLS only: %s', (publicUrl, expected) => {
    expect(isSecure({ publicUrl })).toBe(expected);
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
  it.each(headers)('%s', (_what, header, isSecure, found) => {
    expect(readToken('session', header, isSecure)).toBe(found ? token : undefined);
  });
});

describe('a form', () => {
  const cookieToken = mintToken();
  const sent: SentForm = {
    cookieToken,
    formToken: formTokenOf(cookieToken),
    origin: 'https://search.example.org',
    fetchSite: 'same-origin',
    host: 'search.example.org',
    publicUrl: 'https://search.example.org',
  };
  const old = { fetchSite: '' };

  const taken: [what: string, change: Partial<SentForm>][] = [
    ['from here', {}],
    ['from an address that was typed', { fetchSite: 'none' }],
    ['of a browser that tells the origin only', old],
    ['of a browser that tells nothing', { ...old, origin: '' }],
    ['to the address that the request was sent to', { ...old, publicUrl: '' }],
    [
      'to a port of this machine',
      { ...old, publicUrl: '', origin: 'http://localhost:8080', host: 'localhost:8080' },
    ],
    ['to a public address with a slash', { ...old, publicUrl: 'https://search.example.org/' }],
  ];
  it.each(taken)('%s is taken', (_what, change) => {
    expect(() => assertOwnForm({ ...sent, ...change })).not.toThrow();
  });

  const refused: [what: string, change: Partial<SentForm>][] = [
    ['of another site', { fetchSite: 'cross-site' }],
    ['of another host of the domain', { fetchSite: 'same-site' }],
    ['of another site, by an old browser', { ...old, origin: 'https://evil.example' }],
    ['of a page without an origin', { ...old, origin: 'null' }],
    ['of the same host without TLS', { ...old, origin: 'http://search.example.org' }],
    ['of another port', { ...old, origin: 'https://search.example.org:8443' }],
    [
      'of another port of this machine',
      { ...old, publicUrl: '', origin: 'https://search.example.org:1' },
    ],
    ['without a token', { formToken: '' }],
    ['with the token of another session', { formToken: formTokenOf(mintToken()) }],
    ['with a shortened token', { formToken: formTokenOf(cookieToken).slice(0, -1) }],
    ["with the cookie's own token", { formToken: cookieToken }],
    ['with a token in another case', { formToken: formTokenOf(cookieToken).toUpperCase() }],
    ['without a cookie', { cookieToken: undefined }],
    ['after signing in, when the cookie is new', { cookieToken: mintToken() }],
  ];
  it.each(refused)('%s is refused', (_what, change) => {
    expect(() => assertOwnForm({ ...sent, ...change })).toThrow(
      expect.objectContaining({ code: 'foreign_form', status: 403 }),
    );
  });
});

describe('the public address', () => {
  it.each([
    ['', 'http://localhost:8080'],
    ['https://search.example.org', 'https://search.example.org'],
    ['https://search.example.org/', 'https://search.example.org'],
    ['http://10.0.0.1:81', 'http://10.0.0.1:81'],
  ])('%j is %s', (publicUrl, expected) => {
    expect(baseUrl({ publicUrl, port: 8080 })).toBe(expected);
  });

  it.each([
    ...['search.example.org', 'ftp://example.org', 'https://example.org/papers', 'https://'],
    ...['https://example.org/?a=b', 'javascript:alert(1)'],
  ])('%j is refused', (publicUrl) => {
    expect(() => baseUrl({ publicUrl, port: 8080 })).toThrow('VERBATIM_PUBLIC_URL must be');
  });
});

describe('a throttle of 3 tries in 15 minutes', () => {
  const MINUTE = 60_000;
  const clock = { now: NOW };
  const create = (namesMax = 10) => {
    clock.now = NOW;
    const throttle = createThrottle({
      triesMax: 3,
      windowMs: 15 * MINUTE,
      namesMax,
      now: () => clock.now,
    });
    /** How many tries are allowed at this moment. */
    const tryAll = (name: string): number => {
      for (let count = 0; ; count++) {
        try {
          throttle.take(name);
        } catch {
          return count;
        }
      }
    };
    return { ...throttle, tryAll };
  };

  it('allows 3 at once, and one more every 5 minutes', () => {
    const { tryAll } = create();
    expect(tryAll('ada')).toBe(3);
    for (const [minutes, allowed] of [
      ...[
        [4, 0],
        [1, 1],
        [5, 1],
        [10, 2],
        [60, 3],
      ],
    ] as [number, number][]) {
      clock.now += minutes * MINUTE;
      expect(tryAll('ada'), `${minutes} minutes later`).toBe(allowed);
    }
  });

  it('says how long to wait', () => {
    const { tryAll, take } = create();
    tryAll('ada');
    expect(() => take('ada')).toThrow(
      expect.objectContaining({
        code: 'too_many_tries',
        message: 'too many tries; wait 5 minutes',
      }),
    );
    clock.now += 5 * MINUTE - 500;
    expect(() => take('ada')).toThrow('too many tries; wait 1 second');
  });

  it('knows names apart', () => {
    const { tryAll } = create();
    expect([tryAll('ada'), tryAll('bob'), tryAll('ada')]).toEqual([3, 3, 0]);
  });

  it('takes no try for one that was right, and never has more than 3', () => {
    const { tryAll, take, giveBack } = create();
    for (let count = 0; count < 10; count++) {
      take('ada');
      giveBack('ada');
    }
    giveBack('ada');
    expect(tryAll('ada')).toBe(3);
  });

  it('forgets the name that was seen longest ago, and only that one', () => {
    const { tryAll } = create(2);
    expect([tryAll('ada'), tryAll('bob'), tryAll('ada'), tryAll('eve')]).toEqual([3, 3, 0, 3]);
    expect([tryAll('ada'), tryAll('bob')]).toEqual([0, 3]);
  });

  it('goes on where the clock is set back', () => {
    const { tryAll } = create();
    tryAll('ada');
    clock.now -= 60 * MINUTE;
    expect(tryAll('ada')).toBe(0);
    clock.now += 5 * MINUTE;
    expect(tryAll('ada')).toBe(1);
  });
});

describe('a password', () => {
  const EMAIL = 'ada.lovelace@mail.example.org';
  const check = (password: string) => () => assertStrong(password, EMAIL);

  it.each([
    ...['blue kettle upon gravel', 'korrekt pferd batterie heftklammer', 'zT4#kw9!Lq2&'],
    ...['ein Löwe frißt Müsli', '青い薬缶が砂利の上に置いてある', 'xxxxkwbtzjmvgh'],
    `${'quiet river '.repeat(21)}q`,
  ])('%j is taken', (password) => {
    expect(check(password)).not.toThrow();
  });

  it.each([
    ['', 'a password needs at least 12 characters; this one has 0'],
    ['zT4#kw9!Lq2', 'a password needs at least 12 characters; this one has 11'],
    ['👩‍🔬👩‍🔬👩‍🔬', 'a password needs at least 12 characters; this one has 9'],
    [`${'quiet river '.repeat(21)}quiet`, 'a password may have at most 256 characters'],
  ])('%j is refused for its length', (password, message) => {
    expect(check(password)).toThrow(expect.objectContaining({ code: 'weak_password', message }));
  });

  it.each([
    ...['password1234', 'Password2026!', 'P@ssw0rd1234', 'passwordpassword', 'letmeinletmein'],
    ...['aaaaaaaaaaaa', '123456789012', '987654321098', 'abcdefghijkl', 'qwertyuiop12'],
    ...['qwertzuiop99', 'asdfghjkl123', 'abababababab', 'xyxyxyxyxyxyxyxy', '            '],
    ...['ada.lovelace@mail.example.org', 'adalovelace1815', 'Lovelace-ada-99', 'ADA LOVELACE ada'],
    ...['welcome to verbatim', 'iloveyou iloveyou', '1qaz2wsx3edc', 'summer-2026-winter'],
    'correcthorsebatterystaple',
  ])('%j would be guessed', (password) => {
    expect(check(password)).toThrow(/^this password is easy to guess/);
  });
});
