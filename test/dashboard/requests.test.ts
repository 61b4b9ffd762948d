/** Requests as no browser of ours sends them: methods, paths, headers, bodies. */
import { describe, expect, it } from 'vitest';
import { listKeysOf } from '../../src/accounts/sql/api-keys.ts';
import { runOnSqlite } from '../../src/database/sqlite/run-on-sqlite.ts';
import { expectErrorHeaders, type Got, send } from '../http/contract.ts';
import { addKey, addSomeone, inStore } from '../support/history.ts';
import {
  type Client,
  createClient,
  formTokenIn,
  signedInClient,
  useServer,
} from '../support/pages.ts';

const ADA = 'ada@example.org';

const FORM_TYPE = 'application/x-www-form-urlencoded';

const ada = { customerId: 0, prefix: '' };
const server = useServer(async (database) => {
  const { customerId } = addSomeone(database, { email: ADA, credits: 50 });
  Object.assign(ada, { customerId, prefix: addKey(database, customerId, 'Notebook').key.prefix });
});

describe('headers', () => {
  const everywhere: [name: string, path: string][] = [
    ['a page', '/dashboard/sign-in'],
    ['the documentation', '/docs'],
    ['a page that is missing', '/dashboard/nothing'],
    ['a redirect', '/dashboard'],
  ];
  it.each(everywhere)('protect %s', async (_name, path) => {
    const got = await createClient(server.url).get(path);
    expectProtected(got);
    expect(got.headers['cache-control']).toBe('no-store');
  });

  it('keep a customer’s pages and files out of caches', async () => {
    const own = await signedInClient(server.url, ADA);
    for (const path of [
      '',
      '/keys',
      '/requests',
      '/requests.csv',
      '/accounting.csv',
      '/account',
      '/try',
    ]) {
      const got = await own.get(`/dashboard${path}`);
      expect(got.status).toBe(200);
      expectProtected(got);
      expect(got.headers['cache-control']).toBe('no-store');
    }
  });

  it('let caches keep the style sheet, script and icon for a year, named by content', async () => {
    const { text } = await createClient(server.url).get('/docs');
    const assets = [...text.matchAll(/(?:href|src)="(\/assets\/[^"]+)"/g)].map(([, path]) => path);
    expect(new Set(assets).size).toBe(3);
    for (const path of assets) {
      const got = await send(server.url, { path: String(path) });
      expect(got.status).toBe(200);
      expect(got.headers['cache-control']).toBe('public, max-age=31536000, immutable');
      expectProtected(got);
    }
  });

  it('cannot be added through a form or an address', async () => {
    const own = await signedInClient(server.url, ADA);
    const evil = 'x\r\nX-Evil: 1\r\n\r\n<html>';
    const answers = [
      await own.submit('/dashboard/keys', { name: evil, cap: '' }),
      await own.submit('/dashboard/try', { query: evil, limit: '3', key: ada.prefix }),
      await own.get(`/dashboard/accounting.csv?kind=${encodeURIComponent(evil)}`),
      await own.get(`/dashboard/keys?next=${encodeURIComponent(evil)}`),
    ];
    for (const { headers } of answers) {
      expect(Object.keys(headers)).not.toContain('x-evil');
      expect(JSON.stringify(headers)).not.toContain('<html>');
    }
  });
});

describe('a form', () => {
  /** A form as it is, with the token that is right. */
  async function post(
    body: (token: string) => string,
    type = FORM_TYPE,
    further: Record<string, string> = {},
  ): Promise<Got> {
    const { cookie, get } = await signedInClient(server.url, ADA);
    const token = formTokenIn((await get('/dashboard/account')).text);
    const headers = { cookie, accept: 'text/html', 'content-type': type, ...further };
    const path = '/dashboard/billing/preferences';
    return send(server.url, { method: 'POST', path, headers, body: body(token) });
  }

  it.each(['text/plain', 'multipart/form-data; boundary=x', 'application/json', ''])(
    'with the content type %j is rejected',
    async (type) => {
      expect((await post((token) => `form_token=${token}&low_balance=7`, type)).status).toBe(400);
    },
  );

  it.each(['gzip', 'br', 'compress, identity'])(
    'with the content encoding %s is rejected',
    async (encoding) => {
      const got = await post((token) => `form_token=${token}`, FORM_TYPE, {
        'content-encoding': encoding,
      });
      expect(got.status).toBe(415);
      expect(got.text).toContain(encoding);
      expectErrorHeaders(got, 'content_encoding');
      expect(got.headers['accept-encoding']).toBe('identity');
    },
  );

  it('is rejected if it is too large, while many fields do no harm', async () => {
    expect((await post(() => 'a='.repeat(40_000))).status).toBe(413);
    const fields = 'a&'.repeat(30_000);
    expect((await post((token) => `${fields}form_token=${token}&low_balance=7`)).status).toBe(303);
  });

  it('with a repeated field keeps the first value', async () => {
    const twice = (token: string, other: string): string => `form_token=${token}&${other}`;
    expect((await post((token) => twice('x', `form_token=${token}&low_balance=8`))).status).toBe(
      403,
    );
    await post((token) => twice(token, 'form_token=x&low_balance=9&low_balance=10'));
    const own = await signedInClient(server.url, ADA);
    expect((await own.get('/dashboard/billing')).text).toContain(
      'name="low_balance" type="text" value="9"',
    );
  });

  it('has its token only in the body', async () => {
    const own = await signedInClient(server.url, ADA);
    const token = formTokenIn((await own.get('/dashboard/account')).text);
    const path = `/dashboard/billing/preferences?form_token=${token}`;
    expect((await own.post(path, { low_balance: '7' })).status).toBe(403);
  });

  it('creates one key, however often the same form is sent', async () => {
    const own = await signedInClient(server.url, ADA);
    const fields = { ...(await own.hidden('/dashboard/keys')), name: 'Twice', cap: '' };
    const sent = await Promise.all([1, 2, 3].map(() => own.post('/dashboard/keys', fields)));
    const places = sent.map(({ headers }) => String(headers.location));
    expect(new Set(places).size).toBe(1);
    expect((await own.get(String(places[0]))).text).toMatch(/sk_live_\w{38}/);
    const keys = inStore(server.database, (db) => runOnSqlite(db, listKeysOf(ada.customerId)));
    expect(keys.filter(({ name }) => name === 'Twice')).toHaveLength(1);
  });
});

describe('a path', () => {
  it.each([
    ...['//dashboard', '/dashboard/', '/dashboard//keys', '/%64ashboard', '/dashboard%2fkeys'],
    ...['/docs/../dashboard', '/docs/%2e%2e/dashboard', '/Dashboard', '/dashboard;x=1'],
    ...['/assets/../package.json', '/assets/%2e%2e/package.json', '/dashboard/keys/%00'],
    ...['//evil.example/dashboard', '/\\evil.example', '/constructor', `/${'a'.repeat(5_000)}`],
  ])('like %s returns 404 without a redirect, signed in or not', async (path) => {
    const { cookie } = await signedInClient(server.url, ADA);
    const cookies: Record<string, string>[] = [{}, { cookie }];
    for (const cookieHeader of cookies) {
      const got = await send(server.url, {
        path,
        headers: { accept: 'text/html', ...cookieHeader },
      });
      expect(got.status).toBe(404);
      expect(got.headers).not.toHaveProperty('location');
      expectProtected(got);
    }
  });
});

describe('a forged host', () => {
  it.each([
    { host: 'evil.example' },
    { host: 'evil.example', 'x-forwarded-host': 'evil.example', forwarded: 'host=evil.example' },
  ])('does not appear in pages or redirects: %j', async (extraHeaders) => {
    const { cookie } = await signedInClient(server.url, ADA);
    const headers = { accept: 'text/html', ...extraHeaders };
    for (const path of ['/docs', '/dashboard', '/dashboard/keys', '/dashboard/sign-in', '/']) {
      for (const sent of [headers, { ...headers, cookie }]) {
        const got = await send(server.url, { path, headers: sent });
        expect(got.text + JSON.stringify(got.headers)).not.toContain('evil.example');
      }
    }
  });
});

describe('the rest of the service', () => {
  it.each([
    ['/v1/nothing', 'text/html'],
    ['/nothing', '*/*'],
  ])('returns a plain-text 404 for %s if the client accepts %s', async (path, accept) => {
    const got = await send(server.url, { path, headers: { accept } });
    expect([got.status, got.text]).toEqual([404, 'not found']);
    expect(got.headers['content-type']).toMatch(/^text\/plain/);
  });

  it('rejects bodies that are not forms, and unknown methods', async () => {
    const own: Client = await signedInClient(server.url, ADA);
    const json = await own.post('/dashboard/keys', {}, { 'content-type': 'application/json' });
    expect(json.status).toBe(400);
    const got = await send(server.url, { method: 'PUT', path: '/dashboard/keys' });
    expect([got.status, got.headers.allow]).toEqual([405, 'GET, HEAD, POST']);
    expect((await own.get('/dashboard/sign-out')).status).toBe(405);
    for (const method of ['OPTIONS', 'TRACE', 'DELETE', 'PATCH']) {
      for (const path of ['/dashboard', '/docs', `/dashboard/keys/${ada.prefix}/revoke`]) {
        const refused = await send(server.url, {
          method,
          path,
          headers: { cookie: own.cookie, accept: 'text/html' },
        });
        expect(refused.status, `${method} ${path}`).toBe(405);
        expectProtected(refused);
      }
    }
    const home = await send(server.url, {
      method: 'POST',
      path: '/',
      headers: { accept: 'text/html' },
    });
    expect(home.status).toBe(405);
  });

  it.each(['x-http-method-override', 'x-http-method', 'x-method-override'])(
    'rejects the method %s',
    async (name) => {
      const own = await signedInClient(server.url, ADA);
      const path = `/dashboard/keys/${ada.prefix}/revoke?_method=POST`;
      expect((await own.get(path, { [name]: 'POST' })).status).toBe(200);
      const keys = inStore(server.database, (db) => runOnSqlite(db, listKeysOf(ada.customerId)));
      expect(keys[0]).toMatchObject({ prefix: ada.prefix, revokedAt: null });
    },
  );

  it('answers HEAD like GET, with the length but no body', async () => {
    const own = await signedInClient(server.url, ADA);
    const headers = { cookie: own.cookie };
    const [head, get] = [
      await send(server.url, { method: 'HEAD', path: '/docs', headers }),
      await send(server.url, { path: '/docs', headers }),
    ];
    expect([head.status, head.text]).toEqual([200, '']);
    expect(head.headers['content-length']).toBe(String(Buffer.byteLength(get.text)));
  });
});

function expectProtected({ headers }: Got): void {
  expect(headers['content-security-policy']).toBe(
    "default-src 'none'; style-src 'self'; script-src 'self'; img-src 'self'; " +
      "form-action 'self'; frame-ancestors 'none'; base-uri 'none'",
  );
  expect(headers).toMatchObject({
    'referrer-policy': 'same-origin',
    'x-content-type-options': 'nosniff',
    'x-frame-options': 'DENY',
  });
}
