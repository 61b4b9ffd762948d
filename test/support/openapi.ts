/** Checks requests and responses against /openapi.json, for every request that `send` makes. */
import type { IncomingHttpHeaders } from 'node:http';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import { expect } from 'vitest';
import { createOpenApi } from '../../src/dashboard/docs/openapi.ts';
import type { Schema } from '../../src/http/field-kinds.ts';

export interface Exchange {
  method: string;
  /** With the query string. */
  path: string;
  /** The body of the request, if it is a text. */
  sent: string | undefined;
  status: number;
  headers: IncomingHttpHeaders;
  /** The body of the response; undefined if it is compressed. */
  text: string | undefined;
}

interface Described {
  requestBody?: { content: Record<string, { schema: Schema }> };
  parameters: { name: string; in: string; required?: boolean }[];
  responses: Record<
    string,
    Schema & { $ref?: string; content?: Record<string, { schema: Schema }> }
  >;
}

/** Errors of the connection and of any path. */
const OF_ANY_PATH: readonly number[] = [405, 431, 505];

const { paths, components } = createOpenApi('http://localhost:8080', '0');
const ajv = new Ajv2020({ strict: false });
ajv.addSchema({ $id: 'api', components: strictly(components) });
const compiled = new Map<string, ValidateFunction>();

/** Fails if the document does not describe the exchange. Passes over paths that it does not have. */
export function expectDescribed(exchange: Exchange): void {
  const [path = '', query = ''] = exchange.path.split('?');
  const operation = paths[path]?.[exchange.method.toLowerCase()] as Described | undefined;
  if (operation === undefined || OF_ANY_PATH.includes(exchange.status)) return;
  const what = `${exchange.method} ${exchange.path.slice(0, 200)} ${exchange.status}`;
  const response = resolved(operation.responses[exchange.status]);
  expect(response, `${what} is in the document`).toBeDefined();
  if (exchange.status === 200) expectRequest(operation, { ...exchange, query, what });
  const type = String(exchange.headers['content-type']).split(';')[0] ?? '';
  const content = response?.content?.[type];
  expect(content, `${what} has the type ${type}`).toBeDefined();
  for (const name of exchange.status >= 400 ? ['x-error-code', 'x-request-id'] : ['x-request-id']) {
    expect(exchange.headers, what).toHaveProperty(name);
  }
  if (exchange.text === undefined || !type.endsWith('json')) return;
  expectValid(JSON.parse(exchange.text), content?.schema ?? {}, what);
}

function expectRequest(
  { requestBody, parameters }: Described,
  { sent, query, what, text }: Exchange & { query: string; what: string },
): void {
  const known = parameters.filter((parameter) => parameter.in === 'query');
  const names = [...new URLSearchParams(query).keys()];
  // A call without parameters ignores the query string.
  const unknown = names.filter((name) => !known.some((parameter) => parameter.name === name));
  expect(known.length === 0 ? [] : unknown, what).toEqual([]);
  for (const { name } of known.filter(({ required }) => required)) expect(names).toContain(name);
  const schema = requestBody?.content['application/json']?.schema;
  // A batch is answered though some of its questions are wrong.
  const isPartlyWrong = text?.includes('"outcomes":[') && text.includes('"status":400');
  if (schema === undefined || sent === undefined || isPartlyWrong) return;
  expectValid(JSON.parse(sent), schema, `the request of ${what}`);
}

function expectValid(value: unknown, schema: Schema, what: string): void {
  const text = JSON.stringify(schema).replaceAll('#/components', 'api#/components');
  let validate = compiled.get(text);
  if (validate === undefined) {
    validate = ajv.compile(JSON.parse(text));
    compiled.set(text, validate);
  }
  validate(value);
  expect(validate.errors ?? [], `${what}: ${JSON.stringify(value).slice(0, 500)}`).toEqual([]);
}

function resolved(response: Described['responses'][string] | undefined) {
  const name = response?.$ref?.split('/').at(-1);
  if (name === undefined) return response;
  return components.responses[name] as Described['responses'][string];
}

/** No property but those that the document has, in answers. Requests may have others. */
function strictly(value: unknown, name = ''): unknown {
  if (Array.isArray(value)) return value.map((each) => strictly(each));
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).map(([key, each]) => [key, strictly(each, key)]);
  const isOpen = 'additionalProperties' in value || name.endsWith('Request');
  const own = Object.fromEntries(entries);
  return 'properties' in value && !isOpen ? { ...own, additionalProperties: false } : own;
}
