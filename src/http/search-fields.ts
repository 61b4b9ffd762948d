/** The fields of a search, in the order of the documentation. Pure. */
import { VerbatimError } from '../errors.ts';
import { isBlank } from '../search/blank-query.ts';
import { resultExtras } from '../search/result-extras.ts';
import { clampLimit } from '../search/result-limit.ts';
import { LANE_CHOICE_ADVICE, laneNames, parseLaneChoice } from '../settings/lane-choice.ts';
import { codePoints } from '../text/code-points.ts';
import type { SearchRequest } from '../types.ts';
import { badRequest, typeName, wrongType } from './field-errors.ts';
import {
  commaNames,
  type FieldKind,
  integer,
  type RequestFields,
  share,
  yesOrNo,
} from './field-kinds.ts';
import { filterKind, idLimits } from './filter-fields.ts';

const QUERY_CODE_POINTS_MAX = 2048;

const LIMIT_DEFAULT = 10;

const question: FieldKind<string> = {
  isRequired: true,
  schema: { type: 'string', pattern: '\\S', maxLength: QUERY_CODE_POINTS_MAX },
  parse(value, name) {
    if (typeof value !== 'string') throw wrongType(name, 'a string', value);
    if (isBlank(value)) throw new VerbatimError('empty_query');
    // The tokenizer and SQLite need well-formed text, without lone surrogates.
    const query = value.toWellFormed();
    if (codePoints(query) > QUERY_CODE_POINTS_MAX) throw new VerbatimError('query_too_long');
    return query;
  },
};

/** Any other integer than 0 counts as the nearest one from 1 to 50. */
const limit: FieldKind<number> = {
  schema: { type: 'integer', not: { const: 0 }, default: LIMIT_DEFAULT },
  absent: LIMIT_DEFAULT,
  parse(value, name) {
    if (typeof value !== 'number' || !Number.isInteger(value)) {
      throw wrongType(name, 'an integer', value);
    }
    if (value === 0) throw new VerbatimError('limit_too_small');
    return clampLimit(value);
  },
};

const abstractNames = commaNames(
  ['abstract'],
  (unknown) => `unknown field "${unknown}", the only one is "abstract"`,
);

const abstract: FieldKind<boolean> = {
  ...abstractNames,
  absent: false,
  parse: (value, name) => abstractNames.parse(value, name).length > 0,
};

const extras = commaNames(
  resultExtras,
  (unknown) => `unknown name "${unknown}", expected ${resultExtras.join(', ')}`,
);

const lane = `(${laneNames.join('|')})`;

/** The tokens that an answer may take. Nothing fits into fewer. */
export const tokenBudget = integer(50);

/** An unclear choice is an error: guessing could send out what was meant to stay. */
export const laneChoice: FieldKind<string> = {
  schema: { type: 'string', pattern: `^ *(none|${lane}( *, *${lane})*) *$` },
  parse(value, name) {
    if (typeof value !== 'string') throw wrongType(name, `a string, ${LANE_CHOICE_ADVICE}`, value);
    const choice = parseLaneChoice(value);
    if (choice === undefined) throw badRequest(`${name}: expected ${LANE_CHOICE_ADVICE}`);
    return choice;
  },
};

/** Unlike the ids of a filter, there may be none, and blank ones do nothing. */
const excluded: FieldKind<string[]> = {
  schema: {
    type: 'array',
    items: { type: 'string', maxLength: idLimits.charactersMax },
    maxItems: idLimits.most,
  },
  parse(value, name) {
    const { most, charactersMax } = idLimits;
    if (!Array.isArray(value)) throw wrongType(name, 'an array of ids', value);
    if (value.length > most) {
      throw badRequest(`${name}: expected at most ${most} ids, got ${value.length}`);
    }
    return value.map((id: unknown, at) => {
      if (typeof id !== 'string') throw wrongType(`${name}[${at}]`, 'an id as a string', id);
      if (id.length > charactersMax) {
        throw badRequest(`${name}[${at}]: expected at most ${charactersMax} characters`);
      }
      return id.toWellFormed();
    });
  },
};

const order: FieldKind<SearchRequest['sort'] | undefined> = {
  schema: { type: 'string', enum: ['relevance', 'year', 'citations'] },
  parse(value, name) {
    if (value === 'year' || value === 'citations') return value;
    if (value === 'relevance') return undefined;
    const got = typeof value === 'string' ? `"${value.slice(0, 64)}"` : typeName(value);
    throw badRequest(`${name}: expected "relevance", "year" or "citations", got ${got}`);
  },
};

export const searchFields: RequestFields<SearchRequest> = {
  query: ['query', question],
  limit: ['limit', limit],
  fields: ['withAbstract', abstract],
  lanes: ['lanes', laneChoice],
  include: ['include', extras],
  sentences: ['sentences', integer(1, 5)],
  min_score: ['minScore', share],
  min_answer: ['minAnswer', share],
  exclude: ['exclude', excluded],
  sort: ['sort', order],
  rerank: ['rerank', yesOrNo],
  // An answer without results has a dozen tokens.
  max_tokens: ['tokensMax', tokenBudget],
  filter: ['filter', filterKind],
};

/** The names of the fields that `/v1/similar` takes as parameters, too: it has no question. */
export const similarNames = [
  ...['limit', 'sentences', 'min_score', 'max_tokens', 'fields', 'include', 'sort'],
  ...['exclude', 'filter'],
];

export const similarFields: RequestFields<SearchRequest> = Object.fromEntries(
  Object.entries(searchFields).filter(([name]) => similarNames.includes(name)),
);

/** Adds to a request with a `sort` what its results are sorted by. */
export function withSortedField<Request extends Pick<SearchRequest, 'sort' | 'include'>>(
  request: Request,
): Request {
  if (request.sort !== 'citations') return request;
  return { ...request, include: [...new Set([...(request.include ?? []), 'citation_count'])] };
}
