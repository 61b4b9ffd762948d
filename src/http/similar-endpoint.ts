/** GET /v1/similar: the papers that are most similar to one. */
import { VerbatimError } from '../errors.ts';
import { estimateTokens } from '../search/token-estimate.ts';
import type { SimilarRequest } from '../types.ts';
import { withKeyPermit } from './admission.ts';
import { assertNoIdempotencyKey } from './answer-once.ts';
import { badRequest } from './field-errors.ts';
import { parseFields } from './field-kinds.ts';
import type { HttpRequest } from './messages.ts';
import { paidAnswer } from './paid-answer.ts';
import type { PaidCall } from './paid-call.ts';
import {
  idsOf,
  jsonValue,
  onlyValue,
  parsedText,
  parseQueryString,
  type QueryParameters,
} from './query-parameters.ts';
import { INDEX_VERSION_HEADER, jsonTextResponse, type TextResponse } from './responses.ts';
import { isAllDropped } from './run-search.ts';
import { similarFields, similarNames, withSortedField } from './search-fields.ts';
import type { ServiceDeps } from './service-deps.ts';

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
  const parameters = parseQueryString(query, ['id', ...similarNames]);
  const [id = '', ...others] = idsOf(parameters);
  if (others.length > 0) throw badRequest(`id: expected one id, got ${others.length + 1}`);
  const options = parseFields(fieldsOf(parameters), similarFields, 'the request');
  // Some DOIs contain commas, so a whole value may be an id as well.
  const whole = (parameters.get('exclude') ?? []).filter((text) => text.includes(','));
  if (options.exclude !== undefined) options.exclude = [...options.exclude, ...whole];
  return { similarTo: id.toWellFormed(), ...withSortedField(options) };
}

/** Returns the parameters as the fields of a search. */
function fieldsOf(parameters: QueryParameters): Record<string, unknown> {
  const fields: Record<string, unknown> = {};
  for (const [name, [, { schema }]] of Object.entries(similarFields)) {
    if (name === 'exclude') fields[name] = parameters.get(name)?.flatMap((text) => text.split(','));
    else if (name === 'filter') fields[name] = jsonValue(parameters, name);
    else fields[name] = parsedText(onlyValue(parameters, name), schema);
  }
  return fields;
}
