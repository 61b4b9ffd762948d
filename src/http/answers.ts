/** Answers by kind: JSON for what was asked for, short plain text for errors. */
import { detailsOf, VerbatimError } from '../errors.ts';
import type { HttpAnswer } from './server.ts';

export type Headers = Record<string, string>;

export function jsonAnswer(status: number, value: unknown, headers: Headers = {}): HttpAnswer {
  return jsonTextAnswer(status, JSON.stringify(value), headers);
}

/** The same of a value that is JSON already. */
export function jsonTextAnswer(status: number, body: string, headers: Headers = {}): HttpAnswer {
  return { status, headers: { 'Content-Type': 'application/json', ...headers }, body };
}

function textAnswer(status: number, body: string, headers: Headers = {}): HttpAnswer {
  return { status, headers: { 'Content-Type': 'text/plain; charset=utf-8', ...headers }, body };
}

/** The answer to an error that was foreseen. */
export function errorAnswer(error: VerbatimError, headers: Headers = {}): HttpAnswer {
  return textAnswer(error.status, error.message, headers);
}

/**
 * What a customer learns of whatever was thrown: the error itself where it was foreseen for
 * customers, else `internal`, and `report` gets the details, once.
 */
export function customerError(error: unknown, report: (reason: string) => void): VerbatimError {
  if (error instanceof VerbatimError && error.isForCustomers) return error;
  report(detailsOf(error));
  return new VerbatimError('internal');
}
