/** Reads the fields of a form that was sent, and makes sure that it was one of ours. */

import { assertOwnForm } from '../../accounts/form-token.ts';
import { requestLink } from '../../accounts/links.ts';
import { CREDITS_RANGE } from '../../credits.ts';
import { VerbatimError } from '../../errors.ts';
import { assertNotCompressed } from '../../http/content-encoding.ts';
import type { HttpRequest, HttpResponse } from '../../http/messages.ts';
import type { DashboardDeps } from './dashboard-deps.ts';
import { type PageCall, type View, withError } from './page.ts';
import { redirectTo } from './redirects.ts';

const FORM_TYPE = 'application/x-www-form-urlencoded';

/**
 * Throws `bad_request` for what is no form, `content_encoding` for one that is compressed, and
 * `foreign_form` for one that another site has sent.
 */
export async function readForm(
  deps: DashboardDeps,
  request: HttpRequest,
  cookieToken: string | undefined,
): Promise<URLSearchParams> {
  const type = request.header('content-type').split(';', 1)[0]?.trim().toLowerCase();
  if (type !== FORM_TYPE) throw new VerbatimError('bad_request', 'expected a form that was sent');
  assertNotCompressed(request.header('content-encoding'));
  const body = await request.readBody(deps.service.settings);
  const form = new URLSearchParams(body.toString('utf8'));
  assertOwnForm({
    cookieToken,
    formToken: form.get(FORM_TOKEN_FIELD) ?? '',
    origin: request.header('origin'),
    fetchSite: request.header('sec-fetch-site'),
    host: request.header('host'),
    publicUrl: deps.accounts.settings.publicUrl,
  });
  return form;
}

/** The hidden field with the token that other sites cannot know. */
export const FORM_TOKEN_FIELD = 'form_token';

/** The hidden field with the name of one copy of a form: sent twice, it counts once. */
export const FORM_COPY_FIELD = 'form_copy';

/** Of a field that may be left empty. */
export const CREDITS_ADVICE = `Enter ${CREDITS_RANGE}, or leave it empty.`;

/** The error if it is expected and its message is for customers; else throws it again. */
export function expectedErrorOf(error: unknown): VerbatimError {
  if (error instanceof VerbatimError && error.isForCustomers) return error;
  throw error;
}

/** Leads back to the page, which then says what follows; `view` of it where something was wrong. */
export function respondToLinkRequest(
  { accounts }: DashboardDeps,
  call: PageCall,
  { path, view }: { path: string; view: (wrong: string) => View },
): View | HttpResponse {
  try {
    const { browserToken } = call;
    const email = call.form.get('email') ?? '';
    requestLink(accounts, { email, address: call.address(), browserToken });
    return redirectTo(`${path}?done=asked`);
  } catch (error) {
    const told = expectedErrorOf(error);
    return withError(view(told.message), told);
  }
}
