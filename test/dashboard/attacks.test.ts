/** What others try with a customer's pages, and how each is refused. */
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, it } from 'vitest';
import { type ApiKey, listKeysOf } from '../../src/accounts/sql/api-keys.ts';
import { runOnSqlite } from '../../src/database/sqlite/run-on-sqlite.ts';
import { useBrowser } from '../support/browser.ts';
import { addKey, addReturned, addSomeone, inStore, PASSWORD } from '../support/history.ts';
import { createClient, formTokenIn, signedInClient, signIn, useServer } from '../support/pages.ts';

const ADA = 'ada@example.org';
const EVE = 'eve@example.org';
const SCRIPT = `"><script>window.wasRun = true</script><img src=x onerror="window.wasRun = true">`;

const ada = { customerId: 0, prefix: '', requestId: '' };
const server = useServer(async (database) => {
  const { customerId } = addSomeone(database, { email: ADA, credits: 50 });
  const { key } = addKey(database, customerId, 'Ada’s own');
  const { refunded } = addReturned(database, { customerId, keyId: key.id });
  Object.assign(ada, { customerId, prefix: key.prefix, requestId: refunded });
  const eve = addSomeone(database, { email: EVE, credits: 50 });
  addKey(database, eve.customerId, SCRIPT);
});
const browser = useBrowser();

function adasKeys(): ApiKey[] {
  return inStore(server.database, (db) => runOnSqlite(db, listKeysOf(ada.customerId)));
}

describe('a customer', () => {
  it('cannot see, revoke, cap, rename, end, or rotate another customer’s key', async () => {
    const eve = await signedInClient(server.url, EVE);
    const forms: [string, Record<string, string>][] = [
      ['revoke', {}],
      ...['1', '', 'none'].map((cap): [string, Record<string, string>] => ['cap', { cap }]),
      ['edit', { name: 'Stolen', expires: '2100-01-01' }],
      ['rotate', { grace: '0' }],
    ];
    for (const [what, fields] of forms) {
      const path = `/dashboard/keys/${ada.prefix}/${what}`;
      expect((await eve.get(path)).status).toBe(404);
      expect((await eve.submit(path, fields, '/dashboard/account')).status).toBe(404);
    }
    const ends = { revokedAt: null, expiresAt: null, oldPrefix: null };
    const unchanged = { name: 'Ada’s own', prefix: ada.prefix, creditsPerMonthMax: null };
    expect(adasKeys()).toMatchObject([{ ...unchanged, ...ends }]);
    expect((await eve.get('/dashboard/keys')).text).not.toContain(ada.prefix);
  });

  it('cannot search with another customer’s key', async () => {
    const eve = await signedInClient(server.url, EVE);
    const fields = { query: 'sleep', limit: '3', key: ada.prefix };
    expect((await eve.submit('/dashboard/try', fields)).status).toBe(404);
  });

  it('cannot read another customer’s ledger through any filter', async () => {
    const eve = await signedInClient(server.url, EVE);
    for (const [query, expected] of [
      ...([
        ['', 200],
        ['?before=999999', 200],
        ['?customer=1&customerId=1', 200],
      ] as const),
      // Another customer's key is none, like one that there never was.
      ...([
        [`?key=${ada.prefix}`, 400],
        ['?key=0000000000', 400],
      ] as const),
    ] as const) {
      for (const end of ['requests', 'requests.csv', 'requests.json', 'accounting']) {
        const path = `/dashboard/${end}`;
        const { status, text } = await eve.get(`${path}${query}`);
        expect(status, query).toBe(expected);
        expect(text).not.toContain(ada.requestId);
        expect(text).not.toContain('Ada’s own');
      }
    }
    expect(
      (await (await signedInClient(server.url, ADA)).get('/dashboard/accounting')).text,
    ).toContain(ada.requestId);
  });

  it('cannot fetch another customer’s new secret or tried search, even by address', async () => {
    const own = await signedInClient(server.url, ADA);
    const eve = await signedInClient(server.url, EVE);
    const created = await own.submit('/dashboard/keys', { name: 'Second', cap: '' });
    const secretAt = String(created.headers.location);
    expect((await eve.get(secretAt)).status).toBe(410);
    expect((await own.get(secretAt)).text).toMatch(/sk_live_\w{38}/);
    const fields = { query: 'sleep', limit: '3', key: ada.prefix };
    const tried = await own.submit('/dashboard/try', fields);
    const resultAt = String(tried.headers.location);
    expect(resultAt).toMatch(/^\/dashboard\/try\/[\w-]{22}$/);
    expect((await eve.get(resultAt)).status).toBe(404);
    expect((await own.get(resultAt)).text).toContain('<blockquote');
  });

  it('cannot use another customer’s form, whose token belongs to its session', async () => {
    const own = await signedInClient(server.url, ADA);
    const eve = await signedInClient(server.url, EVE);
    const token = formTokenIn((await own.get('/dashboard/keys')).text);
    const sent = await eve.post('/dashboard/keys', { form_token: token, name: 'Foreign', cap: '' });
    expect(sent.status).toBe(403);
  });

  it('cannot take over a session with a forged, shortened or doubled token', async () => {
    const { cookie } = await signedInClient(server.url, ADA);
    const other = (await signedInClient(server.url, EVE)).cookie;
    for (const made of [
      `${cookie.slice(0, -1)}-`,
      cookie.slice(0, -1),
      `${cookie}; ${other}`,
      'verbatim=',
    ]) {
      const { status, headers } = await createClient(server.url, made).get('/dashboard');
      expect([status, headers.location], made).toEqual([
        303,
        '/dashboard/sign-in?next=%2Fdashboard',
      ]);
    }
  });
});

describe('a form from another site', () => {
  const forms: [path: string, fields: Record<string, string>][] = [
    ['/dashboard/keys', { name: 'Foreign', cap: '' }],
    ['/dashboard/keys/PREFIX/revoke', {}],
    ['/dashboard/keys/PREFIX/edit', { name: 'Foreign', cap: '1', expires: '' }],
    ['/dashboard/keys/PREFIX/rotate', { grace: '0' }],
    ['/dashboard/try', { query: 'sleep', limit: '3', key: 'PREFIX' }],
    ['/dashboard/try/references', { text: 'Sleep. 2026.', key: 'PREFIX' }],
    [
      '/dashboard/account/password',
      { password: PASSWORD, new_password: 'x', new_password_again: 'x' },
    ],
    ['/dashboard/billing/preferences', { low_balance: '7' }],
    ['/dashboard/billing/none/cancel', {}],
    ['/dashboard/account/sign-out-everywhere', {}],
    ['/dashboard/account/second-factor/set-up', {}],
    ['/dashboard/account/second-factor/turn-off', { password: PASSWORD, code: '' }],
    ['/dashboard/account/second-factor/new-codes', { code: '' }],
    ['/dashboard/account/members', { email: 'foreign@example.org', role: 'owner' }],
    ['/dashboard/account/leave', {}],
    ['/dashboard/account/delete', { password: PASSWORD, credits: '50', give_up: 'yes' }],
    ['/dashboard/sign-in/code', { pending: 'x', code: '123456' }],
    ['/dashboard/sign-out', {}],
    ['/dashboard/sign-in', { email: EVE, password: PASSWORD }],
    ['/dashboard/link', { token: 'x', new_password: 'x', new_password_again: 'x' }],
    ['/dashboard/reset-password', { email: ADA }],
    ['/dashboard/register', { email: ADA }],
  ];

  it.each(forms)(
    'is rejected by %s without a token, with a foreign token, and from another origin',
    async (path, fields) => {
      const own = await signedInClient(server.url, ADA);
      const at = path.replace('PREFIX', ada.prefix);
      const values = fields['key'] === undefined ? fields : { ...fields, key: ada.prefix };
      const token = formTokenIn((await own.get('/dashboard/account')).text);
      const cookie = own.cookie;
      const attempts: [Record<string, string>, Record<string, string>][] = [
        [values, {}],
        [{ ...values, form_token: 'x'.repeat(43) }, {}],
        [{ ...values, form_token: token }, { 'sec-fetch-site': 'cross-site' }],
        [{ ...values, form_token: token }, { 'sec-fetch-site': 'same-site' }],
        [{ ...values, form_token: token }, { origin: 'https://evil.example' }],
      ];
      for (const [sent, headers] of attempts) {
        const got = await createClient(server.url, cookie).post(at, sent, headers);
        expect(got.status, JSON.stringify(sent)).toBe(403);
        expect(got.headers).not.toHaveProperty('set-cookie');
      }
      expect((await own.get('/dashboard')).status).toBe(200);
      expect(adasKeys().filter(({ name }) => name === 'Foreign')).toEqual([]);
      expect(adasKeys()).toMatchObject([{ creditsPerMonthMax: null, revokedAt: null }, {}]);
    },
  );

  it('changes nothing, even if a signed-in customer opens its page', async () => {
    const foreignPage = createServer((_request, response) => {
      response.setHeader('Content-Type', 'text/html');
      response.end(`<form method="post" action="${server.url}/dashboard/account/sign-out-everywhere">
        <button>Win</button></form>`);
    });
    await once(foreignPage.listen(0, '127.0.0.1'), 'listening');
    const { port } = foreignPage.address() as AddressInfo;
    // The same machine by another name is another site.
    const { page, complaints } = await browser.visit(server.url);
    await signIn(page, ADA);
    await page.goto(`http://127.0.0.1:${port}/`);
    const answer = page.waitForResponse('**/sign-out-everywhere');
    await page.getByRole('button', { name: 'Win' }).click();
    expect((await answer).status()).toBe(403);
    expect(await page.getByRole('heading', { level: 1 }).textContent()).toBe('Access denied');
    await page.goto('/dashboard');
    expect(new URL(page.url()).pathname).toBe('/dashboard');
    // The visit to the foreign page was ours.
    complaints.length = 0;
    foreignPage.close();
  });
});

describe('signing in never redirects to another site', () => {
  const targets = [
    ...['https://evil.example/', '//evil.example', '/\\evil.example', '/\\/evil.example'],
    ...['\\\\evil.example', 'javascript:alert(1)', 'data:text/html,x', '/%0d%0aX-Evil: 1'],
    ...[
      '/dashboard\r\nX-Evil: 1',
      '/\t/evil.example',
      ' //evil.example',
      '',
      'dashboard',
      '/@evil',
    ],
  ];
  it.each(targets)('with next=%j', async (next) => {
    const shown = await createClient(server.url).get(
      `/dashboard/sign-in?${new URLSearchParams({ next })}`,
    );
    const field = /name="next" value="([^"]*)"/.exec(shown.text)?.[1];
    const client = createClient(server.url);
    const fields = { email: ADA, password: PASSWORD, next };
    const { headers } = await client.submit('/dashboard/sign-in', fields);
    for (const target of [field, headers.location]) {
      expect(new URL(String(target), 'http://own.example').host).toBe('own.example');
      expect(target).toMatch(/^\/(?![/\\])/);
    }
    expect(headers).not.toHaveProperty('x-evil');
  });
});

describe('script', () => {
  it('stored as a name is shown as text', async () => {
    const { page } = await browser.visit(server.url);
    await signIn(page, EVE);
    for (const path of ['', '/keys', '/usage', '/requests', '/accounting', '/try']) {
      await page.goto(`/dashboard${path}`);
      expect(await page.content()).not.toContain('<script>window');
      expect(await page.evaluate('window.wasRun')).toBeUndefined();
    }
    await page.goto('/dashboard/keys');
    expect(await page.locator('tbody th').first().textContent()).toContain(SCRIPT);
  });

  it('from an address or a form is shown as text, or not at all', async () => {
    const { page } = await browser.visit(server.url);
    const sent = encodeURIComponent(SCRIPT);
    for (const path of [
      `/dashboard/sign-in?next=${sent}&done=${sent}`,
      `/dashboard/${sent}`,
      `/dashboard/link?token=${sent}`,
    ]) {
      await page.goto(path);
      expect(await page.evaluate('window.wasRun')).toBeUndefined();
    }
    await signIn(page, EVE);
    for (const path of [
      'requests?status=X&path=X&key=X&from=X&to=X&before=X&after=X&id=X',
      'accounting?kind=X&key=X&from=X&to=X&before=X',
      'usage?days=X',
      'billing?done=paid&order=X&looks=X',
      'keys/X/revoke',
      'try/X',
      'account?done=X',
    ]) {
      await page.goto(`/dashboard/${path.replaceAll('X', sent)}`);
      expect(await page.content()).not.toContain('<script>window');
      expect(await page.evaluate('window.wasRun')).toBeUndefined();
    }
    await page.goto('/dashboard/try');
    await page.getByLabel('Question').fill(SCRIPT);
    await page.getByRole('button', { name: 'Search' }).click();
    await page.waitForURL('**/try/*');
    expect(await page.getByLabel('Question').inputValue()).toBe(SCRIPT);
    expect(await page.title()).toContain('Results for “\u2068"><script>');
    expect(await page.evaluate('window.wasRun')).toBeUndefined();
  });

  it('in a page is blocked by the policy, as is anything from elsewhere', async () => {
    const visit = await browser.visit(server.url);
    await visit.page.goto('/dashboard/sign-in');
    await visit.page.evaluate(`(() => {
      const script = document.createElement('script');
      script.textContent = 'window.wasRun = true';
      document.body.append(script);
      document.body.insertAdjacentHTML('beforeend', '<p style="color: red">x</p>');
    })()`);
    expect(await visit.page.evaluate('window.wasRun')).toBeUndefined();
    expect(visit.complaints.join()).toMatch(/script-src.*style-src/s);
    visit.complaints.length = 0;
  });
});
