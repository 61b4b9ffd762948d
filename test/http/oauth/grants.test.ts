/** The endpoints of OAuth for programs, and what was granted, with a customer and an operator who change it. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { capKey } from '../../../src/accounts/sql/api-keys.ts';
import { changeOnSqlite } from '../../../src/database/sqlite/run-on-sqlite.ts';
import { addSomeone, inStore } from '../../support/history.ts';
import { withLimits } from '../../support/limits.ts';
import {
  addClient,
  type ClientSite,
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
import { send } from '../contract.ts';

const EMAIL = 'ada@example.org';

let site: ClientSite;
let service: Service;
let url: string;
let browser: Browser;
let clientId: string;
const { verifier, challenge } = createPkce();

beforeAll(async () => {
  site = await startClientSite();
  clientId = addClient(site, '/agent.json');
  const database = await copySampleIndex();
  addSomeone(database, { email: EMAIL, credits: 100 });
  service = await startService(database, {
    ...site.env,
    ...withLimits({ authorizationCodeMs: 3_000 }),
    VERBATIM_KEYS_PER_CUSTOMER_MAX: '3',
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

describe('the endpoints for programs', () => {
  it('say what is wrong in words of OAuth', async () => {
    const token = '/oauth/token';
    const code = { grant_type: 'authorization_code', client_id: clientId, redirect_uri: REDIRECT };
    const wrong: [fields: Record<string, string> | string, error: string][] = [
      [{}, 'invalid_request'],
      [{ grant_type: 'password', username: 'x' }, 'unsupported_grant_type'],
      [{ grant_type: 'client_credentials' }, 'unsupported_grant_type'],
      [{ ...code, code_verifier: verifier }, 'invalid_request'],
      [{ ...code, code: 'x' }, 'invalid_request'],
      [{ ...code, code: 'x', code_verifier: 'short' }, 'invalid_request'],
      [{ ...code, code: 'x', code_verifier: verifier }, 'invalid_grant'],
      [{ ...code, code: '\0'.repeat(60), code_verifier: verifier }, 'invalid_grant'],
      [
        { ...code, code: 'x', code_verifier: verifier, resource: 'https://x.example' },
        'invalid_target',
      ],
      [{ grant_type: 'refresh_token', client_id: clientId }, 'invalid_request'],
      [{ grant_type: 'refresh_token', refresh_token: 'x' }, 'invalid_request'],
      [
        {
          grant_type: 'refresh_token',
          refresh_token: `vrt_${'x'.repeat(75)}`,
          client_id: clientId,
        },
        'invalid_grant',
      ],
      ['grant_type=refresh_token&grant_type=password', 'invalid_request'],
    ];
    for (const [fields, error] of wrong) {
      const got = await postForm(url, token, fields);
      expect([fields, got.status, JSON.parse(got.text).error]).toEqual([fields, 400, error]);
      expect(got.headers['x-error-code']).toBe('bad_request');
    }
    expect((await postForm(url, token, `code=${'x'.repeat(70_000)}`)).status).toBe(413);
    const json = await send(url, {
      method: 'POST',
      path: token,
      headers: { 'content-type': 'application/json' },
      body: '{}',
    });
    expect([json.status, JSON.parse(json.text).error]).toEqual([400, 'invalid_request']);
    for (const path of [token, '/oauth/revoke']) {
      const got = await send(url, { method: 'GET', path });
      expect([path, got.status, got.headers.allow]).toEqual([path, 405, 'POST']);
    }
  });

  it('publish where everything is', async () => {
    const read = async (path: string) => JSON.parse((await send(url, { path })).text);
    const resource = await read('/.well-known/oauth-protected-resource/mcp');
    expect(resource).toMatchObject({ resource: `${url}/mcp`, authorization_servers: [url] });
    expect(await read('/.well-known/oauth-authorization-server')).toMatchObject({
      issuer: url,
      code_challenge_methods_supported: ['S256'],
      client_id_metadata_document_supported: true,
      authorization_response_iss_parameter_supported: true,
    });
    const refused = await send(url, { method: 'POST', path: '/mcp', body: '{}' });
    expect(refused.headers['www-authenticate']).toBe(
      `Bearer realm="verbatim", resource_metadata="${url}/.well-known/oauth-protected-resource/mcp"`,
    );
    const foreign = await send(url, {
      path: '/.well-known/oauth-authorization-server',
      headers: { host: 'evil.example' },
    });
    expect(JSON.parse(foreign.text).issuer).toBe(url);
  });
});

describe('what was granted', () => {
  const connect = async (): Promise<{ access_token: string; refresh_token: string }> => {
    const back = await decide(browser, ask());
    const code = back.searchParams.get('code') ?? '';
    const got = await redeem(url, { clientId, code, verifier });
    expect(got.status, got.text).toBe(200);
    return JSON.parse(got.text);
  };

  it('keeps to the cap that the customer lowers, and to the limit of keys', async () => {
    await connect();
    await connect();
    await connect();
    const page = await browser.submit(pathOf(ask()), { decision: 'connect', cap: '5' });
    expect([page.status, page.text]).toEqual([400, expect.stringContaining('3 valid keys')]);
    inStore(service.database, (db) => {
      const prefixes = db.prepare('SELECT prefix FROM api_keys').pluck().all() as string[];
      for (const prefix of prefixes) changeOnSqlite(db, capKey({ prefix, creditsPerMonthMax: 1 }));
      db.prepare('UPDATE api_keys SET revoked_at = ? WHERE revoked_at IS NULL').run(Date.now());
    });
  });

  it('stands in no database file, and a code ends by itself', async () => {
    const tokens = await connect();
    const back = await decide(browser, ask());
    const code = back.searchParams.get('code') ?? '';
    const found = inStore(service.database, (db) =>
      ['client_codes', 'client_tokens', 'client_grants', 'api_keys'].map((table) =>
        JSON.stringify(db.prepare(`SELECT * FROM ${table}`).all()),
      ),
    ).join('');
    for (const secret of [code, tokens.access_token, tokens.refresh_token]) {
      expect(found).not.toContain(secret);
    }
    expect(JSON.stringify(service.log)).not.toContain(tokens.access_token);
    await expect
      .poll(
        () =>
          inStore(
            service.database,
            (db) => db.prepare('SELECT max(expires_at) FROM client_codes').pluck().get() as number,
          ) < Date.now(),
      )
      .toBe(true);
    expect((await redeem(url, { clientId, code, verifier })).status).toBe(400);
  });

  it('ends with the customer', async () => {
    const tokens = await connect();
    expect(await statusOfUsage(url, tokens.access_token)).toBe(200);
    await runCommand(['customer', 'disable', EMAIL, '--db', service.database]);
    expect(await statusOfUsage(url, tokens.access_token)).toBe(401);
    expect((await refresh(url, clientId, tokens.refresh_token)).status).toBe(400);
  });
});
