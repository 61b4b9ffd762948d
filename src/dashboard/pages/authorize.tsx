/** GET and POST /oauth/authorize: a customer lets a client in, with a monthly cap, or not. */

import { parseCredits } from '../../accounts/amounts/credits.ts';
import { assertRoomForKey } from '../../accounts/customer-keys.ts';
import { clientConnected, notifyOwners } from '../../accounts/security-mails.ts';
import { VerbatimError } from '../../errors.ts';
import {
  type Authorization,
  accept,
  type InvalidRequest,
  readAuthorization,
  refuse,
} from '../../http/oauth/authorization.ts';
import { AUTHORIZE_PATH } from '../../http/oauth/metadata.ts';
import type { OAuthDeps } from '../../http/oauth/oauth-deps.ts';
import { isLoopbackRedirect } from '../../http/oauth/redirect-uri.ts';
import { Submit } from '../components/button.tsx';
import { errorView, sentence } from '../components/error-view.tsx';
import { Field } from '../components/field.tsx';
import { Form } from '../components/form.tsx';
import { Notice } from '../components/notice.tsx';
import { PageHead } from '../components/page-head.tsx';
import type { DashboardDeps } from '../page/dashboard-deps.ts';
import { CREDITS_ADVICE, expectedErrorOf } from '../page/forms.ts';
import { type CustomerCall, type Reply, type View, withError } from '../page/page.ts';
import { redirectAway } from '../page/page-redirects.ts';

/** What the customer entered, and what is wrong with it. */
interface Entered {
  cap: string;
  error?: string;
}

/** Throws `not_found` if OAuth is off, and `bad_request` for a request that names no client. */
export async function authorizePage(deps: DashboardDeps, call: CustomerCall): Promise<Reply> {
  const asked = await readRequest(oauthOf(deps), call);
  if ('reason' in asked) return invalidRequestView(asked);
  const cap = String(deps.accounts.settings.connectionCreditsDefault);
  return consentView(call, asked, { cap });
}

export async function authorizeForm(deps: DashboardDeps, call: CustomerCall): Promise<Reply> {
  const oauth = oauthOf(deps);
  // The address is checked again: a form proves only that this site showed a page.
  const asked = await readRequest(oauth, call);
  if ('reason' in asked) return invalidRequestView(asked);
  const { redirectUri, state } = asked;
  const reply = { redirectUri, state, baseUrl: oauth.baseUrl() };
  if (call.form.get('decision') !== 'connect') {
    return redirectAway(refuse(reply, 'access_denied', 'the customer declined'));
  }
  const cap = (call.form.get('cap') ?? '').trim();
  const creditsPerMonthMax = parseCredits(cap);
  if (creditsPerMonthMax === undefined) {
    const entered = { cap, error: CREDITS_ADVICE.replace(', or leave it empty', '') };
    return withError(consentView(call, asked, entered), new VerbatimError('invalid_field'));
  }
  try {
    return redirectAway(accept(reply, await addCode(oauth, call, asked, creditsPerMonthMax)));
  } catch (error) {
    const expectedError = expectedErrorOf(error);
    return withError(
      consentView(call, asked, { cap, error: sentence(expectedError.message) }),
      expectedError,
    );
  }
}

function oauthOf({ oauth }: DashboardDeps): OAuthDeps {
  if (oauth === undefined) throw new VerbatimError('not_found');
  return oauth;
}

function readRequest(
  { clients, baseUrl }: OAuthDeps,
  { query, session }: CustomerCall,
): Promise<Authorization | InvalidRequest> {
  const customerId = session.customer.id;
  return readAuthorization(query, { clients, baseUrl: baseUrl(), customerId });
}

async function addCode(
  { accounts }: OAuthDeps,
  { session }: CustomerCall,
  { client, redirectUri, codeChallenge }: Authorization,
  creditsPerMonthMax: number,
): Promise<string> {
  const { settings, now } = accounts;
  const customerId = session.customer.id;
  await assertRoomForKey(accounts, customerId);
  const code = await accounts.store.addCode({
    customerId,
    clientId: client.id,
    clientName: client.name,
    redirectUri,
    codeChallenge,
    creditsPerMonthMax,
    expiresAt: now() + settings.authorizationCodeMs,
    codesMax: settings.authorizationCodesPerCustomerMax,
    now: now(),
  });
  const notice = clientConnected(client.host, creditsPerMonthMax);
  notifyOwners(accounts, customerId, notice, session.member.email);
  return code;
}

function consentView(call: CustomerCall, asked: Authorization, { cap, error }: Entered): View {
  const { client, redirectUri } = asked;
  const isLocal = isLoopbackRedirect(redirectUri);
  return {
    title: `Connect ${client.host}`,
    isNarrow: true,
    // The answer to the form leads there.
    formTargets: [formTargetOf(redirectUri)],
    main: (
      <>
        <PageHead title={`Connect ${client.host}?`}>
          A client from this site, which calls itself “{client.name}”, asks to search on your
          behalf.
        </PageHead>
        {isLocal ? (
          <Notice tone="warn">
            <p>
              It runs on your computer, where any program can claim to be it. Connect only if you
              have just started this yourself.
            </p>
          </Notice>
        ) : null}
        <div class="card">
          <dl class="facts">
            <dt>Site of the client</dt>
            <dd>{client.host}</dd>
            <dt>You return to</dt>
            <dd>{placeOf(redirectUri)}</dd>
            <dt>Your account</dt>
            <dd>
              <bdi>{call.session.customer.name || call.session.customer.email}</bdi>
            </dd>
          </dl>
          <p>
            It can search, fetch papers, and verify quotes, which uses your credit, and read your
            balance. It cannot change anything, and sees nothing else of your account.
          </p>
          <Form action={`${AUTHORIZE_PATH}?${call.request.query}`} token={call.formToken()}>
            <Field
              label="Credits it may use each month"
              name="cap"
              value={cap}
              hint="You can change this, or disconnect the client, on the Keys page."
              error={error}
              input={{ required: true, inputMode: 'numeric', autoComplete: 'off' }}
            />
            <div class="row">
              <Submit name="decision" value="connect">
                Connect
              </Submit>
              <button
                class="button plain"
                type="submit"
                name="decision"
                value="decline"
                formNoValidate
              >
                Decline
              </button>
            </div>
          </Form>
        </div>
      </>
    ),
  };
}

/**
 * Says what is wrong with a request. The customer decides whether to return: anybody can be a client,
 * and a link to this site must not lead to another by itself (RFC 9700, section 4.11.2).
 */
function invalidRequestView({ client, redirectUri, reason, answer }: InvalidRequest): View {
  const message = `the client of ${client.host} cannot be connected: ${reason}`;
  const text = `Return to ${placeOf(redirectUri)}`;
  return errorView(new VerbatimError('bad_request', message), {
    leave: { href: answer.href, text },
  });
}

/** Returns what the customer returns to, for the page. */
function placeOf(redirectUri: string): string {
  return isLoopbackRedirect(redirectUri) ? 'a program on your computer' : new URL(redirectUri).host;
}

/** Returns the source that allows forms to lead to an address. Addresses of IPv6 have none. */
function formTargetOf(redirectUri: string): string {
  const { origin, hostname } = new URL(redirectUri);
  return hostname.startsWith('[') ? 'http:' : origin;
}
