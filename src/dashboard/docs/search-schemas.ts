/** The schemas of a search, with the descriptions of its tables. */

import { type Schema, share, yesOrNo } from '../../http/field-kinds.ts';
import { filterFields as fieldsOfFilter } from '../../http/filter-fields.ts';
import { searchFields } from '../../http/search-fields.ts';
import { BATCH_QUESTIONS_MAX } from '../../http/validate-batch.ts';
import { schemes } from '../../identity/identifiers.ts';
import { paperTypes } from '../../types.ts';
import {
  bodyOf,
  describedBy,
  describedObject,
  listOf,
  objectOf,
  oneOf,
  ref,
  text,
  wholeNumber,
} from './schema.ts';
import { tableOf } from './table.ts';
import { filterFields, outcomeFields, requestFields, responseFields } from './tables.ts';

const place: Readonly<Record<string, Schema>> = { start: wholeNumber, end: wholeNumber };

const resultFields: Readonly<Record<string, Schema>> = {
  d: text,
  t: text,
  y: wholeNumber,
  a: listOf(text),
  s: share.schema,
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
  open_access: yesOrNo.schema,
  citation_count: wholeNumber,
  retraction: ref('Notice'),
  answers: share.schema,
};

const outcomeProperties: Readonly<Record<string, Schema>> = {
  status: { type: 'integer', minimum: 200, maximum: 599 },
  request_id: text,
  answer: ref('Answer'),
  index_version: text,
  rerank: text,
  question_language: text,
  lanes: text,
  code: text,
  error: text,
  retry_after: wholeNumber,
};

export const searchSchemas: Readonly<Record<string, Schema>> = {
  SearchRequest: describedObject(searchFields, requestFields),
  Filter: describedObject(fieldsOfFilter, filterFields),
  BatchRequest: bodyOf('questions', 'SearchRequest', BATCH_QUESTIONS_MAX),
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
      c: share.schema,
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
  return tableOf('Results', ['field', 'meaning'], { results: 'the results, the best first' });
}
