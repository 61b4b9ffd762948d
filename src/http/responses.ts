/** Builds responses: JSON for results, short plain text for errors. */

import type { AnswerMeasures } from '../accounts/sqlite/ledger/answer-measures.ts';
import { detailsOf, type ErrorCode, VerbatimError } from '../errors.ts';
import type { HttpResponse } from './messages.ts';

export type Headers = Record<string, string>;

/** Names the state of the index. Equal versions mean equal answers of the index. */
export const INDEX_VERSION_HEADER = 'X-Index-Version';

/** Names the kind of an error. */
export const ERROR_CODE_HEADER = 'X-Error-Code';

/** A response whose body is one string and whose headers have one value each. */
export interface TextResponse extends HttpResponse {
  headers: Headers;
  body: string;
  /** What is known of the answer to a paid call, for its customer's usage. */
  measures?: AnswerMeasures;
  /** Whether the answer says nothing worth the price. Its hold is released. */
  isFree?: boolean;
}

export function jsonResponse(status: number, value: unknown, headers: Headers = {}): TextResponse {
  return jsonTextResponse(status, JSON.stringify(value), headers);
}

/** Builds a JSON response from text that is already JSON. */
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

/** Builds the response to an expected error. */
export function errorResponse(error: VerbatimError, headers: Headers = {}): TextResponse {
  return textResponse(error.status, error.message, { ...errorHeaders(error), ...headers });
}

/** Returns the error that a response of `errorResponse` tells. */
export function errorOf({ headers, body }: Pick<TextResponse, 'headers' | 'body'>): VerbatimError {
  const seconds = headers['Retry-After'];
  const options = seconds === undefined ? {} : { retryAfterSeconds: Number(seconds) };
  return new VerbatimError(headers[ERROR_CODE_HEADER] as ErrorCode, body, options);
}

/** Returns the headers that every error response carries, whatever its body. */
export function errorHeaders({ code, retryAfterSeconds }: VerbatimError): Headers {
  return {
    [ERROR_CODE_HEADER]: code,
    ...(retryAfterSeconds === undefined ? {} : { 'Retry-After': String(retryAfterSeconds) }),
    // RFC 9110, section 15.5.16: the encodings that would be accepted.
    ...(code === 'content_encoding' ? { 'Accept-Encoding': 'identity' } : {}),
  };
}

/**
 * Returns the balance that the API reports. A debt, which a refunded payment can leave, counts as
 * 0.
 */
export function creditsLeft(balance: number): number {
  return Math.max(0, balance);
}

/**
 * Returns the error that a customer may see: the error itself if it is expected and meant for
 * customers, otherwise `internal`. In the second case `report` receives the details.
 */
export function customerError(error: unknown, report: (reason: string) => void): VerbatimError {
  if (error instanceof VerbatimError && error.isForCustomers) return error;
  report(detailsOf(error));
  return new VerbatimError('internal');
}
