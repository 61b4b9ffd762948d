/** Validates the body of a search request, and what other bodies share with it. Pure. */

import type { SearchRequest } from '../types.ts';
import { badRequest, isObject, typeName } from './field-errors.ts';
import { parseFields } from './field-kinds.ts';
import { searchFields, withSortedField } from './search-fields.ts';

/** Parses a body. Throws a 400 that names the field and what was expected. */
export function parseSearchBody(body: Uint8Array): SearchRequest {
  return parseSearchFields(parseObject(body));
}

/** Parses fields that were already decoded. Errors about unknown ones say that they are in `name`. */
export function parseSearchFields(
  fields: Record<string, unknown>,
  name = 'the request',
): SearchRequest {
  return withSortedField(parseFields(fields, searchFields, name));
}

/** The JSON object in a body. Throws a 400 for anything else. */
export function parseObject(body: Uint8Array): Record<string, unknown> {
  let value: unknown;
  try {
    value = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(body));
  } catch {
    throw badRequest('expected a JSON object in UTF-8, got a body that is not JSON');
  }
  if (isObject(value)) return value;
  throw badRequest(`expected a JSON object, got ${typeName(value)}`);
}
