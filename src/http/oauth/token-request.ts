/** What the endpoints for programs share: forms in, JSON out, errors in OAuth's words. */
import { VerbatimError } from '../../errors.ts';
import { assertNotCompressed } from '../content-encoding.ts';
import type { HttpRequest } from '../messages.ts';
import type { BodyLimits } from '../read-body.ts';
import { errorHeaders, jsonResponse, type TextResponse } from '../responses.ts';

const FORM_TYPE = 'application/x-www-form-urlencoded';

/** The error codes of RFC 6749, section 5.2, RFC 7009, and RFC 8707. */
type TokenError = 'invalid_request' | 'invalid_grant' | 'invalid_target' | 'unsupported_grant_type';

/** A request that is refused in OAuth's words. */
export class TokenRejection extends Error {
  readonly error: TokenError;

  constructor(error: TokenError, description: string) {
    super(description);
    this.name = 'TokenRejection';
    this.error = error;
  }
}

/** Reads a form. Throws a TokenRejection, or the expected errors of bodies. */
export async function readTokenForm(
  request: HttpRequest,
  limits: BodyLimits,
): Promise<URLSearchParams> {
  const type = request.header('content-type').split(';', 1)[0]?.trim().toLowerCase();
  if (type !== FORM_TYPE)
    throw new TokenRejection('invalid_request', `send the form as ${FORM_TYPE}`);
  assertNotCompressed(request.header('content-encoding'));
  const form = new URLSearchParams((await request.readBody(limits)).toString('utf8'));
  const names = [...form.keys()].filter((name) => name !== 'resource');
  const twice = names.find((name, at) => names.indexOf(name) !== at);
  if (twice === undefined) return form;
  throw new TokenRejection('invalid_request', 'a parameter is there twice');
}

/** Returns a parameter. Throws a TokenRejection if it is missing. */
export function required(form: URLSearchParams, name: string): string {
  const value = form.get(name) ?? '';
  if (value !== '') return value;
  throw new TokenRejection('invalid_request', `${name} is missing`);
}

/** Returns the response to an error. Rethrows all but a TokenRejection. */
export function rejectionResponse(error: unknown): TextResponse {
  if (!(error instanceof TokenRejection)) throw error;
  const body = { error: error.error, error_description: error.message };
  return jsonResponse(400, body, errorHeaders(new VerbatimError('bad_request')));
}
