/** What an OAuth client publishes and asks for. Without vitest, so that scripts can use it. */
import { createHash, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

export const REDIRECT = 'https://agent.example/callback';
/** The port of a program on this computer differs each time. */
export const LOOPBACK_REDIRECT = 'http://127.0.0.1/callback';
export const IPV6_REDIRECT = 'http://[::1]/callback';

/** A client that does everything by hand. */
export interface Pkce {
  verifier: string;
  challenge: string;
}

export function createPkce(): Pkce {
  const verifier = randomBytes(32).toString('base64url');
  return { verifier, challenge: createHash('sha256').update(verifier).digest('base64url') };
}

/** The metadata of a client. */
export function clientMetadata(
  id: string,
  changed: Record<string, unknown> = {},
): Record<string, unknown> {
  return {
    client_id: id,
    client_name: 'Test agent',
    redirect_uris: [REDIRECT, LOOPBACK_REDIRECT],
    token_endpoint_auth_method: 'none',
    ...changed,
  };
}

/** The address of a request for a code. Undefined parameters are left out. */
export function authorizeUrl(
  url: string,
  clientId: string,
  challenge: string,
  changed: Record<string, string | undefined> = {},
): URL {
  const asked = new URL(`${url}/oauth/authorize`);
  const parameters = {
    response_type: 'code',
    client_id: clientId,
    redirect_uri: REDIRECT,
    state: 'xyz',
    code_challenge: challenge,
    code_challenge_method: 'S256',
    resource: `${url}/mcp`,
    ...changed,
  };
  for (const [name, value] of Object.entries(parameters)) {
    if (value !== undefined) asked.searchParams.append(name, value);
  }
  return asked;
}

/** A site on loopback with the metadata of one client. */
export interface PlainClient {
  /** For a server that may read the metadata. */
  env: Record<string, string>;
  /** The path of the page that asks a customer. */
  consentPath(changed?: Record<string, string | undefined>): string;
  close(): void;
}

export async function startPlainClient(name: string): Promise<PlainClient> {
  let id = '';
  const server = createServer((_request, response) => {
    const redirect_uris = [REDIRECT, LOOPBACK_REDIRECT, IPV6_REDIRECT];
    const metadata = JSON.stringify(clientMetadata(id, { client_name: name, redirect_uris }));
    response.writeHead(200, { 'Content-Type': 'application/json' }).end(metadata);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  id = `${origin}/client.json`;
  const { challenge } = createPkce();
  return {
    env: { VERBATIM_OAUTH: 'true', VERBATIM_CLIENT_ORIGINS: origin },
    consentPath(changed = {}) {
      const only = { resource: undefined, ...changed };
      const { pathname, search } = authorizeUrl('http://localhost', id, challenge, only);
      return pathname + search;
    },
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}
