/** Validates the body of a search request, and what other bodies share with it. Pure. */

import { VerbatimError } from '../errors.ts';
import { isBlank } from '../search/blank-query.ts';
import { clampLimit } from '../search/result-limit.ts';
import { LANE_CHOICE_ADVICE, parseLaneChoice } from '../settings/lane-choice.ts';
import { codePoints } from '../text/code-points.ts';
import type { SearchRequest } from '../types.ts';
import { assertNone, badRequest, typeName } from './field-errors.ts';
import { parseSearchOptions, searchOptionNames } from './parse-options.ts';

const QUERY_CODE_POINTS_MAX = 2048;
const LIMIT_DEFAULT = 10;
const OPTIONAL_FIELD = 'abstract';
const fieldNames = ['query', 'limit', 'fields', 'lanes', ...searchOptionNames];

/** Parses a body. Throws a 400 that names the field and what was expected. */
export function parseSearchBody(body: Uint8Array): SearchRequest {
  return parseSearchFields(parseObject(body));
}

/** Parses fields that were already decoded. Errors about unknown ones say that they are in `name`. */
export function parseSearchFields(
  fields: Record<string, unknown>,
  name = 'the request',
): SearchRequest {
  assertNone(fields, name, fieldNames);
  return {
    query: parseQuery(fields['query']),
    limit: parseLimit(fields['limit']),
    withAbstract: parseFields(fields['fields']),
    ...parseLanes(fields['lanes']),
    ...parseSearchOptions(fields),
  };
}

/** The JSON object in a body. Throws a 400 for anything else. */
export function parseObject(body: Uint8Array): Record<string, unknown> {
  let value: unknown;
  try {
    value = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(body));
  } catch {
    throw badRequest('expected a JSON object in UTF-8, got a body that is not JSON');
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw badRequest(`expected a JSON object, got ${typeName(value)}`);
  }
  return value as Record<string, unknown>;
}

function parseQuery(value: unknown): string {
  if (typeof value !== 'string') {
    throw badRequest(`query: expected a string, got ${typeName(value)}`);
  }
  if (isBlank(value)) throw new VerbatimError('empty_query');
  // The tokenizer and SQLite need well-formed text, without lone surrogates.
  const query = value.toWellFormed();
  if (codePoints(query) > QUERY_CODE_POINTS_MAX) throw new VerbatimError('query_too_long');
  return query;
}

/** Any other whole number than 0 counts as the nearest one from 1 to 50. */
export function parseLimit(value: unknown): number {
  if (value === undefined) return LIMIT_DEFAULT;
  if (typeof value !== 'number' || !Number.isInteger(value)) {
    throw badRequest(`limit: expected an integer, got ${typeName(value)}`);
  }
  if (value === 0) throw new VerbatimError('limit_too_small');
  return clampLimit(value);
}

export function parseFields(value: unknown): boolean {
  if (value === undefined) return false;
  if (typeof value !== 'string') {
    throw badRequest(`fields: expected a string of comma-separated names, got ${typeName(value)}`);
  }
  const names = value.split(',').map((name) => name.trim());
  const unknown = names.find((name) => name !== OPTIONAL_FIELD && name !== '');
  if (unknown !== undefined) {
    throw badRequest(
      `fields: unknown field "${unknown.slice(0, 64)}", the only one is "${OPTIONAL_FIELD}"`,
    );
  }
  return names.includes(OPTIONAL_FIELD);
}

/**
 * Returns nothing if the field is absent. An unclear choice is an error: guessing could send out
 * what was meant to stay.
 */
function parseLanes(value: unknown): Pick<SearchRequest, 'lanes'> {
  if (value === undefined) return {};
  if (typeof value !== 'string') {
    throw badRequest(`lanes: expected a string, ${LANE_CHOICE_ADVICE}, got ${typeName(value)}`);
  }
  const lanes = parseLaneChoice(value);
  if (lanes === undefined) throw badRequest(`lanes: expected ${LANE_CHOICE_ADVICE}`);
  return { lanes };
}
