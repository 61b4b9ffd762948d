/** The SDK's own client connects by OAuth, with metadata on a site over TLS. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { addSomeone } from '../../support/history.ts';
import { withLimits } from '../../support/limits.ts';
import { type MailServer, startMailServer } from '../../support/mail-server.ts';
import { callTool } from '../../support/mcp.ts';
import {
  addClient,
  type ClientSite,
  createSdkClient,
  decide,
  postForm,
  redeem,
  refresh,
  startClientSite,
  statusOfUsage,
} from '../../support/oauth.ts';
import { authorizeUrl, createPkce, REDIRECT } from '../../support/oauth-client.ts';
import { type Client as Browser, signedInClient } from '../../support/pages.ts';
import {
  copySampleIndex,
  removeDatabase,
  type Service,
  startService,
} from '../../support/service.ts';
import { runCommand } from '../../support/verbatim.ts';
import { expectAudited, ledger, send } from '../contract.ts';

const EMAIL = 'ada@example.org';
const QUESTION = 'does sleep help memory';

let mails: MailServer;
let site: ClientSite;
let service: Service;
/** By name, as the issuer is called. */
let url: string;
let browser: Browser;
let clientId: string;

beforeAll(async () => {
  mails = await startMailServer();
  site = await startClientSite();
  clientId = addClient(site, '/agent.json');
  const database = await copySampleIndex();
  addSomeone(database, { email: EMAIL, credits: 100 });
  service = await startService(database, {
    ...site.env,
    ...withLimits({ refreshGraceMs: 0 }),
    VERBATIM_SMTP_URL: mails.url,
    VERBATIM_MAIL_FROM: 'verbatim@example.org',
  });
  url = service.url.replace('127.0.0.1', 'localhost');
  browser = await signedInClient(url, EMAIL);
});

afterAll(async () => {
  await expectAudited(service.database);
  await service.end();
  await removeDatabase(service.database);
  site.close();
  mails.close();
});

/** Connects a client and returns its tokens. */
async function connect(): Promise<{
  access: string;
  refresh: string;
  code: string;
  verifier: string;
}> {
  const { verifier, challenge } = createPkce();
  const back = await decide(browser, authorizeUrl(url, clientId, challenge));
  const code = back.searchParams.get('code') ?? '';
  const got = await redeem(url, { clientId, code, verifier });
  expect(got.status, got.text).toBe(200);
  expect(got.headers['cache-control']).toBe('no-store');
  const tokens = JSON.parse(got.text);
  expect(tokens).toMatchObject({ token_type: 'Bearer', expires_in: 3600 });
  return { access: tokens.access_token, refresh: tokens.refresh_token, code, verifier };
}

describe("the SDK's own client", () => {
  it('finds the way, asks the customer, and spends no more than the cap', async () => {
    const sdk = createSdkClient(url, clientId);
    await expect(sdk.client.connect(sdk.transport)).rejects.toThrow(/Unauthorized/i);
    expect(Object.fromEntries(sdk.asked().searchParams)).toMatchObject({
      client_id: clientId,
      code_challenge_method: 'S256',
      resource: `${url}/mcp`,
      redirect_uri: REDIRECT,
    });
    const page = await browser.get(`${sdk.asked().pathname}${sdk.asked().search}`);
    expect(page.status, page.text).toBe(200);
    expect(page.text).toContain('Test agent');
    expect(page.text).toContain(new URL(site.origin).host);
    expect(page.text).toContain('agent.example');
    const back = await decide(browser, sdk.asked(), { decision: 'connect', cap: '1' });
    expect(back.origin + back.pathname).toBe(REDIRECT);
    expect(back.searchParams.get('state')).toBe('state of the client');
    expect(back.searchParams.get('iss')).toBe(url);
    await sdk.transport.finishAuth(back.searchParams);

    const again = createSdkClient(url, clientId, { tokens: sdk.tokens() as never });
    await again.client.connect(again.transport);
    const found = await callTool(again.client, 'search', { query: QUESTION });
    expect(found.isError).toBeUndefined();
    await expect
      .poll(() => ledger(service.database, EMAIL).filter(({ kind }) => kind === 'settle').length)
      .toBe(1);
    const capped = await callTool(again.client, 'search', { query: QUESTION });
    expect(capped.isError).toBe(true);
    expect(capped.content[0]?.text).toMatch(/^key_cap_reached/);
    await again.client.close();
  });

  it('gets a new token by itself when its own has ended', async () => {
    const { access, refresh: token } = await connect();
    const sdk = createSdkClient(url, clientId, {
      tokens: {
        access_token: `${access}x`,
        token_type: 'Bearer',
        refresh_token: token,
        issuer: url,
      } as never,
    });
    await sdk.client.connect(sdk.transport);
    expect((await callTool(sdk.client, 'usage', {})).isError).toBeUndefined();
    expect(sdk.tokens()?.refresh_token).not.toBe(token);
    await sdk.client.close();
  });
});

describe('a connection', () => {
  it('is told to the owner by a mail, which names the site and not what the client calls itself', async () => {
    const asked = () => authorizeUrl(url, clientId, createPkce().challenge);
    const about = (cap: string): string[] =>
      // Long lines are folded on their way.
      mails.received
        .map((mail) => mail.replace(/=?\r\n/g, ''))
        .filter((mail) => mail.includes(`up to ${cap} of your credits a month`));
    await decide(browser, asked(), { decision: 'decline', cap: '8' });
    await decide(browser, asked(), { decision: 'connect', cap: '7' });
    await expect.poll(() => about('7')).toHaveLength(1);
    expect(about('8')).toEqual([]);
    const [mail = ''] = about('7');
    expect(mail).toContain(`To: ${EMAIL}`);
    expect(mail).toContain('Subject: Verbatim: A client was connected');
    expect(mail).toContain(`A client of ${new URL(clientId).host} was connected`);
    expect(mail).not.toContain('Test agent');
  });

  it('is a key of its own, in the dashboard and on the command line, until it is revoked', async () => {
    const { access, refresh: token } = await connect();
    expect(await statusOfUsage(url, access)).toBe(200);
    const host = new URL(clientId).host;
    const { stdout } = await runCommand(['key', 'list', '--json', '--db', service.database]);
    const keys = JSON.parse(stdout) as { prefix: string; name: string; client: string }[];
    const key = keys.at(-1);
    expect(key).toMatchObject({ name: 'Test agent', client: clientId, creditsPerMonthMax: 5 });
    const table = await runCommand(['key', 'list', '--db', service.database]);
    expect(table.stdout).toContain(host);
    const page = await browser.get('/dashboard/keys');
    expect(page.text).toContain(`client of ${host}`);
    expect(page.text).toContain(key?.prefix);
    const rotated = await runCommand(
      ['key', 'rotate', key?.prefix ?? '', '--db', service.database],
      { code: 1 },
    );
    expect(rotated.stderr).toContain('belongs to a client');

    const revoked = await browser.submit(`/dashboard/keys/${key?.prefix}/revoke`, {});
    expect(revoked.status).toBe(303);
    expect(await statusOfUsage(url, access)).toBe(401);
    expect((await refresh(url, clientId, token)).status).toBe(400);
  });

  it('has tokens that open nothing but /mcp', async () => {
    const { access, refresh: token } = await connect();
    const paths = ['/v1/usage', '/v1/search', '/v1/verify'];
    for (const path of paths) {
      const method = path === '/v1/usage' ? 'GET' : 'POST';
      const got = await send(url, { method, path, headers: { authorization: `Bearer ${access}` } });
      expect([path, got.status]).toEqual([path, 401]);
    }
    expect(await statusOfUsage(url, token)).toBe(401);
    expect(await statusOfUsage(url, `${access.slice(0, -1)}_`)).toBe(401);
  });

  it('ends when the client gives it up, with either token', async () => {
    for (const kind of ['access', 'refresh'] as const) {
      const tokens = await connect();
      const other = await postForm(url, '/oauth/revoke', {
        token: tokens[kind],
        client_id: `${site.origin}/other.json`,
      });
      expect(other.status).toBe(200);
      expect(await statusOfUsage(url, tokens.access)).toBe(200);
      const form = { token: tokens[kind], client_id: clientId };
      expect((await postForm(url, '/oauth/revoke', form)).status).toBe(200);
      expect(await statusOfUsage(url, tokens.access)).toBe(401);
      expect((await postForm(url, '/oauth/revoke', form)).status).toBe(200);
    }
  });
});

describe('a refresh token', () => {
  it('is replaced at each use, and ends the connection when an old one comes back', async () => {
    const first = await connect();
    const second = JSON.parse((await refresh(url, clientId, first.refresh)).text);
    expect(second.refresh_token).not.toBe(first.refresh);
    // Calls in flight go on with the token that they have.
    expect(await statusOfUsage(url, first.access)).toBe(200);
    expect(await statusOfUsage(url, second.access_token)).toBe(200);
    const third = JSON.parse((await refresh(url, clientId, second.refresh_token)).text);
    const stolen = await refresh(url, clientId, first.refresh);
    expect([stolen.status, JSON.parse(stolen.text).error]).toEqual([400, 'invalid_grant']);
    for (const token of [first.access, second.access_token, third.access_token]) {
      expect(await statusOfUsage(url, token)).toBe(401);
    }
    expect((await refresh(url, clientId, third.refresh_token)).status).toBe(400);
  });

  it('of another client is refused and stays valid', async () => {
    const { refresh: token } = await connect();
    expect((await refresh(url, `${site.origin}/other.json`, token)).status).toBe(400);
    expect((await refresh(url, clientId, token)).status).toBe(200);
  });

  it('counts against the rate of the key', async () => {
    let { refresh: token } = await connect();
    const { stdout } = await runCommand(['key', 'list', '--json', '--db', service.database]);
    const { prefix } = JSON.parse(stdout).at(-1);
    expect(prefix).toMatch(/^[0-9a-f]{10}$/);
    let got = await refresh(url, clientId, token);
    for (let count = 0; got.status === 200 && count < 1_000; count++) {
      token = JSON.parse(got.text).refresh_token;
      got = await refresh(url, clientId, token);
    }
    expect([got.status, got.headers['retry-after']]).toEqual([429, '1']);
  });
});

describe('an authorization code', () => {
  it('works once; a second use ends what it gave', async () => {
    const { access, code, verifier } = await connect();
    expect(await statusOfUsage(url, access)).toBe(200);
    const again = await redeem(url, { clientId, code, verifier });
    expect([again.status, JSON.parse(again.text).error]).toEqual([400, 'invalid_grant']);
    expect(await statusOfUsage(url, access)).toBe(401);
  });

  it('gives tokens to one of two that come at the same time', async () => {
    const { verifier, challenge } = createPkce();
    const back = await decide(browser, authorizeUrl(url, clientId, challenge));
    const code = back.searchParams.get('code') ?? '';
    const both = await Promise.all([1, 2].map(() => redeem(url, { clientId, code, verifier })));
    expect(both.map(({ status }) => status).sort()).toEqual([200, 400]);
  });

  it('is lost after one wrong exchange', async () => {
    const other = createPkce().verifier;
    const wrong: [what: string, changed: Record<string, string>][] = [
      ['verifier', { verifier: other }],
      ['client', { clientId: `${site.origin}/other.json` }],
      ['address', { redirect_uri: 'http://127.0.0.1:9/callback' }],
    ];
    for (const [what, changed] of wrong) {
      const { verifier, challenge } = createPkce();
      const back = await decide(browser, authorizeUrl(url, clientId, challenge));
      const input = { clientId, code: back.searchParams.get('code') ?? '', verifier };
      const refused = await redeem(url, { ...input, ...changed });
      expect([what, refused.status, JSON.parse(refused.text).error]).toEqual([
        what,
        400,
        'invalid_grant',
      ]);
      expect((await redeem(url, input)).status).toBe(400);
    }
  });
});
