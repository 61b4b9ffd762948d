/** Strangers, hostile clients, and hostile sites against OAuth. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { addSomeone, PASSWORD } from '../../support/history.ts';
import { withLimits } from '../../support/limits.ts';
import { addClient, type ClientSite, decide, startClientSite } from '../../support/oauth.ts';
import {
  authorizeUrl,
  createPkce,
  LOOPBACK_REDIRECT,
  REDIRECT,
} from '../../support/oauth-client.ts';
import { type Client as Browser, createClient, signedInClient } from '../../support/pages.ts';
import {
  copySampleIndex,
  removeDatabase,
  type Service,
  startService,
} from '../../support/service.ts';

const FETCHES_MAX = 100;
const EMAIL = 'ada@example.org';
const OTHER_EMAIL = 'grace@example.org';

let site: ClientSite;
let service: Service;
let url: string;
let browser: Browser;
let clientId: string;
const { challenge } = createPkce();

beforeAll(async () => {
  site = await startClientSite();
  clientId = addClient(site, '/agent.json');
  const database = await copySampleIndex();
  for (const email of [EMAIL, OTHER_EMAIL]) addSomeone(database, { email, credits: 100 });
  service = await startService(database, {
    ...site.env,
    ...withLimits({ clientMetadataTimeoutMs: 500, clientFetchesPerCustomerMax: FETCHES_MAX }),
  });
  url = service.url.replace('127.0.0.1', 'localhost');
  browser = await signedInClient(url, EMAIL);
});

afterAll(async () => {
  await service.end();
  await removeDatabase(service.database);
  site.close();
});

const pathOf = ({ pathname, search }: URL): string => `${pathname}${search}`;
const ask = (changed: Record<string, string | undefined> = {}): URL =>
  authorizeUrl(url, clientId, challenge, changed);

describe('a request of a client', () => {
  it('whose client or address is wrong leads nowhere', async () => {
    addClient(site, '/script.json', {
      redirect_uris: ['javascript:alert(1)', 'http://agent.example/callback', 'data:text/html,x'],
    });
    const script = `${site.origin}/script.json`;
    const wrong: [what: string, changed: Record<string, string | undefined>, text: RegExp][] = [
      ['no client', { client_id: undefined }, /client_id is missing/],
      ['a name', { client_id: 'claude' }, /must be the https address/],
      [
        'plain http',
        { client_id: 'http://agent.example/client.json' },
        /must be the https address/,
      ],
      ['a root', { client_id: `${site.origin}/` }, /plain address with a path/],
      ['a fragment', { client_id: `${clientId}#x` }, /no fragment/],
      ['a user', { client_id: clientId.replace('//', '//ada@') }, /no user name/],
      ['dots', { client_id: `${site.origin}/a/../agent.json` }, /plain address/],
      ['no such page', { client_id: `${site.origin}/none.json` }, /answered 404/],
      ['this computer', { client_id: 'https://127.0.0.1:1/c' }, /not public/],
      ['a private name', { client_id: 'https://localhost:1/c' }, /not public/],
      ['a private network', { client_id: 'https://10.0.0.1/c' }, /not public/],
      ['IPv6', { client_id: 'https://[::ffff:7f00:1]/c' }, /not public/],
      ['no address', { redirect_uri: undefined }, /redirect_uri is missing/],
      [
        'another address',
        { redirect_uri: 'https://evil.example/callback' },
        /redirect_uri is not one/,
      ],
      ['a longer address', { redirect_uri: `${REDIRECT}/more` }, /redirect_uri is not one/],
      ['a query', { redirect_uri: `${REDIRECT}?to=evil` }, /redirect_uri is not one/],
      ['a loopback path', { redirect_uri: 'http://127.0.0.1:9/other' }, /redirect_uri is not one/],
      ['no port', { redirect_uri: 'http://127.0.0.1:99999/callback' }, /redirect_uri is not one/],
      [
        'a loopback name',
        { redirect_uri: 'http://localhost:9/callback' },
        /redirect_uri is not one/,
      ],
      [
        'a host that begins like loopback',
        { redirect_uri: 'http://127.0.0.1.evil.example/callback' },
        /redirect_uri is not one/,
      ],
      [
        'a user that looks like loopback',
        { redirect_uri: 'http://127.0.0.1:80@evil.example/callback' },
        /redirect_uri is not one/,
      ],
      ['a script', { client_id: script, redirect_uri: 'javascript:alert(1)' }, /is not one/],
      [
        'an address without TLS',
        { client_id: script, redirect_uri: 'http://agent.example/callback' },
        /is not one/,
      ],
    ];
    for (const [what, changed, text] of wrong) {
      const got = await browser.get(pathOf(ask(changed)));
      expect([what, got.status, got.headers.location]).toEqual([what, 400, undefined]);
      expect(got.text, what).toMatch(text);
    }
    const twice = await browser.get(`${pathOf(ask())}&redirect_uri=https%3A%2F%2Fevil.example`);
    expect([twice.status, twice.headers.location]).toEqual([400, undefined]);
  });

  it('that is wrong otherwise can be told so by the customer, with its state and the issuer', async () => {
    const wrong: [error: string, changed: Record<string, string | undefined>][] = [
      ['unsupported_response_type', { response_type: 'token' }],
      ['unsupported_response_type', { response_type: undefined }],
      ['invalid_request', { code_challenge: undefined }],
      ['invalid_request', { code_challenge: 'short' }],
      ['invalid_request', { code_challenge_method: 'plain' }],
      ['invalid_request', { code_challenge_method: undefined }],
      ['invalid_target', { resource: 'https://other.example/mcp' }],
      ['invalid_target', { resource: url }],
      ['invalid_target', { resource: '' }],
    ];
    for (const [error, changed] of wrong) {
      const got = await browser.get(pathOf(ask(changed)));
      // Anybody can be a client, and no link to this site may lead to theirs by itself.
      expect([got.status, got.headers.location]).toEqual([400, undefined]);
      const link = /href="(https:[^"]+)"[^>]*>\s*Return to agent\.example/.exec(got.text)?.[1];
      const back = new URL(String(link).replaceAll('&amp;', '&'));
      expect(back.origin + back.pathname).toBe(REDIRECT);
      expect(Object.fromEntries(back.searchParams)).toMatchObject({
        error,
        state: 'xyz',
        iss: url,
      });
      expect(back.searchParams.has('code')).toBe(false);
    }
  });

  it('may name any port on this computer, and no resource', async () => {
    const redirect_uri = LOOPBACK_REDIRECT.replace('1/', '1:49152/');
    const page = await browser.get(pathOf(ask({ redirect_uri })));
    expect(page.text).toContain('any program can claim to be it');
    const asked = ask({ redirect_uri, resource: undefined, state: undefined });
    const back = await decide(browser, asked);
    expect(back.host).toBe('127.0.0.1:49152');
    expect(back.searchParams.has('state')).toBe(false);
  });
});

describe('metadata', () => {
  it('that is unfit is refused with the reason', async () => {
    const respond = (path: string, body: string, headers: Record<string, string> = {}): string => {
      site.pages.set(path, (_request, response) => {
        response.writeHead(200, { 'Content-Type': 'application/json', ...headers }).end(body);
      });
      return `${site.origin}${path}`;
    };
    site.pages.set('/moved', (_request, response) => {
      response.writeHead(302, { Location: '/agent.json' }).end();
    });
    site.pages.set('/slow', () => {});
    site.pages.set('/endless', (_request, response) => {
      response.writeHead(200, { 'Content-Type': 'application/json' });
      const more = setInterval(() => response.write('x'.repeat(8_192)), 1);
      response.on('close', () => clearInterval(more));
    });
    const unfit: [id: string, text: RegExp][] = [
      [`${site.origin}/moved`, /answered 302/],
      [`${site.origin}/slow`, /no response in time/],
      [`${site.origin}/endless`, /more than 16384 bytes/],
      [respond('/text', '{}', { 'Content-Type': 'text/html' }), /not application\/json/],
      [respond('/broken', '{'), /not JSON/],
      [respond('/list', '[]'), /no object/],
      [respond('/copy', JSON.stringify({ client_id: clientId })), /that of another client/],
      [addClient(site, '/secret', { token_endpoint_auth_method: 'client_secret_post' }), /none/],
      [addClient(site, '/no-uris', { redirect_uris: [] }), /redirect_uris/],
      [addClient(site, '/numbers', { redirect_uris: [7] }), /redirect_uris/],
      [addClient(site, '/device', { grant_types: ['device_code'] }), /grant_types/],
      [addClient(site, '/implicit', { response_types: ['token'] }), /response_types/],
    ];
    for (const [id, text] of unfit) {
      const got = await browser.get(pathOf(ask({ client_id: id })));
      expect([id, got.status]).toEqual([id, 400]);
      expect(got.text).toMatch(text);
    }
  });

  it('cannot dress up: its name is one line of visible text, below the host', async () => {
    const client_name = `<b>Verbatim</b>\n\u202e\u200b${'x'.repeat(500)}`;
    const id = addClient(site, '/dressed.json', { client_name });
    const got = await browser.get(pathOf(ask({ client_id: id })));
    expect(got.status).toBe(200);
    expect(got.text).toContain(`&lt;b>Verbatim&lt;/b> ${'x'.repeat(44)}”`);
    expect(got.text).toContain(`Connect ${new URL(id).host}?`);
  });

  it('is read again only after a while', async () => {
    const id = addClient(site, '/kept.json');
    const before = site.requests();
    for (let count = 0; count < 3; count++) await browser.get(pathOf(ask({ client_id: id })));
    expect(site.requests() - before).toBe(1);
  });

  it('is fetched for signed-in customers only, and not without end', async () => {
    const stranger = createClient(url);
    const before = site.requests();
    const got = await stranger.get(pathOf(ask({ client_id: `${site.origin}/stranger.json` })));
    expect([got.status, got.headers.location]).toEqual([
      303,
      expect.stringMatching(/^\/dashboard\/sign-in\?next=%2Foauth%2Fauthorize/),
    ]);
    expect(site.requests()).toBe(before);
    const greedy = await signedInClient(url, OTHER_EMAIL);
    let last = await greedy.get(pathOf(ask({ client_id: `${site.origin}/none-0.json` })));
    for (let count = 1; last.status === 400 && count <= FETCHES_MAX; count++) {
      last = await greedy.get(pathOf(ask({ client_id: `${site.origin}/none-${count}.json` })));
    }
    expect(last.status).toBe(429);
    expect(site.requests() - before).toBeLessThanOrEqual(FETCHES_MAX + 1);
  });
});

describe('consent', () => {
  it('survives signing in', async () => {
    const visitor = createClient(url);
    const first = await visitor.get(pathOf(ask({ state: "a*b'(c)!~ d" })));
    const next = new URL(String(first.headers.location), url).searchParams.get('next') ?? '';
    const signedIn = await visitor.submit(
      '/dashboard/sign-in',
      { email: EMAIL, password: PASSWORD, next },
      String(first.headers.location),
    );
    expect([signedIn.status, signedIn.headers.location]).toEqual([303, next]);
    expect((await visitor.get(next)).text).toContain('Test agent');
  });

  it('cannot be forged or framed by another site', async () => {
    const path = pathOf(ask());
    const page = await browser.get(path);
    expect(page.headers['x-frame-options']).toBe('DENY');
    const policy = String(page.headers['content-security-policy']);
    expect(policy).toContain("frame-ancestors 'none'");
    expect(policy).toContain("form-action 'self' https://agent.example;");
    const fields = { decision: 'connect', cap: '5' };
    const forged = await browser.post(path, fields);
    expect(forged.status).toBe(403);
    const crossSite = { 'sec-fetch-site': 'cross-site', origin: 'https://evil.example' };
    const withToken = {
      ...fields,
      form_token: /name="form_token" value="([^"]+)"/.exec(page.text)?.[1] ?? '',
    };
    expect((await browser.post(path, withToken, crossSite)).status).toBe(403);
    expect((await browser.post(path, withToken)).status).toBe(303);
    const other = await signedInClient(url, OTHER_EMAIL);
    expect((await other.post(path, withToken)).status).toBe(403);
    // A form of this site for another client: everything in the address is checked again.
    const elsewhere = pathOf(ask({ redirect_uri: 'https://evil.example/callback' }));
    expect((await browser.post(elsewhere, withToken)).status).toBe(400);
    const weaker = pathOf(ask({ code_challenge_method: 'plain' }));
    expect((await browser.post(weaker, withToken)).status).toBe(400);
  });

  it('can be declined, and needs a cap', async () => {
    const back = await decide(browser, ask(), { decision: 'decline', cap: '' });
    expect(Object.fromEntries(back.searchParams)).toMatchObject({
      error: 'access_denied',
      state: 'xyz',
      iss: url,
    });
    for (const cap of ['', '0', '-1', '1.5', '1e3', '9'.repeat(12), 'many']) {
      const got = await browser.submit(pathOf(ask()), { decision: 'connect', cap });
      expect([cap, got.status]).toEqual([cap, 422]);
      expect(got.text).toContain('Enter a whole number from 1 to');
    }
  });
});
