/** The schemas of a search, with the descriptions of its tables. */
import { schemes } from '../../identity/identifiers.ts';
import { resultExtras } from '../../search/result-extras.ts';
import { laneNames } from '../../settings/lane-choice.ts';
import { paperTypes } from '../../types.ts';
import {
  closedObjectOf,
  describedBy,
  listOf,
  namesOf,
  objectOf,
  oneOf,
  ref,
  type Schema,
  share,
  someText,
  text,
  wholeNumber,
  yesOrNo,
} from './schema.ts';
import { filterFields, outcomeFields, requestFields, responseFields } from './tables.ts';

/** The fields of a search that `/v1/similar` takes as parameters, too. */
export const optionFields: Readonly<Record<string, Schema>> = {
  limit: { type: 'integer', not: { const: 0 }, default: 10 },
  fields: namesOf(['abstract']),
  include: namesOf(resultExtras),
  sentences: { type: 'integer', minimum: 1, maximum: 5 },
  min_score: share,
  exclude: { type: 'array', items: { type: 'string', maxLength: 2000 }, maxItems: 200 },
  sort: oneOf('relevance', 'year'),
  max_tokens: { type: 'integer', minimum: 50 },
};

const lane = `(${laneNames.join('|')})`;

const questionFields: Readonly<Record<string, Schema>> = {
  query: { ...someText, maxLength: 2048 },
  filter: ref('Filter'),
  min_answer: share,
  lanes: { type: 'string', pattern: `^ *(none|${lane}( *, *${lane})*) *$` },
};

const place: Readonly<Record<string, Schema>> = { start: wholeNumber, end: wholeNumber };

const resultFields: Readonly<Record<string, Schema>> = {
  d: text,
  t: text,
  y: wholeNumber,
  a: listOf(text),
  s: share,
  q: text,
  src: oneOf('corpus', 'arxiv', 'semantic_scholar', 'web'),
};

const extraFields: Readonly<Record<string, Schema>> = {
  ab: text,
  sentences: listOf(ref('Quote')),
  ...place,
  url: text,
  citation: text,
  venue: text,
  authors: listOf(text),
  identifiers: ref('Identifiers'),
  type: oneOf(...paperTypes),
  open_access: yesOrNo,
  citation_count: wholeNumber,
  retraction: ref('Notice'),
  answers: share,
};

const requestProperties = describedBy([requestFields], { ...questionFields, ...optionFields });

const year: Schema = { type: 'integer', minimum: 1, maximum: 9999 };

/** One name, or several. */
function oneOrMore(items: Schema, maxItems: number): Schema {
  return { anyOf: [items, { type: 'array', items, minItems: 1, maxItems }] };
}

const filterProperties = describedBy([filterFields], {
  year: { ...closedObjectOf({ from: year, to: year }, ['from', 'to']), minProperties: 1 },
  venue: oneOrMore({ ...someText, maxLength: 500 }, 50),
  ids: { type: 'array', items: { ...someText, maxLength: 2000 }, minItems: 1, maxItems: 200 },
  has_abstract: yesOrNo,
  source: oneOrMore({ ...someText, maxLength: 500 }, 50),
  type: oneOrMore(oneOf(...paperTypes), paperTypes.length),
  open_access: yesOrNo,
});

const outcomeProperties: Readonly<Record<string, Schema>> = {
  status: { type: 'integer', minimum: 200, maximum: 599 },
  request_id: text,
  answer: ref('Answer'),
  index_version: text,
  lanes: text,
  code: text,
  error: text,
  retry_after: wholeNumber,
};

export const searchSchemas: Readonly<Record<string, Schema>> = {
  SearchRequest: closedObjectOf(
    requestProperties,
    Object.keys(requestProperties).filter((name) => name !== 'query'),
  ),
  Filter: closedObjectOf(filterProperties, Object.keys(filterProperties)),
  BatchRequest: closedObjectOf({
    questions: { type: 'array', items: ref('SearchRequest'), minItems: 1, maxItems: 32 },
  }),
  BatchAnswer: objectOf({
    n: wholeNumber,
    credits: wholeNumber,
    outcomes: listOf(ref('Outcome')),
  }),
  Outcome: objectOf(
    describedBy([outcomeFields], outcomeProperties),
    Object.keys(outcomeProperties).filter((name) => !['status', 'request_id'].includes(name)),
  ),
  Answer: objectOf(
    describedBy([responseFields, resultsTable()], {
      n: wholeNumber,
      c: share,
      results: listOf(ref('Result')),
      dropped: wholeNumber,
    }),
    ['dropped'],
  ),
  Result: objectOf(
    {
      ...describedBy([responseFields], { ...resultFields, ...extraFields }),
      open_access_url: text,
    },
    [...Object.keys(extraFields), 'open_access_url'],
  ),
  Quote: objectOf(describedBy([responseFields], { q: text, ...place }), Object.keys(place)),
  Identifiers: objectOf(Object.fromEntries(schemes.map((scheme) => [scheme, text])), schemes),
};

/** The table of fields describes the results themselves. */
function resultsTable() {
  const rows = [['`results`', 'the results, the best first']];
  return { caption: 'Results', heads: ['field', 'meaning'], rows };
}
