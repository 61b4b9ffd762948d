/** Behind TLS, and where customers may register themselves. */
import { describe, expect, it, vi } from 'vitest';
import { send } from '../http/contract.ts';
import { addSomeone, inStore, PASSWORD } from '../support/history.ts';
import { type Client, createClient, formTokenIn, useServer } from '../support/pages.ts';
import { PATIENT } from '../support/patient.ts';
import { runJson } from '../support/verbatim.ts';

const ADA = 'ada@example.org';
const PUBLIC = 'https://search.example.org';

const behindTls = useServer(
  async (database) => {
    addSomeone(database, { email: ADA });
  },
  {
    VERBATIM_PUBLIC_URL: PUBLIC,
    VERBATIM_PROXIES_TRUSTED: '1',
    VERBATIM_TRIES_PER_ADDRESS_MAX: '4',
  },
);
const open = useServer(async () => {}, { VERBATIM_SELF_REGISTRATION: '1' });

describe('behind TLS', () => {
  it('the cookie is limited to this host and TLS, and browsers must stay with TLS', async () => {
    const { headers } = await createClient(behindTls.url).get('/dashboard/sign-in');
    expect(headers['set-cookie']?.[0]).toMatch(
      /^__Host-verbatim=[\w-]{43}; Path=\/; Max-Age=\d+; HttpOnly; SameSite=Lax; Secure$/,
    );
    expect(headers['strict-transport-security']).toBe('max-age=31536000');
  });

  it('a session accepts no cookie that plain HTTP would send', async () => {
    const client = createClient(behindTls.url);
    const credentials = { email: ADA, password: PASSWORD };
    expect((await client.submit('/dashboard/sign-in', credentials)).status).toBe(303);
    expect((await client.get('/dashboard')).status).toBe(200);
    const plain = client.cookie.replace('__Host-', '');
    expect((await createClient(behindTls.url, plain).get('/dashboard')).status).toBe(303);
  });

  it('examples contain the public address, whatever the Host header says', async () => {
    const headers = { host: 'evil.example', accept: 'text/html' };
    const { text } = await send(behindTls.url, { path: '/docs', headers });
    expect(text).toContain(`curl -s ${PUBLIC}/v1/search`);
    expect(text).not.toContain('evil.example');
  });

  it('forms must come from the public address', async () => {
    const client = createClient(behindTls.url);
    const token = formTokenIn((await client.get('/dashboard/sign-in')).text);
    const fields = { form_token: token, email: ADA, password: PASSWORD };
    const from = async (origin: string): Promise<number> =>
      (
        await createClient(behindTls.url, client.cookie).post('/dashboard/sign-in', fields, {
          origin,
        })
      ).status;
    expect(await from('https://evil.example')).toBe(403);
    expect(await from('null')).toBe(403);
    expect(await from(PUBLIC)).toBe(303);
  });

  it('failed sign-ins count by the address that the proxy reports', async () => {
    const tryFrom = async (client: Client, forwarded: string, n: number): Promise<number> => {
      const token = formTokenIn((await client.get('/dashboard/sign-in')).text);
      const fields = { form_token: token, email: `nobody${n}@example.org`, password: 'x' };
      const headers = { 'x-forwarded-for': forwarded };
      return (await client.post('/dashboard/sign-in', fields, headers)).status;
    };
    const client = createClient(behindTls.url);
    const statuses: number[] = [];
    for (let n = 0; n <= 4; n++) {
      // What the client writes itself stands further left.
      statuses.push(await tryFrom(client, `10.0.0.${n}, 192.0.2.7`, n));
    }
    expect(statuses).toEqual([401, 401, 401, 401, 429]);
    expect(await tryFrom(client, '10.0.0.1, 192.0.2.8', 99)).toBe(401);
  });
});

describe('registration', () => {
  it('returns 404 unless it is turned on', async () => {
    expect((await createClient(behindTls.url).get('/dashboard/register')).status).toBe(404);
    const { text } = await createClient(behindTls.url).get('/dashboard/sign-in');
    expect(text).not.toContain('/dashboard/register');
  });

  it('creates a customer without credit, who gets the link from the operator', async () => {
    const client = createClient(open.url);
    expect((await client.get('/dashboard/sign-in')).text).toContain('/dashboard/register');
    const sent = await client.submit('/dashboard/register', { email: 'New@Example.org' });
    expect([sent.status, sent.headers.location]).toEqual([303, '/dashboard/register?done=asked']);
    expect((await client.get('/dashboard/register?done=asked')).text).toContain('registered');
    await vi.waitFor(() => {
      const found = inStore(open.database, (db) =>
        db.prepare('SELECT email, balance FROM customers').all(),
      );
      expect(found).toEqual([{ email: 'new@example.org', balance: 0 }]);
    }, PATIENT);
    const { link } = await runJson<{ link: { url: string } }>([
      ...['customer', 'link', 'new@example.org', '--db', open.database],
    ]);
    const { pathname, search, searchParams } = new URL(link.url);
    const token = searchParams.get('token') ?? '';
    const fields = { token, new_password: PASSWORD, new_password_again: PASSWORD };
    const chosen = await client.submit('/dashboard/link', fields, pathname + search);
    expect(chosen.status).toBe(303);
    expect(chosen.headers.location).toMatch(/^\/dashboard\/keys\/created\/[\w-]{22}$/);
    expect((await client.get('/dashboard')).text).toContain('new@example.org');
  });

  it.each(['', 'nobody', 'a@b@c', 'a b@c', 'a@b\r\nBcc: c@d'])(
    'rejects the address %j',
    async (email) => {
      const got = await createClient(open.url).submit('/dashboard/register', { email });
      expect(got.status).toBe(400);
      expect(got.text).toContain('This is not an e-mail address.');
    },
  );
});
