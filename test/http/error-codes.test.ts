/** Every error tells its code: of pages, forms, files and the webhook as well as of the API. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ErrorCode } from '../../src/errors.ts';
import { SECRET_KEY, WEBHOOK_SECRET } from '../accounts/payments/stripe-stub.ts';
import { addKey, addSomeone } from '../support/history.ts';
import { type Client, createClient, signedInClient } from '../support/pages.ts';
import { copySampleIndex, removeDatabase, type Service, startService } from '../support/service.ts';
import { expectErrorHeaders, type Got, type Sent, send } from './contract.ts';

const ADA = 'ada@example.org';
const POOR = 'poor@example.org';

let service: Service;
let prefix: string;

beforeAll(async () => {
  const database = await copySampleIndex();
  addSomeone(database, { email: ADA, credits: 5 });
  const { customerId } = addSomeone(database, { email: POOR });
  ({ prefix } = addKey(database, customerId, 'Notebook').key);
  service = await startService(database, {
    VERBATIM_STRIPE_SECRET_KEY: SECRET_KEY,
    VERBATIM_STRIPE_WEBHOOK_SECRET: WEBHOOK_SECRET,
    VERBATIM_TRIES_PER_ACCOUNT_MAX: '1',
    VERBATIM_BODY_BYTES_MAX: '2000',
  });
});

afterAll(async () => {
  await service.end();
  await removeDatabase(service.database);
});

const html = { accept: 'text/html' };
const form = { ...html, 'content-type': 'application/x-www-form-urlencoded' };
const signed = { 'stripe-signature': 't=1,v1=00' };

describe('X-Error-Code', () => {
  it.each<[what: string, status: number, code: ErrorCode, sent: Sent]>([
    ['a path for programs', 404, 'not_found', { path: '/v1/unknown' }],
    ['a path for browsers', 404, 'not_found', { path: '/unknown', headers: html }],
    ['a path by HEAD', 404, 'not_found', { method: 'HEAD', path: '/unknown' }],
    ['a page by HEAD', 404, 'not_found', { method: 'HEAD', path: '/unknown', headers: html }],
    ['a method', 405, 'method_not_allowed', { method: 'HEAD', path: '/v1/search' }],
    ['a page’s method', 405, 'method_not_allowed', { method: 'PUT', path: '/docs' }],
    ['a page’s missing form', 405, 'method_not_allowed', { method: 'POST', path: '/docs' }],
    ['a form’s missing page', 405, 'method_not_allowed', { path: '/dashboard/sign-out' }],
    ['a key', 401, 'invalid_key', { method: 'HEAD', path: '/v1/usage' }],
    [
      'what is no form',
      ...([400, 'bad_request', { method: 'POST', path: '/dashboard/sign-in' }] as const),
    ],
    [
      'a foreign form',
      ...([403, 'foreign_form'] as const),
      { method: 'POST', path: '/dashboard/sign-in', headers: form, body: 'email=x' },
    ],
    [
      'a large form',
      ...([413, 'body_too_large'] as const),
      { method: 'POST', path: '/dashboard/sign-in', headers: form, body: 'x'.repeat(2001) },
    ],
    ['a link', 410, 'link_over', { path: '/dashboard/link?token=none', headers: html }],
    [
      'an unsigned event',
      ...([400, 'invalid_signature', { method: 'POST', path: '/webhooks/stripe' }] as const),
    ],
    [
      'a compressed event',
      ...([415, 'content_encoding'] as const),
      {
        method: 'POST',
        path: '/webhooks/stripe',
        body: '{}',
        headers: { ...signed, 'content-encoding': 'gzip' },
      },
    ],
    [
      'an event with a wrong signature',
      ...([400, 'invalid_signature'] as const),
      { method: 'POST', path: '/webhooks/stripe', headers: signed, body: '{}' },
    ],
    ['the webhook’s method', 405, 'method_not_allowed', { path: '/webhooks/stripe' }],
  ])('for %s is %i and %s', async (_what, status, code, sent) => {
    const got = await send(service.url, sent);
    expect(got.status).toBe(status);
    expectErrorHeaders(got, code);
    expect('www-authenticate' in got.headers).toBe(code === 'invalid_key');
  });

  it('is set on errors of assets', async () => {
    const { text } = await send(service.url, { path: '/docs', headers: html });
    const [, path = ''] = /href="(\/assets\/[^"]+)"/.exec(text) ?? [];
    const got = await send(service.url, { method: 'DELETE', path });
    expect([got.status, got.headers.allow]).toEqual([405, 'GET, HEAD']);
    expectErrorHeaders(got, 'method_not_allowed');
  });
});

describe('X-Error-Code of a form shown again', () => {
  let client: Client;
  beforeAll(async () => {
    client = await signedInClient(service.url, POOR);
  });

  type Step = () => Promise<Got>;
  const password = { new_password: 'x', new_password_again: 'x' };
  it.each<[what: string, status: number, code: ErrorCode, step: Step]>([
    [
      'without a name for a key',
      ...([422, 'invalid_field'] as const),
      () => client.submit('/dashboard/keys', { name: '', cap: '' }),
    ],
    [
      'with a cap that is no number',
      ...([422, 'invalid_field'] as const),
      () => client.submit(`/dashboard/keys/${prefix}/edit`, { name: 'x', cap: 'x' }),
    ],
    [
      'with a bound that is no number',
      ...([422, 'invalid_field'] as const),
      () =>
        client.submit('/dashboard/billing/preferences', { low_balance: 'x' }, '/dashboard/billing'),
    ],
    [
      'with two passwords',
      ...([422, 'invalid_field'] as const),
      () =>
        client.submit(
          '/dashboard/account/password',
          { ...password, new_password_again: 'y' },
          '/dashboard/account',
        ),
    ],
    [
      'without a pack',
      ...([400, 'bad_request'] as const),
      () => client.submit('/dashboard/billing', { credits: '7' }),
    ],
    [
      'with a search without a question',
      ...([400, 'empty_query'] as const),
      () => client.submit('/dashboard/try', { key: prefix, query: '', limit: '3' }),
    ],
    [
      'with a search without credit',
      ...([402, 'insufficient_credit'] as const),
      () => client.submit('/dashboard/try', { key: prefix, query: 'x', limit: '3' }),
    ],
    [
      'as a secret that was shown',
      ...([410, 'secret_shown'] as const),
      () => client.get('/dashboard/keys/created/none'),
    ],
  ])('for %s is %i and %s', async (_what, status, code, step) => {
    const got = await step();
    expect(got.status).toBe(status);
    expectErrorHeaders(got, code);
  });

  it('is 429 with Retry-After after too many tries', async () => {
    const visitor = createClient(service.url);
    const wrong = () =>
      visitor.submit('/dashboard/sign-in', { email: ADA, password: 'not the right one' });
    const first = await wrong();
    expectErrorHeaders(first, 'wrong_sign_in');
    expect(first.headers).not.toHaveProperty('www-authenticate');
    const second = await wrong();
    expectErrorHeaders(second, 'too_many_tries');
    expect(second.headers['retry-after']).toMatch(/^[1-9]\d*$/);
    expect(Number(second.headers['retry-after'])).toBeLessThanOrEqual(15 * 60);
  });
});
