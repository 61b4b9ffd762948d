import { describe, expect, it } from 'vitest';
import { assertOwnForm, formTokenOf, type SentForm } from '../../src/accounts/form-token.ts';
import { mintToken } from '../../src/accounts/sql/secret-tokens.ts';

describe('assertOwnForm', () => {
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
  it.each(taken)('accepts a form %s', (_what, change) => {
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
  it.each(refused)('rejects a form %s', (_what, change) => {
    expect(() => assertOwnForm({ ...sent, ...change })).toThrow(
      expect.objectContaining({ code: 'foreign_form', status: 403 }),
    );
  });
});
