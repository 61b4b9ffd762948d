/** Answers by kind: JSON for what was asked for, short plain text for errors. */
import { detailsOf, VerbatimError } from '../errors.ts';
import type { HttpResponse } from './messages.ts';

export type Headers = Record<string, string>;

/** An answer that is there in one piece, with one value a header. */
export interface TextResponse extends HttpResponse {
  headers: Headers;
  body: string;
}

export function jsonResponse(status: number, value: unknown, headers: Headers = {}): TextResponse {
  return jsonTextResponse(status, JSON.stringify(value), headers);
}

/** The same of a value that is JSON already. */
export function jsonTextResponse(
  status: number,
  body: string,
  headers: Headers = {},
): TextResponse {
  return {
    status,
    headers: { 'Content-Type': 'application/json', ...headers },
    body,
    mayCompress: true,
  };
}

function textResponse(status: number, body: string, headers: Headers = {}): TextResponse {
  return { status, headers: { 'Content-Type': 'text/plain; charset=utf-8', ...headers }, body };
}

/** The answer to an error that was isExpectedError. */
export function errorResponse(error: VerbatimError, headers: Headers = {}): TextResponse {
  return textResponse(error.status, error.message, { ...errorHeaders(error), ...headers });
}

/** What the headers of every answer to an error say of it, whatever its body is. */
export function errorHeaders({ code, retryAfterSeconds }: VerbatimError): Headers {
  return {
    'X-Error-Code': code,
    ...(retryAfterSeconds === undefined ? {} : { 'Retry-After': String(retryAfterSeconds) }),
    // RFC 9110, section 15.5.16: what would have been accepted.
    ...(code === 'content_encoding' ? { 'Accept-Encoding': 'identity' } : {}),
  };
}

/** A balance as the API tells it: nothing is left where a payment that went back left a debt. */
export function creditsLeft(balance: number): number {
  return Math.max(0, balance);
}

/**
 * What a customer learns of whatever was thrown: the error itself where it was isExpectedError for
 * customers, else `internal`, and `report` gets the details, once.
 */
export function customerError(error: unknown, report: (reason: string) => void): VerbatimError {
  if (error instanceof VerbatimError && error.isForCustomers) return error;
  report(detailsOf(error));
  return new VerbatimError('internal');
}
