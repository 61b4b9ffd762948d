/** Reads submitted forms, checks their origin, and handles their expected errors. */

import { CREDITS_RANGE } from '../../accounts/amounts/credits.ts';
import { assertOwnForm } from '../../accounts/form-token.ts';
import { requestLink } from '../../accounts/links.ts';
import { VerbatimError } from '../../errors.ts';
import { assertNotCompressed } from '../../http/content-encoding.ts';
import type { HttpRequest, HttpResponse } from '../../http/messages.ts';
import type { Settings } from '../../settings/config.ts';
import type { DashboardDeps } from './dashboard-deps.ts';
import { type PageCall, type View, withError } from './page.ts';
import { redirectTo } from './page-redirects.ts';

const FORM_TYPE = 'application/x-www-form-urlencoded';

/**
 * Reads a form. Throws `bad_request` if the body is not a form, `content_encoding` if it is
 * compressed, and `foreign_form` if another site sent it.
 */
export async function readForm(
  request: HttpRequest,
  cookieToken: string | undefined,
  settings: Pick<Settings, 'bodyBytesMax' | 'bodyTimeoutMs' | 'publicUrl'>,
): Promise<URLSearchParams> {
  const type = request.header('content-type').split(';', 1)[0]?.trim().toLowerCase();
  if (type !== FORM_TYPE) throw new VerbatimError('bad_request', 'expected a submitted form');
  assertNotCompressed(request.header('content-encoding'));
  const body = await request.readBody(settings);
  const form = new URLSearchParams(body.toString('utf8'));
  assertOwnForm({
    cookieToken,
    formToken: form.get(FORM_TOKEN_FIELD) ?? '',
    origin: request.header('origin'),
    fetchSite: request.header('sec-fetch-site'),
    host: request.header('host'),
    publicUrl: settings.publicUrl,
  });
  return form;
}

/** The hidden field with the form token, which other sites cannot know. */
export const FORM_TOKEN_FIELD = 'form_token';

/** The hidden field with the idempotency key of a form, so that it counts once. */
export const IDEMPOTENCY_KEY_FIELD = 'form_copy';

/** The advice for an optional number of credits. */
export const CREDITS_ADVICE = `Enter ${CREDITS_RANGE}, or leave it empty.`;

/** Returns the error if it is expected and meant for customers. Otherwise throws it again. */
export function expectedErrorOf(error: unknown): VerbatimError {
  if (error instanceof VerbatimError && error.isForCustomers) return error;
  throw error;
}

/**
 * Responds to a form that requests a one-time link by e-mail address. Redirects back to the page,
 * or shows `view` with the error.
 */
export async function respondToLinkRequest(
  { accounts }: DashboardDeps,
  call: PageCall,
  { path, view }: { path: string; view: (error: string) => View },
): Promise<View | HttpResponse> {
  try {
    const { browserToken } = call;
    const email = call.form.get('email') ?? '';
    await requestLink(accounts, { email, address: call.address(), browserToken });
    return redirectTo(`${path}?done=asked`);
  } catch (error) {
    const expectedError = expectedErrorOf(error);
    return withError(view(expectedError.message), expectedError);
  }
}
