/** Reads submitted forms, checks their origin, and handles their expected errors. */

import { CREDITS_RANGE, parseCredits } from '../../accounts/amounts/credits.ts';
import { assertOwnForm } from '../../accounts/form-token.ts';
import { requestLink } from '../../accounts/links.ts';
import { VerbatimError } from '../../errors.ts';
import { assertNotCompressed } from '../../http/content-encoding.ts';
import type { HttpRequest, HttpResponse } from '../../http/messages.ts';
import type { Settings } from '../../settings/config.ts';
import type { DashboardDeps } from './dashboard-deps.ts';
import {
  type AnyCall,
  type FormHandler,
  type Handler,
  type PageCall,
  type Reply,
  withError,
} from './page.ts';
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
 * Returns the handler of a form. If its work throws an error for customers, `again` shows the page with
 * what is wrong, and the response has the status of the error.
 */
export function formHandler<Deps, Call>(
  again: (deps: Deps, call: Call, error: VerbatimError) => Reply | Promise<Reply>,
  work: Handler<Deps, Call>,
): FormHandler<Deps, Call> {
  const handle: Handler<Deps, Call> = async (deps, call) => {
    try {
      return await work(deps, call);
    } catch (error) {
      const expectedError = expectedErrorOf(error);
      const reply = await again(deps, call, expectedError);
      return 'main' in reply ? withError(reply, expectedError) : reply;
    }
  };
  return Object.assign(handle, { again });
}

/** Returns the text of a field without white space around it; empty without one. */
export function typed({ form }: Pick<AnyCall, 'form'>, name: string): string {
  return (form.get(name) ?? '').trim();
}

/** Reads an optional number of credits. Throws `invalid_field`. */
export function readOptionalCredits(text: string): number | null {
  const credits = text === '' ? null : parseCredits(text);
  if (credits === undefined) throw new VerbatimError('invalid_field', CREDITS_ADVICE);
  return credits;
}

/** Reads a new password. Throws `invalid_field` if it was not typed the same twice. */
export function readNewPassword({ form }: Pick<AnyCall, 'form'>): string {
  const password = form.get('new_password') ?? '';
  if (password === form.get('new_password_again')) return password;
  throw new VerbatimError('invalid_field', 'the passwords do not match');
}

/** Requests a one-time link for the address of a form: for a registration, or a forgotten password. */
export async function requestLinkOfForm(
  { accounts }: DashboardDeps,
  call: PageCall,
  { path, isRegistration }: { path: string; isRegistration: boolean },
): Promise<HttpResponse> {
  const email = call.form.get('email') ?? '';
  const { browserToken } = call;
  await requestLink(accounts, { email, address: call.address(), browserToken, isRegistration });
  return redirectTo(`${path}?done=asked`);
}
