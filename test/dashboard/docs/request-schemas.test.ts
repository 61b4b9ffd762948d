/** What the schemas of requests in /openapi.json allow is what the server accepts, and nothing else. */
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import { beforeAll, describe, expect, it } from 'vitest';
import { createOpenApi } from '../../../src/dashboard/docs/openapi.ts';
import type { Schema } from '../../../src/http/field-kinds.ts';
import { addAccount, bearer, type Caller } from '../../http/contract.ts';
import { useService } from '../../support/use-service.ts';

const PAPER = 'sample:psychology-sleep-and-forgetting';

const service = useService({ env: { VERBATIM_REQUESTS_PER_MINUTE: '100000' } });
let caller: Caller;

beforeAll(() => {
  caller = addAccount(service, { credits: 10_000 });
});

const { components, paths } = createOpenApi('http://localhost:8080', '0');
const ajv = new Ajv2020({ strict: false });
ajv.addSchema({ $id: 'api', components });

function validatorOf(schema: Schema): ValidateFunction {
  return ajv.compile(
    JSON.parse(JSON.stringify(schema).replaceAll('#/components', 'api#/components')),
  );
}

const filter = {
  year: { from: 2015, to: 9999 },
  venue: ['Nature'],
  ids: [PAPER],
  has_abstract: true,
  source: 'verbatim',
  type: ['article', 'review'],
  open_access: false,
};
const options = {
  limit: 2,
  fields: 'abstract',
  include: 'url,offsets',
  sentences: 2,
  min_score: 0.1,
  sort: 'year',
  max_tokens: 500,
};
const more = { lanes: 'none', exclude: ['10.1/x'], min_answer: 0.1 };
const question = { query: 'sleep', ...more, filter, ...options };
const reference = {
  title: 'Sleep after learning',
  authors: ['A. Berg'],
  year: 2019,
  venue: 'Shores',
  doi: '10.5555/x',
  pmid: 7,
};

/** A valid body of each path. */
const bodies: Readonly<Record<string, unknown>> = {
  '/v1/search': question,
  // A question has the schema of a search.
  '/v1/search/batch': { questions: [{ query: 'sleep', limit: 2 }, { query: 'memory' }] },
  '/v1/verify': {
    items: [
      { quote: 'people forget less over a night of sleep', id: PAPER },
      { reference },
      { reference: { type: 'article-journal', title: 'Sleep', DOI: '10.5555/x' } },
    ],
  },
};

const REPLACEMENTS = [null, true, 1.5, -1, 0, 3000, '', ' ', 'zzz', [], [''], {}, { zzz: 1 }];

/** Every body that differs from this one in one value, or has one more name. */
function* variantsOf(value: unknown): Generator<unknown> {
  yield* REPLACEMENTS;
  if (Array.isArray(value)) {
    for (const [at, each] of value.entries()) {
      for (const other of variantsOf(each)) yield value.with(at, other);
    }
  } else if (typeof value === 'object' && value !== null) {
    yield { ...value, unknown: 1 };
    for (const [name, each] of Object.entries(value)) {
      const { [name]: _, ...others } = value as Record<string, unknown>;
      yield others;
      for (const other of variantsOf(each)) yield { ...value, [name]: other };
    }
  }
}

/** Whether the server takes a body. A batch takes it if it takes every question. */
async function accepts(path: string, body: unknown): Promise<boolean> {
  const response = await fetch(`${service.url}${path}`, {
    method: 'POST',
    headers: { ...bearer(caller.secret), 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  const { status } = response;
  const text = await response.text();
  expect([200, 400], text).toContain(status);
  return status === 200 && !text.includes('"status":400');
}

describe('the schema of the body of', () => {
  it.each(Object.keys(bodies))('%s', async (path) => {
    const operation = paths[path]?.['post'] as Schema;
    const body = operation['requestBody'] as { content: Record<string, { schema: Schema }> };
    const validate = validatorOf(body.content['application/json']?.schema ?? {});
    expect(validate(bodies[path]), ajv.errorsText(validate.errors)).toBe(true);
    expect(await accepts(path, bodies[path])).toBe(true);
    const different: string[] = [];
    let refused = 0;
    for (const variant of variantsOf(bodies[path])) {
      const [byServer, bySchema] = [await accepts(path, variant), validate(variant)];
      if (!byServer) refused++;
      if (byServer !== bySchema) {
        different.push(`${byServer ? 'server' : 'schema'} only: ${JSON.stringify(variant)}`);
      }
    }
    expect(refused).toBeGreaterThan(20);
    expect(different).toEqual([]);
  });
});

interface Parameter {
  name: string;
  schema?: Schema;
  content?: Record<string, { schema: Schema }>;
}

/** A value as a client reads it that knows the schema. */
function decode({ schema }: Parameter, text: string): unknown {
  if (schema === undefined) {
    try {
      return JSON.parse(text);
    } catch {
      return undefined;
    }
  }
  if (schema['type'] === 'array') return text.split(',');
  const isNumber = schema['type'] === 'integer' || schema['type'] === 'number';
  return isNumber && /^-?\d+(\.\d+)?$/.test(text) ? Number(text) : text;
}

describe('the schemas of the parameters of /v1/similar', () => {
  const operation = paths['/v1/similar']?.['get'] ?? {};
  const parameters = operation['parameters'] as Parameter[];
  const texts = [
    ...['', 'zzz', '-1', '0', '1', '1.5', '3000', '0.5', 'abstract', 'url', 'year', 'a,b'],
    ...['null', '[]', '{}', '{"year":{}}', '{"zzz":1}', JSON.stringify(filter)],
  ];

  it.each(parameters.filter(({ name }) => name !== 'id'))('$name', async (parameter) => {
    const { name, schema, content } = parameter;
    const validate = validatorOf(schema ?? content?.['application/json']?.schema ?? {});
    for (const text of texts) {
      const path = `/v1/similar?id=${PAPER}&${new URLSearchParams({ [name]: text })}`;
      const { status } = await fetch(`${service.url}${path}`, { headers: bearer(caller.secret) });
      expect(status, `${name}=${text}`).toBe(validate(decode(parameter, text)) ? 200 : 400);
    }
  });
});
