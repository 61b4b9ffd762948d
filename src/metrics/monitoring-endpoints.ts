/**
 * GET /metrics, /live, and /ready, at an address of their own. They need no key.
 *
 * - `/metrics`: the metrics, for Prometheus and `verbatim top`.
 * - `/live`: 200 as long as the process answers. A restart would not help, whatever else is wrong.
 * - `/ready`: what `/health` returns: 200 while searches are served, else 503 with the reason.
 */
import { VerbatimError } from '../errors.ts';
import { readiness } from '../http/health-endpoint.ts';
import type { HttpRequest, HttpResponse } from '../http/messages.ts';
import { customerError, errorResponse, jsonResponse } from '../http/responses.ts';
import type { ServiceDeps } from '../http/service-deps.ts';
import type { Metrics } from './create-metrics.ts';

type Respond = () => HttpResponse | Promise<HttpResponse>;

const METHODS = ['GET', 'HEAD'];

/** Returns the function that responds to every request. It never throws. */
export function createMonitoring(
  deps: ServiceDeps,
  metrics: Metrics,
): (request: HttpRequest) => Promise<HttpResponse> {
  const routes: Readonly<Record<string, Respond>> = {
    '/metrics': async () => {
      const { contentType, text } = await metrics.read();
      return { status: 200, headers: { 'Content-Type': contentType }, body: text };
    },
    '/live': () => jsonResponse(200, { status: 'ok' }),
    '/ready': () => readiness(deps),
  };
  return async (request) => {
    const response = await respond(request, routes, (reason) =>
      deps.log.error('monitoring_failed', { reason }),
    );
    return { ...response, headers: { 'Cache-Control': 'no-store', ...response.headers } };
  };
}

async function respond(
  { path, method, fault }: HttpRequest,
  routes: Readonly<Record<string, Respond>>,
  report: (reason: string) => void,
): Promise<HttpResponse> {
  try {
    if (fault !== undefined) throw new VerbatimError('ambiguous_request', fault);
    const route = Object.hasOwn(routes, path) ? routes[path] : undefined;
    if (route === undefined) {
      throw new VerbatimError('not_found', 'not found; there are /metrics, /live, and /ready');
    }
    if (METHODS.includes(method)) return await route();
    const error = new VerbatimError('method_not_allowed');
    return errorResponse(error, { Allow: METHODS.join(', ') });
  } catch (error) {
    const publicError = customerError(error, report);
    return { ...errorResponse(publicError), close: publicError.code === 'ambiguous_request' };
  }
}
