/** Every error that a running service can give at rest, and which of two comes first. */
import { describe, expect, it } from 'vitest';
import { isWellFormed } from '../../src/accounts/sql/api-keys.ts';
import { createCustomer, createKey } from '../support/service.ts';
import { useService } from '../support/use-service.ts';
import { runVerbatim } from '../support/verbatim.ts';
import {
  bearer,
  type Caller,
  type ExpectedError,
  expectAudited,
  expectError,
  getUsage,
  ledger,
  type Sent,
  search,
  send,
  untilUsage,
} from './contract.ts';

const POOR = 'poor@example.org';
const JSON_TYPE = { 'content-type': 'application/json' };

const secrets = { valid: '', revoked: '', poor: '', slow: '' };

const service = useService({
  fill: async (database) => {
    secrets.valid = createCustomer(database, { credits: 5 }).secret;
    secrets.poor = createCustomer(database, { credits: 0, email: POOR }).secret;
    const revoked = await createKey(database);
    secrets.revoked = revoked.secret;
    await runVerbatim(['key', 'revoke', revoked.prefix, '--db', database]);
    const slow = await createKey(database, { options: ['--requests-per-minute', '1'] });
    secrets.slow = slow.secret;
    return { slow };
  },
  env: { VERBATIM_REQUESTS_PER_MINUTE: '100000' },
  ready: async (service, { slow }) => {
    // Its one request of this minute.
    await getUsage({ url: service.url, secret: slow.secret });
  },
});

const invalidKey: ExpectedError = {
  status: 401,
  message: 'invalid or revoked api key',
  code: 'invalid_key',
  authenticated: false,
};
const notFound: ExpectedError = {
  status: 404,
  message: 'not found',
  code: 'not_found',
  authenticated: false,
};
const noCredit: ExpectedError = {
  status: 402,
  message: 'insufficient credit balance — top up to continue',
  code: 'insufficient_credit',
  headers: { 'x-credit-balance': '0' },
};
const rateLimited: ExpectedError = {
  status: 429,
  message: 'rate limit exceeded',
  code: 'rate_limited',
  headers: { 'retry-after': /^[1-9]\d*$/ },
};
const mediaType: ExpectedError = {
  status: 415,
  message: 'Expected request with `Content-Type: application/json`',
  code: 'media_type',
};
const tooLarge: ExpectedError = {
  status: 413,
  message: /^request body must be at most/,
  code: 'body_too_large',
};
const contentEncoding: ExpectedError = { status: 415, message: /"gzip"/, code: 'content_encoding' };

function wrongMethod(allow: string): ExpectedError {
  return {
    status: 405,
    message: 'method not allowed',
    code: 'method_not_allowed',
    authenticated: false,
    headers: { allow },
  };
}

/** A well-formed secret that is no key: the checksum is right. */
const UNKNOWN_SECRET = `sk_live_${'0'.repeat(32)}2UYg5A`;

describe('a key', () => {
  it.each(['Bearer', 'bearer', 'BEARER', 'bEaReR'])('is accepted as "%s"', async (scheme) => {
    const headers = { authorization: `${scheme} ${secrets.valid}` };
    expect((await send(service.url, { path: '/v1/usage', headers })).status).toBe(200);
  });

  const last = (secret: string): string => (secret.endsWith('0') ? '1' : '0');
  const attempts: [name: string, authorization: () => string | undefined][] = [
    ['missing', () => undefined],
    ['empty', () => ''],
    ['a scheme alone', () => 'Bearer'],
    ['a scheme and a space', () => 'Bearer '],
    ['without a scheme', () => secrets.valid],
    ['of another scheme', () => `Basic ${secrets.valid}`],
    ['without a space', () => `Bearer${secrets.valid}`],
    ['behind a colon', () => `Bearer: ${secrets.valid}`],
    ['in quotes', () => `Bearer "${secrets.valid}"`],
    ['followed by another word', () => `Bearer ${secrets.valid} x`],
    ['twice', () => `Bearer ${secrets.valid}, Bearer ${secrets.valid}`],
    [
      'with another last character',
      () => `Bearer ${secrets.valid.slice(0, -1)}${last(secrets.valid)}`,
    ],
    ['without its last character', () => `Bearer ${secrets.valid.slice(0, -1)}`],
    ['with one character more', () => `Bearer ${secrets.valid}0`],
    ['in lower case', () => `Bearer ${secrets.valid.toLowerCase()}`],
    ['without its prefix', () => `Bearer ${secrets.valid.replace('sk_live_', '')}`],
    ['of another kind', () => `Bearer ${secrets.valid.replace('sk_live_', 'sk_test_')}`],
    ['unknown', () => `Bearer ${UNKNOWN_SECRET}`],
    ['no key at all', () => "Bearer ' OR 1=1 --"],
    ['very long', () => `Bearer ${'x'.repeat(3000)}`],
    ['revoked', () => `Bearer ${secrets.revoked}`],
  ];

  it.each(attempts)('returns 401 for a key that is %s', async (_name, authorization) => {
    const value = authorization();
    const headers: Record<string, string> = value === undefined ? {} : { authorization: value };
    const usage = await send(service.url, { path: '/v1/usage', headers });
    expectError(usage, invalidKey);
    const body = JSON.stringify({ query: 'sleep' });
    const sent: Sent = { method: 'POST', path: '/v1/search', body };
    expectError(
      await send(service.url, { ...sent, headers: { ...JSON_TYPE, ...headers } }),
      invalidKey,
    );
  });

  it('is looked up only if its form and checksum are valid', () => {
    expect(isWellFormed(UNKNOWN_SECRET)).toBe(true);
  });

  it('is read only from the Authorization header', async () => {
    const path = `/v1/usage?api_key=${secrets.valid}&authorization=Bearer%20${secrets.valid}`;
    const headers = { 'x-api-key': secrets.valid, cookie: `authorization=${secrets.valid}` };
    expectError(await send(service.url, { path, headers }), invalidKey);
  });
});

/** RFC 6750, section 3: an error is named only to those who sent a token. */
describe('WWW-Authenticate of a 401', () => {
  const REALM = 'Bearer realm="verbatim"';
  it.each([
    ['none', undefined, REALM],
    ['an empty header', '', REALM],
    ['another scheme', 'Basic YWRhOmFkYQ==', REALM],
    ['a scheme alone', 'Bearer ', REALM],
    ['an unknown token', `Bearer ${UNKNOWN_SECRET}`, `${REALM}, error="invalid_token"`],
    ['a malformed token', 'bearer x y', `${REALM}, error="invalid_token"`],
  ])('after %s', async (_name, authorization, challenge) => {
    const headers: Record<string, string> = authorization === undefined ? {} : { authorization };
    for (const method of ['GET', 'HEAD']) {
      const got = await send(service.url, { method, path: '/v1/usage', headers });
      expect([got.status, got.headers['www-authenticate']]).toEqual([401, challenge]);
    }
  });
});

describe('the path', () => {
  it.each([
    ...['/v1', '/v1/', '/v1/searches', '/v1/search/', '/v1/search/x', '/v1/usage/'],
    ...['/V1/search', '/v1/Search', '//v1/search', '/v2/search', '/search', '/health/', '/healthz'],
    ...['/v1/../health', '/%76%31/search', '/%00', '/__proto__', '/constructor', '/favicon.ico'],
  ])('returns 404 for %s', async (path) => {
    const got = await send(service.url, { path, headers: bearer(secrets.valid) });
    expectError(got, notFound);
  });

  it('may have a query string, which is ignored', async () => {
    const headers = bearer(secrets.valid);
    expect((await send(service.url, { path: '/v1/usage?period=1999-01', headers })).status).toBe(
      200,
    );
    expect((await send(service.url, { path: '/health?x' })).status).toBe(200);
  });
});

describe('the method', () => {
  it.each([
    ...['GET', 'HEAD', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'].map((method) => [
      method,
      '/v1/search',
      'POST',
    ]),
    ...['POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'].map((method) => [
      method,
      '/v1/usage',
      'GET, HEAD',
    ]),
    ...['POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'].map((method) => [
      method,
      '/health',
      'GET, HEAD',
    ]),
  ] as const)('returns 405 for %s of %s, with Allow: %s', async (method, path, allow) => {
    const got = await send(service.url, { method, path, headers: bearer(secrets.valid) });
    if (method === 'HEAD') got.text = 'method not allowed';
    expectError(got, wrongMethod(allow));
  });
});

/** Each row breaks two rules; the first of them is the answer. */
describe('the order of errors', () => {
  const big = 'x'.repeat(70_000);
  const packed = { ...JSON_TYPE, 'content-encoding': 'gzip' };
  const rows: [name: string, secret: keyof typeof secrets | '', sent: Sent, ExpectedError][] = [
    ['401 before 415', '', { body: '{}' }, invalidKey],
    ['401 before 413', '', { headers: JSON_TYPE, body: big }, invalidKey],
    ['401 before 400', 'revoked', { headers: JSON_TYPE, body: '{' }, invalidKey],
    ['429 before 415', 'slow', { body: '{"query":"sleep"}' }, rateLimited],
    ['429 before 413', 'slow', { headers: JSON_TYPE, body: big }, rateLimited],
    ['429 before 400', 'slow', { headers: JSON_TYPE, body: '{' }, rateLimited],
    ['415 before 413', 'valid', { body: big }, mediaType],
    ['415 before 400', 'valid', { body: '{' }, mediaType],
    ['415 before 402', 'poor', { body: '{"query":"sleep"}' }, mediaType],
    ['401 before 415 of the encoding', '', { headers: packed, body: '{}' }, invalidKey],
    ['429 before 415 of the encoding', 'slow', { headers: packed, body: '{}' }, rateLimited],
    ['415 of the encoding before 413', 'valid', { headers: packed, body: big }, contentEncoding],
    ['415 of the encoding before 400', 'valid', { headers: packed, body: '{' }, contentEncoding],
    ['415 of the encoding before 402', 'poor', { headers: packed, body: '{}' }, contentEncoding],
    ['413 before 400', 'valid', { headers: JSON_TYPE, body: big }, tooLarge],
    ['413 before 402', 'poor', { headers: JSON_TYPE, body: big }, tooLarge],
    [
      '400 of the body before 402',
      'poor',
      { headers: JSON_TYPE, body: '{' },
      { status: 400, message: /^expected a JSON object/ },
    ],
    [
      '400 of the query before 402',
      'poor',
      { headers: JSON_TYPE, body: '{"query":""}' },
      { status: 400, message: 'empty query' },
    ],
    [
      '400 of the limit before 402',
      'poor',
      { headers: JSON_TYPE, body: '{"query":"sleep","limit":0}' },
      { status: 400, message: 'limit must be >= 1' },
    ],
    [
      '402 where nothing else is wrong',
      'poor',
      { headers: JSON_TYPE, body: '{"query":"x"}' },
      noCredit,
    ],
  ];

  it.each(rows)('%s', async (_name, secret, sent, expected) => {
    const authorization = secret === '' ? {} : bearer(secrets[secret]);
    const got = await send(service.url, {
      method: 'POST',
      path: '/v1/search',
      ...sent,
      headers: { ...authorization, ...sent.headers },
    });
    expectError(got, expected);
  });

  it('reports a revoked key before its exhausted rate', async () => {
    const url = service.url;
    const options = ['--requests-per-minute', '1'];
    const { prefix, secret } = await createKey(service.database, { options });
    await getUsage({ url, secret });
    expectError(await getUsage({ url, secret }), rateLimited);
    await runVerbatim(['key', 'revoke', prefix, '--db', service.database]);
    expectError(await getUsage({ url, secret }), invalidKey);
  });
});

describe('a customer without credit', () => {
  it('gets 402 for searches, may read the usage, and is served after a top-up', async () => {
    const caller: Caller = { url: service.url, secret: secrets.poor };
    expectError(await search(caller), noCredit);
    expect(JSON.parse((await getUsage(caller)).text)).toMatchObject({ requests: 0, balance: 0 });
    await runVerbatim(['credit', 'add', POOR, '1', '--db', service.database]);
    const served = await search(caller);
    expect(served.status).toBe(200);
    expect(served.headers['x-credit-balance']).toBe('0');
    expectError(await search(caller), noCredit);
  });
});

describe('after all these errors', () => {
  it('leaves only the served searches in a ledger that adds up', async () => {
    await untilUsage({ url: service.url, secret: secrets.poor }, { requests: 1 });
    expect(ledger(service.database).map(({ kind }) => kind)).toEqual(['topup']);
    const kinds = ledger(service.database, POOR).map(({ kind }) => kind);
    expect(kinds).toEqual(['settle', 'hold', 'topup']);
    await expectAudited(service.database);
  });
});
