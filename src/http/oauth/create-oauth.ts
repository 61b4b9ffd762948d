/** Builds OAuth for clients of the MCP endpoint, and answers its requests of programs. */
import type { AccountDeps } from '../../accounts/account-deps.ts';
import type { GrantLimits } from '../../accounts/sql/client-grants.ts';
import { VerbatimError } from '../../errors.ts';
import type { HttpRequest, HttpResponse } from '../messages.ts';
import { errorResponse, jsonResponse } from '../responses.ts';
import type { RespondToPage, ServiceDeps } from '../service-deps.ts';
import {
  RESOURCE_METADATA_PATH,
  REVOKE_PATH,
  resourceMetadata,
  SERVER_METADATA_PATH,
  serverMetadata,
  TOKEN_PATH,
} from './metadata.ts';
import type { OAuthDeps } from './oauth-deps.ts';
import { createClientReader } from './read-client.ts';
import { revocationEndpoint } from './revocation-endpoint.ts';
import { tokenEndpoint } from './token-endpoint.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 3_600_000;

export interface OAuthOptions {
  accounts: AccountDeps;
  service: ServiceDeps;
  baseUrl: () => string;
}

export function createOAuth({ accounts, service, baseUrl: base }: OAuthOptions): OAuthDeps {
  const { settings } = accounts;
  const limits: GrantLimits = {
    accessTokenMs: settings.accessTokenMinutesMax * MINUTE_MS,
    refreshTokenMs: settings.refreshTokenHoursMax * HOUR_MS,
    refreshGraceMs: settings.refreshGraceMs,
    tokensPerGrantMax: settings.tokensPerGrantMax,
    keysMax: settings.keysPerCustomerMax,
    keysEverMax: settings.keysEverPerCustomerMax,
  };
  const clients = createClientReader(accounts);
  return { accounts, service, clients, limits, baseUrl: base };
}

interface Endpoint {
  methods: readonly string[];
  respond: (deps: OAuthDeps, request: HttpRequest) => HttpResponse | Promise<HttpResponse>;
}

const read = ['GET', 'HEAD'];
const endpoints: Readonly<Record<string, Endpoint>> = {
  [RESOURCE_METADATA_PATH]: {
    methods: read,
    respond: (deps) => jsonResponse(200, resourceMetadata(deps.baseUrl())),
  },
  [SERVER_METADATA_PATH]: {
    methods: read,
    respond: (deps) => jsonResponse(200, serverMetadata(deps.baseUrl())),
  },
  [TOKEN_PATH]: { methods: ['POST'], respond: tokenEndpoint },
  [REVOKE_PATH]: { methods: ['POST'], respond: revocationEndpoint },
};

/** Returns the function that responds to programs. The consent page is one of the dashboard's. */
export function respondToClients(deps: OAuthDeps): RespondToPage {
  return (request) => {
    const { path: route, method } = request;
    const endpoint = Object.hasOwn(endpoints, route) ? endpoints[route] : undefined;
    if (endpoint === undefined) return undefined;
    if (!endpoint.methods.includes(method)) {
      const error = new VerbatimError('method_not_allowed');
      const refused = errorResponse(error, { Allow: endpoint.methods.join(', ') });
      return { route, response: Promise.resolve(refused) };
    }
    const respond = async (): Promise<HttpResponse> => endpoint.respond(deps, request);
    return { route, response: respond() };
  };
}
