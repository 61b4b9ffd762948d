import { describe, expect, it } from 'vitest';
import { assertOAuthSettings } from '../../../src/http/oauth/oauth-options.ts';
import { readSettings } from '../../../src/settings/config.ts';
import { useService } from '../../support/use-service.ts';
import { send } from '../contract.ts';

const check = (environment: Record<string, string>): void =>
  assertOAuthSettings(readSettings({}, environment));

describe('the settings of OAuth', () => {
  it.each([
    {},
    { VERBATIM_PUBLIC_URL: 'http://search.example.org' },
    { VERBATIM_OAUTH: 'true' },
    { VERBATIM_OAUTH: 'true', VERBATIM_PUBLIC_URL: 'https://search.example.org' },
    { VERBATIM_OAUTH: 'true', VERBATIM_CLIENT_ORIGINS: 'https://a.example, http://b.example:8' },
  ])('%j are fine', (environment) => {
    expect(() => check(environment)).not.toThrow();
  });

  it.each([
    [{ VERBATIM_PUBLIC_URL: 'http://search.example.org' }, /needs https/],
    [{ VERBATIM_CLIENT_ORIGINS: 'a.example' }, /"a\.example" is no origin/],
    [{ VERBATIM_CLIENT_ORIGINS: 'https://a.example/path' }, /no origin/],
  ])('%j are refused at the start', (environment, text) => {
    expect(() => check({ VERBATIM_OAUTH: 'true', ...environment })).toThrow(text);
  });
});

describe('a server without the setting', () => {
  const service = useService();

  it('has none of it', async () => {
    const paths = ['oauth-protected-resource/mcp', 'oauth-authorization-server'];
    for (const path of paths.map((name) => `/.well-known/${name}`)) {
      expect((await send(service.url, { path })).status).toBe(404);
    }
    for (const path of ['/oauth/token', '/oauth/revoke']) {
      expect((await send(service.url, { method: 'POST', path })).status).toBe(404);
    }
    const { headers } = await send(service.url, { method: 'POST', path: '/mcp', body: '{}' });
    expect(headers['www-authenticate']).toBe('Bearer realm="verbatim"');
  });
});
