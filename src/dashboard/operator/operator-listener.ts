/**
 * The pages of the operator at an address of their own, for everybody who can use this machine. They
 * need no sign-in there.
 */
import { randomUUID } from 'node:crypto';
import { readToken, tokenCookie } from '../../accounts/cookies.ts';
import { mintToken } from '../../accounts/sql/secret-tokens.ts';
import { VerbatimError } from '../../errors.ts';
import type { HttpRequest, HttpResponse } from '../../http/messages.ts';
import { createRequestLog } from '../../http/request-log.ts';
import { errorResponse } from '../../http/responses.ts';
import { type Asset, assetResponse } from '../page/assets.ts';
import { findPage } from '../page/page.ts';
import { redirectTo } from '../page/page-redirects.ts';
import { assertLocal } from './guard-local.ts';
import { operatorPages } from './operator-routes.ts';
import { openCall } from './page/open-call.ts';
import type { OperatorCall, OperatorPage } from './page/operator-call.ts';
import type { OperatorDeps } from './page/operator-deps.ts';
import { respondToOperator } from './respond-to-operator.ts';

/** Whoever uses the listener, in the trail of actions. */
const ACTOR = 'loopback';
/** The lifetime of the cookie that ties forms to the browser that loaded them. */
const COOKIE_SECONDS = 86_400;
/** Nobody reaches the loopback interface over TLS. */
const isSecure = false;

interface Routed {
  route: string;
  response: HttpResponse | Promise<HttpResponse>;
}

/** Returns the function that responds to every request of the listener. It never rejects. */
export function createOperatorListener(
  deps: OperatorDeps,
): (request: HttpRequest) => Promise<HttpResponse> {
  const assets = new Map(Object.values(deps.assets).map((asset: Asset) => [asset.path, asset]));
  const logRequest = createRequestLog(deps.log, deps.settings);
  const respond = (request: HttpRequest, requestId: string): Routed => {
    const refused = rejectionOf(request);
    if (refused !== undefined) return { route: '(unknown)', response: errorResponse(refused) };
    const asset = assets.get(request.path);
    if (asset !== undefined) {
      return { route: '/assets', response: assetResponse({ isSecure }, asset, request) };
    }
    if (request.path === '/') return { route: '/', response: redirectTo('/operator') };
    const found = findPage(operatorPages, request.path);
    const { page, parameters = {} } = found ?? {};
    const response = respondToBrowser(deps, { request, requestId, page, parameters });
    return { route: page?.path ?? '(unknown)', response };
  };
  return async (request) => {
    const started = performance.now();
    const requestId = randomUUID();
    const { route, response } = respond(request, requestId);
    const sent = await response;
    const headers = { 'X-Request-Id': requestId };
    return {
      ...sent,
      headers: { 'Cache-Control': 'no-store', ...sent.headers, ...headers },
      close: request.fault !== undefined,
      onSent: (left) => {
        sent.onSent?.(left);
        logRequest({
          request_id: requestId,
          method: request.method,
          status: sent.status,
          sent: left,
          path: route,
          milliseconds: Math.round((performance.now() - started) * 10) / 10,
        });
      },
    };
  };
}

/** Why a request is rejected; undefined if it is. */
function rejectionOf(request: HttpRequest): VerbatimError | undefined {
  try {
    if (request.fault !== undefined) throw new VerbatimError('ambiguous_request', request.fault);
    assertLocal(request);
    return undefined;
  } catch (error) {
    if (error instanceof VerbatimError) return error;
    throw error;
  }
}

/** A request, with the page that it is for. */
interface BrowserRequest extends Pick<OperatorCall, 'request' | 'requestId' | 'parameters'> {
  page: OperatorPage | undefined;
}

/** Responds to a browser, and gives one without a cookie a new one. */
async function respondToBrowser(
  deps: OperatorDeps,
  { page, ...rest }: BrowserRequest,
): Promise<HttpResponse> {
  const known = readToken('operator', rest.request.header('cookie'), isSecure);
  const cookieToken = known ?? mintToken();
  const call: OperatorCall = { ...openCall(rest, cookieToken), actor: ACTOR };
  const response = await respondToOperator(deps, { page, call, publicUrl: '', isSecure });
  if (known !== undefined) return response;
  const token = { token: cookieToken, maxAgeSeconds: COOKIE_SECONDS };
  const cookie = tokenCookie('operator', token, isSecure);
  return { ...response, headers: { ...response.headers, 'Set-Cookie': cookie } };
}
