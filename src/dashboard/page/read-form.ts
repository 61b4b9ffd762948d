/** Reads the fields of a form that was sent, and makes sure that it was one of ours. */
import { assertOwnForm } from '../../accounts/form-token.ts';
import { VerbatimError } from '../../errors.ts';
import { assertNotCompressed } from '../../http/content-encoding.ts';
import type { HttpRequest } from '../../http/messages.ts';
import type { DashboardDeps } from './deps.ts';
import { FORM_TOKEN_FIELD } from './form-fields.ts';

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
