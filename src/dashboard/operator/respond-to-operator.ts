/** Runs pages of the operator for somebody who may see them, and makes their responses. */
import { VerbatimError } from '../../errors.ts';
import type { HttpResponse } from '../../http/messages.ts';
import { customerError } from '../../http/responses.ts';
import { errorView, methodNotAllowedView } from '../components/error-view.tsx';
import { readForm } from '../page/forms.ts';
import type { AnyCall, PageOf, View } from '../page/page.ts';
import { redirectTo } from '../page/page-redirects.ts';
import { secured } from '../page/security-headers.ts';
import { type FramedCall, frameOperator } from './operator-frame.tsx';
import type { OperatorDeps } from './page/operator-deps.ts';

export interface OperatorRequest<Call> {
  /** Undefined: there is none at this path. */
  page: PageOf<OperatorDeps, Call> | undefined;
  call: Call;
  /** The address that browsers use; '' means the one the request was sent to. */
  publicUrl: string;
  /** Whether browsers come over TLS. */
  isSecure: boolean;
}

const HOME = { href: '/operator', text: 'Go to the start' };

/** Runs the page. Errors, and a page that does not exist, become pages too. Never rejects. */
export async function respondToOperator<Call extends AnyCall & FramedCall>(
  deps: OperatorDeps,
  request: OperatorRequest<Call>,
): Promise<HttpResponse> {
  const { call, isSecure } = request;
  let result: View | HttpResponse;
  try {
    result = await runPage(deps, request);
  } catch (error) {
    const publicError = customerError(error, (reason) => {
      deps.log.error('page_failed', { request_id: call.requestId, reason });
    });
    result = errorView(publicError, { home: HOME });
  }
  const response = 'main' in result ? frameOperator(deps, call, result) : result;
  return secured(response, { isSecure, mayFetch: true });
}

async function runPage<Call extends AnyCall>(
  deps: OperatorDeps,
  { page, call, publicUrl }: OperatorRequest<Call>,
): Promise<View | HttpResponse> {
  if (page === undefined) throw new VerbatimError('not_found');
  const { request } = call;
  const refused = methodNotAllowedView(page, request, { home: HOME });
  if (refused !== undefined) return refused;
  if (request.method !== 'POST') return (await page.get?.(deps, call)) ?? redirectTo(HOME.href);
  call.form = await readForm(request, call.cookieToken, { ...deps.settings, publicUrl });
  return (await page.post?.(deps, call)) ?? redirectTo(HOME.href);
}
