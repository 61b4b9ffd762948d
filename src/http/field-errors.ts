/** Errors about fields of a request body. */

import { VerbatimError } from '../errors.ts';
import { suggestion } from '../settings/closest-name.ts';

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

/** Returns the 400 for a field that holds something else than what was expected. */
export function wrongType(name: string, expected: string, value: unknown): VerbatimError {
  return badRequest(`${name}: expected ${expected}, got ${typeName(value)}`);
}

export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Returns the object. Throws a 400 with this name for anything else. */
export function asObject(value: unknown, name: string): Record<string, unknown> {
  if (isObject(value)) return value;
  throw wrongType(name, 'an object', value);
}

/** Throws a 400 that names the first of the fields that is not known. */
export function assertNone(
  others: Record<string, unknown>,
  name: string,
  known: readonly string[],
): void {
  const [unknown] = Object.keys(others).filter((field) => !known.includes(field));
  if (unknown !== undefined) {
    throw badRequest(`${name}: unknown field ${describeUnknown(unknown, known)}`);
  }
}

/** Returns `"filterr", known are …; did you mean filter?` for a name that is not known. */
export function describeUnknown(name: string, known: readonly string[]): string {
  const shown = name.toWellFormed().slice(0, 64);
  return `"${shown}", known are ${known.join(', ')}${suggestion(name, known)}`;
}
