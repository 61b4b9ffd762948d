/**
 * The guard of everything under /operator at the service's own address. Only an operator who is signed in
 * gets past it, so the pages behind it check nothing. Everybody else gets the same answer at every path,
 * and where there are no operators, /operator is as unknown as any other path.
 */
import { clientAddress } from '../../accounts/client-address.ts';
import { readToken, tokenCookie } from '../../accounts/cookies.ts';
import { describeDevice } from '../../accounts/device-name.ts';
import { readOperatorSession } from '../../accounts/operator-sign-in.ts';
import type { SigningBrowser } from '../../accounts/sign-in.ts';
import { hashToken, mintToken } from '../../accounts/sql/secret-tokens.ts';
import { VerbatimError } from '../../errors.ts';
import type { HttpRequest, HttpResponse } from '../../http/messages.ts';
import type { RespondToPage } from '../../http/service-deps.ts';
import { findPage } from '../page/page.ts';
import { redirectTo } from '../page/page-redirects.ts';
import { secured } from '../page/security-headers.ts';
import { entryPages, operatorPages, ownPages } from './operator-routes.ts';
import { openCall } from './page/open-call.ts';
import type { EntryCall, OperatorCall, SignedInOperator } from './page/operator-call.ts';
import type { OperatorDeps } from './page/operator-deps.ts';
import { isOperatorPath } from './page/operator-path.ts';
import { SIGN_IN } from './pages/operator-sign-in.tsx';
import { respondToOperator } from './respond-to-operator.ts';

/** The lifetime of the cookie of somebody on the way in, which ties forms to their browser. */
const VISITOR_SECONDS = 86_400;

export interface GuardOptions {
  deps: OperatorDeps;
  /** Whether browsers reach the service over TLS. */
  isSecure: boolean;
  /** Responds to all that is not under /operator, and to that where there are no operators. */
  next: RespondToPage;
}

/** Returns the function that responds to browsers, operators among them. */
export function guardSignedIn(options: GuardOptions): RespondToPage {
  return (request, requestId) => {
    if (!isOperatorPath(request.path)) return options.next(request, requestId);
    const pages = [...entryPages, ...ownPages, ...operatorPages];
    const route = findPage<{ path: string }>(pages, request.path)?.page.path ?? '(unknown)';
    return { route, response: respond(options, { request, requestId }) };
  };
}

type Asked = Pick<OperatorCall, 'request' | 'requestId'>;

async function respond(options: GuardOptions, asked: Asked): Promise<HttpResponse> {
  const { deps, isSecure, next } = options;
  const { request, requestId } = asked;
  if (!(await deps.accounts.store.hasOperators())) {
    const other = next(request, requestId);
    if (other === undefined) throw new VerbatimError('not_found');
    return await other.response;
  }
  const browser = browserOf(deps, request, isSecure);
  const present = await findPresent(deps, browser);
  const entry = findPage(entryPages, request.path);
  if (entry !== undefined) {
    const { page, parameters } = entry;
    return await respondToEntry(options, page, {
      ...{ ...asked, parameters, browser },
      isSignedIn: present !== undefined,
    });
  }
  if (present === undefined) return secured(redirectTo(signInFor(request)), { isSecure });
  return await respondToPresent(options, asked, present);
}

/** Where somebody signs in, and goes on to the page that they came for. */
function signInFor({ method, path, query }: HttpRequest): string {
  if (method !== 'GET') return SIGN_IN;
  const next = query === '' ? path : `${path}?${query}`;
  return `${SIGN_IN}?${new URLSearchParams({ next })}`;
}

function browserOf(
  { settings }: OperatorDeps,
  request: HttpRequest,
  isSecure: boolean,
): SigningBrowser {
  const cookies = request.header('cookie');
  return {
    cookieToken: readToken('operatorSession', cookies, isSecure),
    browserToken: readToken('operatorBrowser', cookies, isSecure),
    device: describeDevice(request.header('user-agent')),
    address: clientAddress({
      socketAddress: request.remoteAddress(),
      forwardedFor: request.header('x-forwarded-for'),
      proxiesTrusted: settings.proxiesTrusted,
    }),
  };
}

async function findPresent(
  { accounts }: OperatorDeps,
  { cookieToken: token, address, browserToken, device = '' }: SigningBrowser,
): Promise<SignedInOperator | undefined> {
  const session = await readOperatorSession(accounts, token);
  if (token === undefined || session === undefined) return undefined;
  const { id: operatorId, email } = session.operator;
  return { operatorId, email, token, address, browserToken, device };
}

type Entry = Asked & Pick<EntryCall, 'parameters' | 'browser' | 'isSignedIn'>;

/** Responds to somebody on the way in or out, and gives a browser without a cookie a new one. */
async function respondToEntry(
  { deps, isSecure }: GuardOptions,
  page: (typeof entryPages)[number],
  { browser, isSignedIn, ...rest }: Entry,
): Promise<HttpResponse> {
  const { publicUrl } = deps.settings;
  // Somebody is about to sign in. The first operator may have been added after the start.
  void deps.startReading();
  const known = browser.cookieToken;
  const cookieToken = known ?? mintToken();
  const call: EntryCall = {
    ...openCall(rest, cookieToken),
    browser: { ...browser, cookieToken },
    isSignedIn,
  };
  const response = await respondToOperator(deps, { page, call, publicUrl, isSecure });
  if (known !== undefined || response.headers['Set-Cookie'] !== undefined) return response;
  const token = { token: cookieToken, maxAgeSeconds: VISITOR_SECONDS };
  const cookie = tokenCookie('operatorSession', token, isSecure);
  return { ...response, headers: { ...response.headers, 'Set-Cookie': cookie } };
}

async function respondToPresent(
  options: GuardOptions,
  asked: Asked,
  present: SignedInOperator,
): Promise<HttpResponse> {
  const { deps, isSecure } = options;
  const { token, email: actor } = present;
  const { publicUrl } = deps.settings;
  const own = findPage(ownPages, asked.request.path);
  const { page, parameters = {} } = own ?? findPage(operatorPages, asked.request.path) ?? {};
  const call: OperatorCall = { ...openCall({ ...asked, parameters }, token), actor, present };
  // No change is made once the session has ended, whichever page makes it.
  const session = hashToken(token);
  const theirs = {
    ...deps,
    asOperator: (by) => deps.asOperator({ ...by, session }),
  } as OperatorDeps;
  const response = await respondToOperator(theirs, { page, call, publicUrl, isSecure });
  // Forms of the own account end sessions themselves.
  if (own !== undefined || (await readOperatorSession(deps.accounts, token)) !== undefined) {
    return response;
  }
  // The operator was removed while the page was made.
  response.onSent?.(false);
  return secured(redirectTo(SIGN_IN), { isSecure });
}
