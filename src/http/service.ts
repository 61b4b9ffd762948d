/**
 * The service's front: routes, key, rate, and for every request one id and one line in the log.
 * Checks come in the order 401, 429, 415, 413, 400, 402, 503.
 */
import { randomUUID } from 'node:crypto';
import { VerbatimError } from '../errors.ts';
import type { LogFields } from '../log.ts';
import type { ApiKey } from '../store/accounts/api-keys.ts';
import {
  assertAllowed,
  authenticate,
  bearerChallenge,
  consumeRate,
  rateHeaders,
} from './authenticate.ts';
import { compressResponse } from './compress-response.ts';
import { healthEndpoint } from './health-endpoint.ts';
import type { HttpRequest, HttpResponse } from './messages.ts';
import { creditsLeft, customerError, errorResponse, type Headers } from './responses.ts';
import { searchEndpoint } from './search-endpoint.ts';
import type { RespondToPage, ServiceDeps } from './service-deps.ts';
import { usageEndpoint } from './usage-endpoint.ts';
import { webhookEndpoint } from './webhook-endpoint.ts';

interface Call {
  request: HttpRequest;
  requestId: string;
  /** Set as soon as they are known, for the log. */
  key?: ApiKey;
  route?: string;
  /** On every response to the call from now on. */
  headers: Headers;
  /** What the call's line in the log says besides what every line says. */
  logged: LogFields;
}

interface Route {
  methods: readonly string[];
  respond: (deps: ServiceDeps, call: Call) => HttpResponse | Promise<HttpResponse>;
}

const routes: Readonly<Record<string, Route>> = {
  '/health': { methods: ['GET', 'HEAD'], respond: healthEndpoint },
  '/v1/search': {
    methods: ['POST'],
    respond: (deps, call) => searchEndpoint(deps, { ...call, key: admitKey(deps, call) }),
  },
  '/v1/usage': {
    methods: ['GET', 'HEAD'],
    respond: (deps, call) => usageEndpoint(deps, admitKey(deps, call)),
  },
  '/webhooks/stripe': {
    methods: ['POST'],
    respond: (deps, call) => webhookEndpoint(deps, call.request),
  },
};

/** Where there are no pages. */
const noPages: RespondToPage = () => undefined;

/** The function that answers every request; it never throws. */
export function createService(
  deps: ServiceDeps,
  respondToPage: RespondToPage = noPages,
): (request: HttpRequest) => Promise<HttpResponse> {
  return async (request) => {
    const started = performance.now();
    const requestId = randomUUID();
    const headers = { 'X-Request-Id': requestId };
    const call: Call = { request, requestId, headers, logged: {} };
    const response = await compressResponse(
      await respondToCall(deps, call, respondToPage),
      request.header('accept-encoding'),
      deps.settings.uncompressedBytesMax,
    );
    const { onSent } = response;
    return {
      ...response,
      // Nothing is for caches but what says so: the rest is a key's, a customer's or an error.
      headers: { 'Cache-Control': 'no-store', ...response.headers, ...call.headers },
      onSent: (left) => {
        onSent?.(left);
        deps.log.info('request', {
          request_id: requestId,
          method: request.method,
          status: response.status,
          sent: left,
          // A path is written by the caller: only the known ones are fit for a log.
          path: call.route ?? '(unknown)',
          key: call.key?.prefix,
          ...call.logged,
          milliseconds: Math.round((performance.now() - started) * 10) / 10,
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
    const route = Object.hasOwn(routes, path) ? routes[path] : undefined;
    if (route === undefined) {
      const page = respondToPage(call.request, call.requestId);
      if (page === undefined) throw new VerbatimError('not_found');
      call.route = page.route;
      return await page.response;
    }
    call.route = path;
    if (!route.methods.includes(method)) {
      call.headers['Allow'] = route.methods.join(', ');
      throw new VerbatimError('method_not_allowed');
    }
    return await route.respond(deps, call);
  } catch (error) {
    const told = customerError(error, (reason) => {
      deps.log.error('request_failed', { request_id: call.requestId, reason });
    });
    const headers = told.code === 'internal' ? balanceHeader(deps, call.key) : {};
    // What follows an ambiguous request on its connection may be a part of it.
    return { ...errorResponse(told, headers), close: told.code === 'ambiguous_request' };
  }
}

/** The balance after a failure that charged nothing, as far as it can be read. */
function balanceHeader(deps: ServiceDeps, key: ApiKey | undefined): Headers {
  if (key === undefined) return {};
  try {
    return { 'X-Credit-Balance': String(creditsLeft(deps.balanceOf(key.customerId))) };
  } catch {
    return {};
  }
}

/** The call's key, within its rate. Throws `invalid_key` or `rate_limited`. */
function admitKey(deps: ServiceDeps, call: Call): ApiKey {
  const authorization = call.request.header('authorization');
  const key = authenticate(authorization, deps.keys, deps.now());
  if (key === undefined) {
    call.headers['WWW-Authenticate'] = bearerChallenge(authorization);
    throw new VerbatimError('invalid_key');
  }
  call.key = key;
  const rate = consumeRate(deps, key);
  Object.assign(call.headers, rateHeaders(rate));
  assertAllowed(rate);
  return key;
}
