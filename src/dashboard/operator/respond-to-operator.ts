/** Responds to requests for pages of the operator, once it is known who asks. */
import { formTokenOf } from '../../accounts/form-token.ts';
import { VerbatimError } from '../../errors.ts';
import type { HttpRequest, HttpResponse } from '../../http/messages.ts';
import { customerError } from '../../http/responses.ts';
import { errorView, wrongMethodView } from '../components/error-view.tsx';
import { readForm } from '../page/forms.ts';
import type { View } from '../page/page.ts';
import { redirectTo } from '../page/redirects.ts';
import { secured } from '../page/security-headers.ts';
import { frameOperator } from './operator-frame.tsx';
import type { OperatorCall, OperatorPage } from './page/operator-call.ts';
import type { OperatorDeps } from './page/operator-deps.ts';

/** Who asks, and how their forms are told from those of other sites. */
export interface Operator {
  actor: string;
  /** Forms carry a token that is derived from this one. */
  cookieToken: string;
  /** The address that browsers use; '' means the one the request was sent to. */
  publicUrl: string;
  /** Whether browsers come over TLS. */
  isSecure: boolean;
}

export interface OperatorRequest {
  request: HttpRequest;
  requestId: string;
  page: OperatorPage | undefined;
  parameters: Readonly<Record<string, string>>;
}

const HOME = { href: '/operator', text: 'Go to the start' };

/** Runs the page. Errors, and a page that does not exist, become pages too. Never rejects. */
export async function respondToOperator(
  deps: OperatorDeps,
  operator: Operator,
  { request, requestId, page, parameters }: OperatorRequest,
): Promise<HttpResponse> {
  const { actor, cookieToken, isSecure } = operator;
  const call: OperatorCall = {
    request,
    requestId,
    parameters,
    actor,
    cookieToken,
    query: new URLSearchParams(request.query),
    form: new URLSearchParams(),
    formToken: () => formTokenOf(cookieToken),
  };
  let result: View | HttpResponse;
  try {
    result = await runPage(deps, operator, { page, call });
  } catch (error) {
    const told = customerError(error, (reason) => {
      deps.log.error('page_failed', { request_id: requestId, reason });
    });
    result = errorView(told, { home: HOME });
  }
  const response = 'main' in result ? frameOperator(deps, call, result) : result;
  return secured(response, { isSecure, mayFetch: true });
}

async function runPage(
  deps: OperatorDeps,
  { publicUrl }: Operator,
  { page, call }: { page: OperatorPage | undefined; call: OperatorCall },
): Promise<View | HttpResponse> {
  if (page === undefined) throw new VerbatimError('not_found');
  const { request } = call;
  const refused = wrongMethodView(page, request, { home: HOME });
  if (refused !== undefined) return refused;
  if (request.method !== 'POST') return (await page.get?.(deps, call)) ?? redirectTo(HOME.href);
  call.form = await readForm(request, call.cookieToken, { ...deps.settings, publicUrl });
  return (await page.post?.(deps, call)) ?? redirectTo(HOME.href);
}
