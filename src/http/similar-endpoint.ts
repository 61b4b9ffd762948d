/** GET /v1/similar: the papers that are most similar to one. */
import { VerbatimError } from '../errors.ts';
import { estimateTokens } from '../search/token-estimate.ts';
import type { SimilarRequest } from '../types.ts';
import { withKeyPermit } from './admission.ts';
import { assertNoIdempotencyKey } from './answer-once.ts';
import { badRequest } from './field-errors.ts';
import type { HttpRequest } from './messages.ts';
import { paidAnswer } from './paid-answer.ts';
import type { PaidCall } from './paid-call.ts';
import { parseSearchOptions } from './parse-options.ts';
import {
  idsOf,
  jsonValue,
  onlyValue,
  parseQueryString,
  type QueryParameters,
} from './query-parameters.ts';
import { INDEX_VERSION_HEADER, jsonTextResponse, type TextResponse } from './responses.ts';
import { isAllDropped } from './run-search.ts';
import type { ServiceDeps } from './service-deps.ts';
import { parseFields, parseLimit } from './validate.ts';

/** The fields of a search that have the same meaning here. */
const texts = ['fields', 'include', 'sort'] as const;
const numbers = ['limit', 'sentences', 'min_score', 'max_tokens'] as const;

const similarParameters = ['id', ...numbers, ...texts, 'exclude', 'filter'] as const;

/** Throws the expected errors of every step before the hold. */
export function similarEndpoint(
  deps: ServiceDeps,
  call: PaidCall & { request: HttpRequest },
): Promise<TextResponse> {
  return withKeyPermit(deps, call.key, async () => {
    assertNoIdempotencyKey(call.request);
    const request = parseSimilarQuery(call.request.query);
    if ((await deps.countDocuments()) === 0) throw new VerbatimError('no_documents');
    return await paidAnswer(deps, call, {
      kind: 'similar',
      find: () => deps.similar(request),
      respond: ({ json, indexVersion }) =>
        jsonTextResponse(200, json, {
          'X-Token-Budget': String(estimateTokens(json.length)),
          [INDEX_VERSION_HEADER]: indexVersion,
        }),
      isFree: ({ json }) => isAllDropped(request, json),
    });
  });
}

/** Parses a query string. Throws a 400 that names the parameter and what was expected. */
export function parseSimilarQuery(query: string): SimilarRequest {
  const parameters = parseQueryString(query, similarParameters);
  const [id = '', ...others] = idsOf(parameters);
  if (others.length > 0) throw badRequest(`id: expected one id, got ${others.length + 1}`);
  const fields = fieldsOf(parameters);
  const options = parseSearchOptions(fields);
  // Some DOIs contain commas, so a whole value may be an id as well.
  const whole = (parameters.get('exclude') ?? []).filter((text) => text.includes(','));
  if (options.exclude !== undefined) options.exclude = [...options.exclude, ...whole];
  return {
    ...options,
    similarTo: id.toWellFormed(),
    limit: parseLimit(fields['limit']),
    withAbstract: parseFields(fields['fields']),
  };
}

/** Returns the parameters as the fields of a search. What is no number stays a text, and is refused. */
function fieldsOf(parameters: QueryParameters): Record<string, unknown> {
  const fields: Record<string, unknown> = {};
  for (const name of texts) fields[name] = onlyValue(parameters, name);
  for (const name of numbers) {
    const text = onlyValue(parameters, name);
    fields[name] =
      text !== undefined && /^-?\d+(?:\.\d+)?(?:e[+-]?\d+)?$/i.test(text) ? Number(text) : text;
  }
  fields['exclude'] = parameters.get('exclude')?.flatMap((text) => text.split(','));
  fields['filter'] = jsonValue(parameters, 'filter');
  return fields;
}
