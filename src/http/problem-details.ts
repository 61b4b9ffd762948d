/** Errors as problem details (RFC 9457), for clients that ask for them by `Accept`. */
import { STATUS_CODES } from 'node:http';
import type { HttpResponse } from './messages.ts';

const PROBLEM_TYPE = 'application/problem+json';

interface ProblemRequest {
  /** The value of `Accept`; '' if absent. */
  accept: string;
  requestId: string;
}

/**
 * Returns an error with a text as problem details if the client accepts them by name. Returns every
 * other response as it is. `code` and `retry_after` (seconds) are extension members with the values
 * of the headers.
 */
export function toProblem(
  response: HttpResponse,
  { accept, requestId }: ProblemRequest,
): HttpResponse {
  const { status, headers, body } = response;
  const code = headers['X-Error-Code'];
  const isText = String(headers['Content-Type']).startsWith('text/plain');
  if (code === undefined || !isText || typeof body !== 'string') return response;
  if (!acceptsProblem(accept)) return response;
  const retryAfter = headers['Retry-After'];
  const problem = {
    type: 'about:blank',
    // Section 4.2.1: the title of this type is the phrase of the status.
    title: STATUS_CODES[status],
    status,
    detail: body,
    instance: `urn:uuid:${requestId}`,
    code,
    retry_after: retryAfter === undefined ? undefined : Number(retryAfter),
  };
  return {
    ...response,
    headers: { ...headers, 'Content-Type': PROBLEM_TYPE },
    body: JSON.stringify(problem),
  };
}

/** Whether the type is named with a quality above 0. A wildcard is what most clients send unasked. */
function acceptsProblem(accept: string): boolean {
  return accept.split(',').some((range) => {
    const [type = '', ...parameters] = range.split(';').map((part) => part.trim().toLowerCase());
    const isRejected = parameters.some((parameter) => /^q\s*=\s*0(?:\.0*)?$/.test(parameter));
    return type === PROBLEM_TYPE && !isRejected;
  });
}
