/** OAuth clients: the site with their metadata, the SDK's own client, and a customer who consents. */
import { readFileSync } from 'node:fs';
import type { RequestListener } from 'node:http';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import {
  Client,
  type OAuthClientProvider,
  type OAuthTokens,
  StreamableHTTPClientTransport,
} from '@modelcontextprotocol/client';
import { expect } from 'vitest';
import { type Got, send } from '../http/contract.ts';
import { temporaryFolder } from './accounts.ts';
import { createAuthority } from './certificates.ts';
import { clientMetadata, REDIRECT } from './oauth-client.ts';
import type { Client as Browser } from './pages.ts';

/** A site over TLS on loopback, which answers for clients. */
export interface ClientSite {
  origin: string;
  /** For a server that may read its metadata. */
  env: Record<string, string>;
  /** What its pages answer, by path. */
  pages: Map<string, RequestListener>;
  /** Requests so far. */
  requests: () => number;
  close(): void;
}

export async function startClientSite(): Promise<ClientSite> {
  const authority = createAuthority(temporaryFolder());
  const { certificateFile, keyFile } = authority.issue('site');
  const pages = new Map<string, RequestListener>();
  let requests = 0;
  const server = createServer(
    { cert: readFileSync(certificateFile), key: readFileSync(keyFile) },
    (request, response) => {
      requests++;
      const page = pages.get(request.url ?? '');
      if (page !== undefined) page(request, response);
      else response.writeHead(404).end();
    },
  );
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const origin = `https://localhost:${(server.address() as AddressInfo).port}`;
  return {
    origin,
    env: {
      VERBATIM_OAUTH: 'true',
      VERBATIM_CLIENT_ORIGINS: origin,
      NODE_EXTRA_CA_CERTS: authority.certificateFile,
    },
    pages,
    requests: () => requests,
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}

/** Puts metadata on the site. Returns the client's id. */
export function addClient(
  { origin, pages }: ClientSite,
  path: string,
  metadata: Record<string, unknown> = {},
): string {
  const id = `${origin}${path}`;
  const document = clientMetadata(id, metadata);
  pages.set(path, (_request, response) => {
    response.writeHead(200, { 'Content-Type': 'application/json' }).end(JSON.stringify(document));
  });
  return id;
}

/** What the SDK's client keeps, and where it wants to send the customer. */
export interface SdkClient {
  client: Client;
  transport: StreamableHTTPClientTransport;
  /** Where the SDK sent the customer. */
  asked(): URL;
  tokens(): OAuthTokens | undefined;
  setTokens(tokens: OAuthTokens): void;
}

/** The SDK's client with metadata at an address. It has not connected yet. */
export function createSdkClient(
  url: string,
  clientMetadataUrl: string,
  kept: { tokens?: OAuthTokens } = {},
): SdkClient {
  const stored: Record<string, never> = {};
  let { tokens } = kept;
  let asked: URL | undefined;
  const keep = (name: string) => (value: unknown) => {
    stored[name] = value as never;
  };
  const provider: OAuthClientProvider = {
    redirectUrl: REDIRECT,
    clientMetadataUrl,
    clientMetadata: { redirect_uris: [REDIRECT], token_endpoint_auth_method: 'none' },
    state: () => 'state of the client',
    clientInformation: () => stored['client'],
    saveClientInformation: keep('client'),
    discoveryState: () => stored['discovery'],
    saveDiscoveryState: keep('discovery'),
    saveCodeVerifier: keep('verifier'),
    codeVerifier: () => stored['verifier'] ?? '',
    tokens: () => tokens,
    saveTokens: (newTokens) => {
      tokens = newTokens;
    },
    redirectToAuthorization: (to) => {
      asked = to;
    },
  };
  const transport = new StreamableHTTPClientTransport(new URL(`${url}/mcp`), {
    authProvider: provider,
  });
  const versionNegotiation = { mode: { pin: '2026-07-28' } };
  return {
    client: new Client({ name: 'test', version: '1' }, { versionNegotiation }),
    transport,
    asked: () => {
      if (asked === undefined) throw new Error('the client asked nobody');
      return asked;
    },
    tokens: () => tokens,
    setTokens: (newTokens) => {
      tokens = newTokens;
    },
  };
}

/** The answer of a customer to the consent page. Returns where the browser was sent. */
export async function decide(
  browser: Browser,
  asked: URL,
  fields: Record<string, string> = { decision: 'connect', cap: '5' },
): Promise<URL> {
  const got = await browser.submit(`${asked.pathname}${asked.search}`, fields);
  expect(got.status, got.text).toBe(303);
  return new URL(String(got.headers.location));
}

/** POST of a form by a program. */
export function postForm(
  url: string,
  path: string,
  fields: Record<string, string> | string,
): Promise<Got> {
  return send(url, {
    method: 'POST',
    path,
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: typeof fields === 'string' ? fields : new URLSearchParams(fields).toString(),
  });
}

/** The exchange of a code. */
export function redeem(
  url: string,
  fields: { clientId: string; code: string; verifier: string } & Record<string, string>,
): Promise<Got> {
  const { clientId, code, verifier, ...changed } = fields;
  return postForm(url, '/oauth/token', {
    grant_type: 'authorization_code',
    client_id: clientId,
    code,
    code_verifier: verifier,
    redirect_uri: REDIRECT,
    resource: `${url}/mcp`,
    ...changed,
  });
}

/** The exchange of a refresh token. */
export function refresh(url: string, clientId: string, token: string): Promise<Got> {
  return postForm(url, '/oauth/token', {
    grant_type: 'refresh_token',
    client_id: clientId,
    refresh_token: token,
  });
}

/** A call of the tool `usage` with a token. Returns the status of HTTP. */
export async function statusOfUsage(url: string, token: string): Promise<number> {
  const got = await send(url, {
    method: 'POST',
    path: '/mcp',
    headers: {
      authorization: `Bearer ${token}`,
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
    },
    body: JSON.stringify({
      jsonrpc: '2.0',
      id: 1,
      method: 'tools/call',
      params: { name: 'usage', arguments: {} },
    }),
  });
  return got.status;
}
