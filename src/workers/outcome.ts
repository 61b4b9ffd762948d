/** The outcome of a task as a value, since errors lose their class between threads. */
import { type ErrorCode, messageOf, VerbatimError } from '../errors.ts';

export interface ThreadFailure {
  /** Set for expected errors. */
  code?: ErrorCode;
  message: string;
  stack: string | undefined;
}

export type Outcome<Result> = { value: Result } | { failure: ThreadFailure };

export function failureOf(error: unknown): ThreadFailure {
  return {
    ...(error instanceof VerbatimError ? { code: error.code } : {}),
    message: messageOf(error),
    stack: error instanceof Error ? error.stack : undefined,
  };
}

/** Restores the error with its class. */
export function errorOf({ code, message, stack }: ThreadFailure): Error {
  const error = code === undefined ? new Error(message) : new VerbatimError(code, message);
  if (stack !== undefined) error.stack = stack;
  return error;
}
