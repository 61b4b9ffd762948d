/** Parameters in the query string of a request. Pure. */
import { badRequest, describeUnknown } from './field-errors.ts';
import { parseFields, type RequestFields, type Schema } from './field-kinds.ts';

export type QueryParameters = ReadonlyMap<string, readonly string[]>;

/** Parses a query string. Throws a 400 that names a parameter that is not among `known`. */
export function parseQueryString(query: string, known: readonly string[]): QueryParameters {
  const parameters = new Map<string, string[]>();
  for (const [name, value] of new URLSearchParams(query)) {
    if (!known.includes(name)) {
      throw badRequest(`unknown parameter ${describeUnknown(name, known)}`);
    }
    parameters.set(name, [...(parameters.get(name) ?? []), value]);
  }
  return parameters;
}

/** Returns the values of `id`. Throws a 400 if there are none. */
export function idsOf(parameters: QueryParameters): string[] {
  const ids = (parameters.get('id') ?? []).filter((id) => id.trim() !== '');
  if (ids.length === 0) throw badRequest('id: expected an identifier of a paper, got nothing');
  return ids;
}

/** Returns the only value of a parameter; undefined without. Throws a 400 for several. */
export function onlyValue(parameters: QueryParameters, name: string): string | undefined {
  const [value, ...others] = parameters.get(name) ?? [];
  if (others.length > 0) {
    throw badRequest(`${name}: expected one value, got ${others.length + 1}`);
  }
  return value;
}

/**
 * Returns the parsed value of a parameter that holds JSON; undefined if it is absent. Throws a 400 if
 * it is repeated or is not JSON.
 */
export function jsonValue(parameters: QueryParameters, name: string): unknown {
  const text = onlyValue(parameters, name);
  if (text === undefined) return undefined;
  try {
    return JSON.parse(text) as unknown;
  } catch {
    throw badRequest(`${name}: expected an object as JSON, got a text that is not JSON`);
  }
}

/** Returns the value that a schema has for a text. What is no number stays a text, which is refused. */
export function parsedText(text: string | undefined, { type }: Schema): unknown {
  const isNumber = text !== undefined && /^-?\d+(?:\.\d+)?(?:e[+-]?\d+)?$/i.test(text);
  return isNumber && type !== 'string' ? Number(text) : text;
}

/** Parses parameters by their fields. Throws a 400 that names the parameter and what was expected. */
export function parseParameters<Parsed>(
  parameters: QueryParameters,
  fields: RequestFields<Parsed>,
): Parsed {
  const texts = Object.entries(fields).map(([name, [, { schema }]]) => [
    name,
    parsedText(onlyValue(parameters, name), schema),
  ]);
  return parseFields(Object.fromEntries(texts), fields, 'the request');
}
