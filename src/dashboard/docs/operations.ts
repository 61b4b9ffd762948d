/** The operations of the HTTP API, with the parameters and the statuses of each. */
import { changesFields } from '../../http/changes-endpoint.ts';
import { type Schema, schemaOf } from '../../http/field-kinds.ts';
import { listFields } from '../../http/paper-endpoint.ts';
import { similarFields } from '../../http/search-fields.ts';
import { PAPERS_MAX } from '../../search/papers/find-papers.ts';
import {
  changesParameters,
  paperFormats,
  paperParameters,
  similarParameters,
} from './look-up-tables.ts';
import { describedBy, listOf, ref, someText, text } from './schema.ts';
import { requestFields } from './tables.ts';

export interface Operation {
  path: string;
  method: 'get' | 'post';
  id: string;
  summary: string;
  /** Empty for a call without a key. */
  hasKey: boolean;
  parameters: readonly Schema[];
  /** The name of the schema of the body; absent without one. */
  body?: string;
  /** The schema of each media type of an answer. */
  answers: Readonly<Record<string, Schema>>;
  /** The statuses of errors with a text. */
  errors: readonly string[];
}

const JSON_TYPE = 'application/json';
const idempotencyKey: Schema = {
  name: 'Idempotency-Key',
  in: 'header',
  required: false,
  schema: { type: 'string', minLength: 1, maxLength: 255 },
  description:
    'A new one for each request: a repetition with the same key gets the same answer and is not charged again. In a batch, it searches again for what failed. Kept for 24 hours.',
};

/** What any call with a key and a price may get. */
const PAID = ['400', '401', '402', '429', '500', '503', '504'] as const;
const WITH_BODY = ['408', '409', '413', '415', '422'] as const;

const lanesHeader: Schema = {
  name: 'X-Lanes',
  in: 'header',
  required: false,
  schema: { const: '1' },
  description: 'asks for the header X-Lanes in the response',
};

/** What `filter` holds is JSON, so it is no plain parameter. */
const { filter: _filter, ...plainFields } = schemaOf(similarFields).properties;

export const operations: readonly Operation[] = [
  {
    path: '/v1/search',
    method: 'post',
    id: 'search',
    summary: 'Find papers for a question, each with the sentence that answers it. 1 credit.',
    hasKey: true,
    parameters: [lanesHeader, idempotencyKey],
    body: 'SearchRequest',
    answers: { [JSON_TYPE]: ref('Answer') },
    errors: [...PAID, ...WITH_BODY],
  },
  {
    path: '/v1/search/batch',
    method: 'post',
    id: 'batch',
    summary: 'Answer up to 32 questions, each with its own outcome. 1 credit for each answer.',
    hasKey: true,
    parameters: [idempotencyKey],
    body: 'BatchRequest',
    answers: { [JSON_TYPE]: ref('BatchAnswer') },
    errors: [...PAID, ...WITH_BODY],
  },
  {
    path: '/v1/verify',
    method: 'post',
    id: 'verify',
    summary:
      'Tell whether quotes and references are real. 1 credit for each 20 items begun, up to 100.',
    hasKey: true,
    parameters: [idempotencyKey],
    body: 'VerifyRequest',
    answers: { [JSON_TYPE]: ref('VerifyAnswer') },
    errors: [...PAID, ...WITH_BODY],
  },
  {
    path: '/v1/paper',
    method: 'get',
    id: 'paper',
    summary: 'Return papers by any identifier. 1 credit for up to 100 ids.',
    hasKey: true,
    parameters: parametersOf(
      describedBy([paperParameters], {
        id: { type: 'array', items: someText, minItems: 1, maxItems: PAPERS_MAX },
        ...schemaOf(listFields).properties,
      }),
    ),
    answers: answersOfPaper(),
    errors: [...PAID, '404', '406', '431'],
  },
  {
    path: '/v1/similar',
    method: 'get',
    id: 'similar',
    summary: 'Find the papers that are most similar to one. 1 credit.',
    hasKey: true,
    parameters: [
      ...parametersOf({
        ...describedBy([similarParameters], { id: someText }),
        ...describedBy([requestFields], plainFields),
      }),
      filterParameter(),
    ],
    answers: { [JSON_TYPE]: ref('Answer') },
    errors: [...PAID, '404', '431'],
  },
  {
    path: '/v1/changes',
    method: 'get',
    id: 'changes',
    summary: 'List the papers that were added, changed, or withdrawn. Free.',
    hasKey: true,
    parameters: parametersOf(describedBy([changesParameters], schemaOf(changesFields).properties)),
    answers: { [JSON_TYPE]: ref('Changes') },
    errors: ['400', '401', '410', '429', '431', '500', '503', '504'],
  },
  {
    path: '/v1/usage',
    method: 'get',
    id: 'usage',
    summary: 'What the key has used in this calendar month (UTC), and the balance. Free.',
    hasKey: true,
    parameters: [],
    answers: { [JSON_TYPE]: ref('Usage') },
    errors: ['401', '429', '500', '503'],
  },
  {
    path: '/health',
    method: 'get',
    id: 'health',
    summary: 'Whether the service is ready. Free, and without a key.',
    hasKey: false,
    parameters: [],
    answers: { [JSON_TYPE]: ref('Health') },
    errors: ['500'],
  },
];

function parametersOf(schemas: Readonly<Record<string, Schema>>): Schema[] {
  return Object.entries(schemas).map(([name, { description, ...schema }]) => ({
    name,
    in: 'query',
    required: name === 'id',
    description,
    schema,
  }));
}

/** Its value is JSON, so it has a media type instead of a schema. */
function filterParameter(): Schema {
  const { filter } = describedBy([similarParameters], { filter: ref('Filter') });
  const description = filter?.['description'];
  const content = { [JSON_TYPE]: { schema: ref('Filter') } };
  return { name: 'filter', in: 'query', required: false, description, content };
}

function answersOfPaper(): Record<string, Schema> {
  const types = paperFormats.rows.map(([type = '']) => type.replaceAll('`', ''));
  return Object.fromEntries(
    types.map((type) => {
      if (type === JSON_TYPE) return [type, ref('Papers')];
      return [type, type.endsWith('json') ? listOf({ type: 'object' }) : text];
    }),
  );
}
