/** Errors about fields of a request body. */
import { VerbatimError } from '../errors.ts';

/** Names the type of a JSON value for a message: `an array`, `the number 1.5`. */
export function typeName(value: unknown): string {
  if (value === undefined) return 'nothing';
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'an array';
  if (typeof value === 'number') return `the number ${value}`;
  return typeof value === 'object' ? 'an object' : `a ${typeof value}`;
}

/** Returns the 400 with this message. */
export function badRequest(message: string): VerbatimError {
  return new VerbatimError('bad_request', message);
}
