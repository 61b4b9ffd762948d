/**
 * Responds to requests for pages: finds the page, reads the session, checks the form, runs the
 * page, and adds the protective headers to its response.
 */
import { clientAddress } from '../accounts/client-address.ts';
import { readToken, tokenCookie } from '../accounts/cookies.ts';
import { formTokenOf } from '../accounts/form-token.ts';
import { readSession } from '../accounts/sign-in.ts';
import { mintToken } from '../accounts/sql/secret-tokens.ts';
import { VerbatimError } from '../errors.ts';
import type { HttpRequest, HttpResponse } from '../http/messages.ts';
import { customerError } from '../http/responses.ts';
import type { RespondToPage } from '../http/service-deps.ts';
import { errorView, methodNotAllowedView } from './components/error-view.tsx';
import { frame } from './frame.tsx';
import { type Asset, assetResponse } from './page/assets.ts';
import type { DashboardDeps } from './page/dashboard-deps.ts';
import { readForm } from './page/forms.ts';
import { keepForm, notSent, takeForm } from './page/kept-form.ts';
import { type CustomerCall, findPage, type Page, type PageCall, type Reply } from './page/page.ts';
import { redirectTo } from './page/page-redirects.ts';
import { mayOpen } from './page/role-access.ts';
import { secured } from './page/security-headers.ts';
import { pages } from './routes.ts';

/** The lifetime of a visitor's cookie, which ties forms to the browser that loaded them. */
const VISITOR_SECONDS = 86_400;

export function respondToPages(deps: DashboardDeps): RespondToPage {
  const assets = new Map(Object.values(deps.assets).map((asset: Asset) => [asset.path, asset]));
  return (request, requestId) => {
    const asset = assets.get(request.path);
    if (asset !== undefined) {
      return { route: '/assets', response: assetResponse(deps, asset, request) };
    }
    const found = findPage(pages, request.path);
    if (found !== undefined) {
      const { page, parameters } = found;
      const run: Run = (call) => runPage(deps, page, call);
      const response = respondToPage(deps, { request, requestId, parameters }, run);
      return { route: page.path, response: response };
    }
    if (!wantsHtml(request) || request.path.startsWith('/v1/')) return undefined;
    // Browsers get a page, programs get the API's error.
    const missing: Run = () => errorView(new VerbatimError('not_found'));
    const response = respondToPage(deps, { request, requestId, parameters: {} }, missing);
    return { route: '(unknown)', response: response };
  };
}

type Run = (call: PageCall) => Reply | Promise<Reply>;

/** The input of a call. */
type CallInput = Pick<PageCall, 'request' | 'requestId' | 'parameters'>;

/** Runs a page. Errors become pages too. */
async function respondToPage(
  deps: DashboardDeps,
  input: CallInput,
  run: Run,
): Promise<HttpResponse> {
  const { call, newCookies } = await openCall(deps, input);
  let response: HttpResponse;
  try {
    response = await framed(deps, call, await run(call));
  } catch (error) {
    const publicError = customerError(error, (reason) => {
      deps.service.log.error('page_failed', { request_id: call.requestId, reason });
    });
    response = await framed(deps, call, errorView(publicError));
  }
  const cookies = [response.headers['Set-Cookie'] ?? [], newCookies()].flat();
  if (cookies.length > 0) response.headers['Set-Cookie'] = cookies;
  return response;
}

/** Renders a view, or passes on a response, with the protective headers. */
async function framed(deps: DashboardDeps, call: PageCall, result: Reply): Promise<HttpResponse> {
  const { isSecure } = deps;
  if (!('main' in result)) return secured(result, { isSecure });
  const { formTargets } = result;
  return secured(await frame(deps, call, result), { isSecure, formTargets });
}

async function runPage(deps: DashboardDeps, page: Page, call: PageCall): Promise<Reply> {
  const { request } = call;
  const refused = methodNotAllowedView(page, request);
  if (refused !== undefined) return refused;
  const isForm = request.method === 'POST';
  // Check forms first, so a cross-site form gets no further, not even to the sign-in page.
  if (isForm) {
    const { settings } = deps.service;
    const bodyBytesMax = page.formBytesMax?.(settings) ?? settings.bodyBytesMax;
    call.form = await readForm(request, call.cookieToken, { ...settings, bodyBytesMax });
  }
  if (page.access === 'everybody') {
    return (await (isForm ? page.post : page.get)?.(deps, call)) ?? redirectTo('/dashboard');
  }
  if (!isOfCustomer(call)) {
    const query = isForm || request.query === '' ? '' : `?${request.query}`;
    const back = page.get === undefined ? '' : `${request.path}${query}`;
    const signIn = `/dashboard/sign-in?${new URLSearchParams({ next: back })}`;
    return redirectTo(signIn, isForm ? keepForm(deps, call) : []);
  }
  if (!mayOpen(call.session.member.role, page.path)) throw new VerbatimError('role_forbidden');
  const kept = isForm || page.post?.again === undefined ? undefined : takeForm(deps, call);
  if (kept !== undefined) {
    call.form = kept;
    return (await page.post?.again?.(deps, call, notSent())) ?? redirectTo('/dashboard');
  }
  return (await (isForm ? page.post : page.get)?.(deps, call)) ?? redirectTo('/dashboard');
}

function isOfCustomer(call: PageCall): call is CustomerCall {
  return call.session !== undefined;
}

/** Returns the call, and a function that returns the cookies to set. */
async function openCall(
  { accounts, isSecure }: DashboardDeps,
  { request, requestId, parameters }: CallInput,
): Promise<{ call: PageCall; newCookies: () => string[] }> {
  const cookies = request.header('cookie');
  const cookieToken = readToken('session', cookies, isSecure);
  let visitorToken: string | undefined;
  const call: PageCall = {
    request,
    requestId,
    parameters,
    cookieToken,
    browserToken: readToken('browser', cookies, isSecure),
    query: new URLSearchParams(request.query),
    form: new URLSearchParams(),
    formToken() {
      if (cookieToken === undefined) visitorToken ??= mintToken();
      return formTokenOf(cookieToken ?? (visitorToken as string));
    },
    address: () =>
      clientAddress({
        socketAddress: request.remoteAddress(),
        forwardedFor: request.header('x-forwarded-for'),
        proxiesTrusted: accounts.settings.proxiesTrusted,
      }),
    session: await readSession(accounts, cookieToken),
  };
  const newCookies = (): string[] =>
    visitorToken === undefined
      ? []
      : [tokenCookie('session', { token: visitorToken, maxAgeSeconds: VISITOR_SECONDS }, isSecure)];
  return { call, newCookies };
}

function wantsHtml(request: HttpRequest): boolean {
  return request.header('accept').includes('text/html');
}
