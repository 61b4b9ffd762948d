/** The description of the HTTP API in OpenAPI 3.1, made from the tables of the documentation. */
import type { Schema } from '../../http/field-kinds.ts';
import { lookUpSchemas } from './look-up-schemas.ts';
import { type Operation, operations } from './operations.ts';
import { ref, text, textsByName } from './schema.ts';
import { searchSchemas } from './search-schemas.ts';
import { withoutLinks } from './table.ts';
import { errors, responseHeaders } from './tables.ts';

export interface OpenApi {
  openapi: string;
  info: Schema;
  servers: Schema[];
  security: Schema[];
  paths: Record<string, Record<string, Schema>>;
  components: Record<
    'schemas' | 'responses' | 'headers' | 'securitySchemes',
    Record<string, Schema>
  >;
}

/** `base` is the address of the server. */
export function createOpenApi(base: string, version: string): OpenApi {
  const paths: OpenApi['paths'] = {};
  for (const operation of operations) {
    paths[operation.path] = {
      ...paths[operation.path],
      [operation.method]: describeOperation(operation),
    };
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Verbatim',
      version,
      description:
        'Literature search that quotes the one sentence of each paper that answers, word for word.',
    },
    servers: [{ url: base }],
    security: [{ key: [] }],
    paths,
    components: {
      securitySchemes: { key: { type: 'http', scheme: 'bearer' } },
      schemas: { ...searchSchemas, ...lookUpSchemas },
      headers: describeHeaders(),
      responses: describeErrors(),
    },
  };
}

function describeOperation({
  id,
  summary,
  hasKey,
  parameters,
  body,
  answers,
  errors: statuses,
}: Operation): Schema {
  const content = (schemas: Readonly<Record<string, Schema>>): Schema =>
    Object.fromEntries(Object.entries(schemas).map(([type, schema]) => [type, { schema }]));
  const responses: Record<string, Schema> = {
    200: { description: 'OK', headers: headersOf('200'), content: content(answers) },
  };
  for (const status of statuses) {
    responses[status] = { $ref: `#/components/responses/Error${status}` };
  }
  // Its body tells why the service is not ready.
  if (!hasKey) responses['503'] = { description: 'not ready', content: content(answers) };
  return {
    operationId: id,
    summary,
    ...(hasKey ? {} : { security: [] }),
    parameters,
    ...(body === undefined
      ? {}
      : { requestBody: { required: true, content: content({ 'application/json': ref(body) }) } }),
    responses,
  };
}

/** The headers of the table; each may be absent. */
function describeHeaders(): Record<string, Schema> {
  const described = [...textsByName(responseHeaders)].map(([name, description]) => [
    name,
    { description, schema: text },
  ]);
  return Object.fromEntries(described);
}

function headersOf(status: string): Schema {
  const isError = status !== '200';
  const names = [...textsByName(responseHeaders).keys()].filter((name) => {
    if (name === 'X-Error-Code' || name === 'Retry-After' || name === 'WWW-Authenticate') {
      return isError;
    }
    return !isError || name.startsWith('RateLimit') || name === 'X-Request-Id';
  });
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));
}

/** One response for each status of the table of errors, with its codes. */
function describeErrors(): Record<string, Schema> {
  const statuses = new Set(errors.rows.map(([status = '']) => status));
  return Object.fromEntries(
    [...statuses].map((status) => {
      const rows = errors.rows.filter(([each]) => each === status);
      const lines = rows.map(([, code = '', message = '', when = '']) =>
        withoutLinks(`${code}: ${message}${when === '' ? '' : ` — ${when}`}`),
      );
      const codes = rows.map(([, code = '']) => code.replaceAll('`', ''));
      return [
        `Error${status}`,
        {
          description: lines.join('\n\n'),
          headers: {
            ...headersOf(status),
            'X-Error-Code': { schema: { type: 'string', enum: codes } },
          },
          content: {
            'text/plain': { schema: text },
            'application/problem+json': { schema: ref('Problem') },
          },
        },
      ];
    }),
  );
}
