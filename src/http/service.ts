/**
 * The entry point of every request: routes, key, rate, one id and one log line per request. Checks
 * run in the order 401, 429, 406, 415, 413, 400, 402, 503. `/mcp` checks the origin first.
 */
import { randomUUID } from 'node:crypto';
import type { ApiKey } from '../accounts/sql/api-keys.ts';
import type { KeyOwner } from '../accounts/sql/own-keys.ts';
import { VerbatimError } from '../errors.ts';
import type { LogFields } from '../log.ts';
import { type ApiPath, apiPaths } from './api-paths.ts';
import { bearerChallenge, bearerSecret, rateError, rateHeaders } from './authenticate.ts';
import { batchEndpoint } from './batch-endpoint.ts';
import { type CallRecord, newCallRecord, toRequest } from './call-record.ts';
import { changesEndpoint } from './changes-endpoint.ts';
import { compressResponse } from './compress-response.ts';
import { healthEndpoint } from './health-endpoint.ts';
import { mcpRequest } from './mcp-request.ts';
import type { HttpRequest, HttpResponse } from './messages.ts';
import { assertOwnOrigin } from './own-origin.ts';
import type { PaidCall } from './paid-call.ts';
import { paperEndpoint } from './paper-endpoint.ts';
import { toProblem } from './problem-details.ts';
import { createRejectionPace } from './rejection-pace.ts';
import { createRequestLog } from './request-log.ts';
import { creditsLeft, customerError, errorResponse, type Headers } from './responses.ts';
import { searchEndpoint } from './search-endpoint.ts';
import type { ClientAccess, RespondToPage, ServiceDeps } from './service-deps.ts';
import { similarEndpoint } from './similar-endpoint.ts';
import { usageEndpoint } from './usage-endpoint.ts';
import { verifyEndpoint } from './verify-endpoint.ts';
import { webhookEndpoint } from './webhook-endpoint.ts';

const SEARCH_PATH = '/v1/search';
const BATCH_PATH = '/v1/search/batch';
const MCP_PATH = '/mcp';
/** Statuses of rejections that cost a client nothing to repeat. */
const REJECTION_STATUSES: ReadonlySet<number> = new Set([401, 429, 503]);

interface Call {
  request: HttpRequest;
  requestId: string;
  /** Set as soon as it is known, for the log. */
  key?: ApiKey;
  route?: string;
  /** Headers for every response to this call. */
  headers: Headers;
  /** Extra fields for the call's log line. */
  logged: LogFields;
  record: CallRecord;
  /** Whose call it is, also if the key has ended. */
  owner?: KeyOwner | undefined;
}

interface Route {
  methods: readonly string[];
  respond: (deps: ServiceDeps, call: Call) => HttpResponse | Promise<HttpResponse>;
}

type RoutePath = ApiPath | '/health' | '/webhooks/stripe';

const routes: Readonly<Record<RoutePath, Route>> = {
  '/health': { methods: ['GET', 'HEAD'], respond: healthEndpoint },
  [SEARCH_PATH]: {
    methods: ['POST'],
    respond: async (deps, call) =>
      searchEndpoint(deps, { ...call, ...(await admitKey(deps, call)) }),
  },
  [BATCH_PATH]: {
    methods: ['POST'],
    respond: async (deps, call) =>
      batchEndpoint(deps, { ...call, ...(await admitKey(deps, call)) }),
  },
  '/v1/verify': {
    methods: ['POST'],
    respond: async (deps, call) =>
      verifyEndpoint(deps, { ...call, ...(await admitKey(deps, call)) }),
  },
  '/v1/paper': {
    methods: ['GET'],
    respond: async (deps, call) =>
      paperEndpoint(deps, { ...call, ...(await admitKey(deps, call)) }),
  },
  '/v1/similar': {
    methods: ['GET'],
    respond: async (deps, call) =>
      similarEndpoint(deps, { ...call, ...(await admitKey(deps, call)) }),
  },
  '/v1/changes': {
    methods: ['GET'],
    respond: async (deps, call) =>
      changesEndpoint(deps, (await admitKey(deps, call)).key, call.request.query),
  },
  '/v1/usage': {
    methods: ['GET', 'HEAD'],
    respond: async (deps, call) => usageEndpoint(deps, (await admitKey(deps, call)).key),
  },
  [MCP_PATH]: {
    methods: ['POST'],
    respond: async (deps, call) => {
      assertOwnOrigin(call.request, deps.settings.publicUrl);
      const admitted = await admitKey(deps, call, deps.clientAccess);
      return await mcpRequest(deps, { ...call, ...admitted });
    },
  },
  '/webhooks/stripe': {
    methods: ['POST'],
    respond: (deps, call) => webhookEndpoint(deps, call.request),
  },
};

/** The caller writes the path, so only known paths are logged and counted. */
const UNKNOWN_ROUTE = '(unknown)';

/** Responds to no page. */
const noPages: RespondToPage = () => undefined;

/** Returns the function that responds to every request. It never throws. */
export function createService(
  deps: ServiceDeps,
  respondToPage: RespondToPage = noPages,
): (request: HttpRequest) => Promise<HttpResponse> {
  const pace = createRejectionPace(deps.settings);
  const { requestTextMax } = deps.settings;
  const logRequest = createRequestLog(deps.log, {
    rejectionLinesMax: deps.settings.rejectionLinesMax,
  });
  return async (request) => {
    const started = performance.now();
    const requestId = randomUUID();
    const headers = { 'X-Request-Id': requestId };
    const record = newCallRecord();
    const call: Call = { request, requestId, headers, logged: {}, record };
    const startedAt = deps.now();
    const outcome = await respondToCall(deps, call, respondToPage);
    if (isRejection(call, outcome)) await pace.turn();
    const accept = request.header('accept');
    const uncompressed = toProblem(outcome, { accept, requestId });
    const response = await compressResponse(
      uncompressed,
      request.header('accept-encoding'),
      deps.settings.uncompressedBytesMax,
    );
    const { onSent } = response;
    return {
      ...response,
      // A stopping server answers what open connections bring, once each.
      close: response.close === true || deps.state() === 'stopping',
      // Only responses that say otherwise may be cached. The rest belong to one key or customer, or
      // are errors.
      headers: { 'Cache-Control': 'no-store', ...response.headers, ...call.headers },
      onSent: (left) => {
        onSent?.(left);
        const milliseconds = performance.now() - started;
        const route = call.route ?? UNKNOWN_ROUTE;
        const { status } = response;
        deps.observer.responded({ route, status, sent: left, milliseconds });
        if (isSearch(route) && status === 200) pace.served();
        if (isApi(route)) {
          const { owner, logged } = call;
          const known = { owner, requestId, path: route, record, logged, startedAt };
          const responded = { ...known, response: uncompressed };
          const finished = toRequest({ ...responded, sent: left, milliseconds }, requestTextMax);
          deps.requests.record(finished);
        }
        logRequest({
          request_id: requestId,
          method: request.method,
          status,
          sent: left,
          path: route,
          key: call.owner?.prefix,
          ...call.logged,
          milliseconds: Math.round(milliseconds * 10) / 10,
        });
      },
    };
  };
}

async function respondToCall(
  deps: ServiceDeps,
  call: Call,
  respondToPage: RespondToPage,
): Promise<HttpResponse> {
  try {
    const { method, path, fault } = call.request;
    if (fault !== undefined) throw new VerbatimError('ambiguous_request', fault);
    const route = Object.hasOwn(routes, path) ? routes[path as RoutePath] : undefined;
    if (route === undefined) {
      const page = respondToPage(call.request, call.requestId);
      if (page === undefined) throw new VerbatimError('not_found');
      call.route = page.route;
      return await page.response;
    }
    call.route = path;
    if (call.request.query !== '') call.record.asked = call.request.query;
    if (!route.methods.includes(method)) {
      call.headers['Allow'] = route.methods.join(', ');
      throw new VerbatimError('method_not_allowed');
    }
    return await route.respond(deps, call);
  } catch (error) {
    const publicError = customerError(error, (reason) => {
      deps.log.error('request_failed', { request_id: call.requestId, reason });
    });
    const headers = publicError.code === 'internal' ? await balanceHeader(deps, call.key) : {};
    // Bytes after an ambiguous request may be part of it, so the connection closes.
    return {
      ...errorResponse(publicError, headers),
      close: publicError.code === 'ambiguous_request',
    };
  }
}

function isSearch(route: string): boolean {
  return route === SEARCH_PATH || route === BATCH_PATH;
}

/** Health checks are no rejections: a supervisor must hear at once that the service is not ready. */
function isRejection({ route = UNKNOWN_ROUTE }: Call, { status }: HttpResponse): boolean {
  return isApi(route) && REJECTION_STATUSES.has(status);
}

function isApi(route: string): boolean {
  return (apiPaths as readonly string[]).includes(route);
}

/** Returns the balance header for a failure that charged nothing, if the balance can be read. */
async function balanceHeader(deps: ServiceDeps, key: ApiKey | undefined): Promise<Headers> {
  if (key === undefined) return {};
  try {
    const balance = await deps.store.readBalance(key.customerId);
    return { 'X-Credit-Balance': String(creditsLeft(balance)) };
  } catch {
    return {};
  }
}

/** Returns the key that a refused secret had; undefined if nobody knows it, or it cannot be read now. */
async function endedKeyOf(
  { store }: ServiceDeps,
  secret: string | undefined,
): Promise<KeyOwner | undefined> {
  return secret === undefined ? undefined : store.findKeyOfSecret(secret).catch(() => undefined);
}

/**
 * Returns the call's key, with what it may spend, and counts the request against its rate. `clients`
 * is there where tokens of clients count. Throws `invalid_key` or `rate_limited`.
 */
async function admitKey(
  deps: ServiceDeps,
  call: Call,
  clients?: ClientAccess,
): Promise<Pick<PaidCall, 'key' | 'credit'>> {
  const authorization = call.request.header('authorization');
  const secret = bearerSecret(authorization);
  const acceptsTokens = clients !== undefined;
  const admission =
    secret === undefined
      ? undefined
      : await deps.store.admit({ secret, acceptsTokens, now: deps.now() });
  if (admission === undefined) {
    call.owner = await endedKeyOf(deps, secret);
    call.headers['WWW-Authenticate'] = bearerChallenge(authorization, clients?.metadataUrl());
    throw new VerbatimError('invalid_key');
  }
  const { key, rate, credit } = admission;
  call.key = key;
  call.owner = key;
  Object.assign(call.headers, rateHeaders(rate));
  if (credit === undefined) throw rateError(rate);
  return { key, credit };
}
