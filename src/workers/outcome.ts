/** The outcome of a task as a value, since errors lose their class between threads. */

import { sqliteCodeOf } from '../database/sqlite/faults.ts';
import { type ErrorCode, messageOf, VerbatimError } from '../errors.ts';

export interface ThreadFailure {
  /** Set for expected errors. */
  code?: ErrorCode;
  /** SQLite's code, if SQLite caused the error. */
  sqliteCode?: string;
  message: string;
  stack: string | undefined;
}

export type Outcome<Result> = { value: Result } | { failure: ThreadFailure };

export function failureOf(error: unknown): ThreadFailure {
  const sqliteCode = sqliteCodeOf(error);
  return {
    ...(error instanceof VerbatimError ? { code: error.code } : {}),
    ...(sqliteCode === undefined ? {} : { sqliteCode }),
    message: messageOf(error),
    stack: error instanceof Error ? error.stack : undefined,
  };
}

/** Restores the error with its class. An error of SQLite is its cause. */
export function errorOf({ code, sqliteCode, message, stack }: ThreadFailure): Error {
  const cause = sqliteCode && Object.assign(new Error(message), { code: sqliteCode });
  const options = cause ? { cause } : {};
  const error =
    code === undefined ? new Error(message, options) : new VerbatimError(code, message, options);
  if (stack !== undefined) error.stack = stack;
  return error;
}
