/** The schemas of verification, papers, usage, and health. */
import { type Schema, share, yesOrNo } from '../../http/field-kinds.ts';
import { verifyFields } from '../../http/validate-verify.ts';
import { schemes } from '../../identity/identifiers.ts';
import { laneNames } from '../../settings/lane-choice.ts';
import { paperTypes } from '../../types.ts';
import { changeKinds } from '../../verify/quotes/name-changes.ts';
import { assessments } from '../../verify/references/assess-references.ts';
import { changesAnswer, listFields, paperFields, verifyRequestFields } from './look-up-tables.ts';
import {
  describedBy,
  describedObject,
  listOf,
  objectOf,
  oneOf,
  ref,
  text,
  wholeNumber,
} from './schema.ts';

const citedValue: Schema = { type: ['string', 'integer', 'array'], items: text };

/** A reference or its correction: a text, or an object in the format of the request. */
const referenceValue: Schema = { type: ['string', 'object'] };

const work: Readonly<Record<string, Schema>> = { d: text, t: text };

const quoteResult = objectOf(
  {
    kind: { const: 'quote' },
    verdict: oneOf('exact', 'near', 'elsewhere', 'not_found', 'not_indexed', 'unreadable'),
    coverage: oneOf('title_and_abstract', 'title', 'none'),
    ...work,
    wording: text,
    in: oneOf('title', 'abstract'),
    share: share.schema,
    diff: listOf({
      type: 'array',
      prefixItems: [oneOf('=', '-', '+'), text],
      items: false,
    }),
    changes: listOf(objectOf({ kind: oneOf(...changeKinds), quoted: text, wording: text })),
    parts: listOf(objectOf({ text, isExact: { type: 'boolean' } })),
    reason: text,
  },
  ['d', 't', 'wording', 'in', 'share', 'diff', 'changes', 'parts', 'reason'],
);

const laneAnswer = oneOf('answered', 'no_answer', 'not_asked', 'not_allowed');

const referenceResult = objectOf(
  {
    kind: { const: 'reference' },
    verdict: oneOf(
      ...['match', 'match_unverified', 'match_with_errors', 'possible_match', 'conflict'],
      ...['not_found', 'unreadable'],
    ),
    format: oneOf('bibtex', 'ris', 'csl-json', 'json', 'text'),
    ...work,
    other: objectOf(work),
    fields: listOf(ref('FieldComparison')),
    corrected: referenceValue,
    notices: listOf(ref('Notice')),
    reason: text,
    assessment: oneOf(...assessments),
    start: wholeNumber,
    end: wholeNumber,
    src: oneOf(...laneNames),
    lanes: objectOf(Object.fromEntries(laneNames.map((lane) => [lane, laneAnswer])), laneNames),
  },
  [
    ...['format', 'd', 't', 'other', 'fields', 'corrected', 'notices', 'reason', 'assessment'],
    ...['start', 'end', 'src', 'lanes'],
  ],
);

const citedPaper: Readonly<Record<string, Schema>> = {
  d: text,
  t: text,
  y: wholeNumber,
  a: listOf(text),
  retraction: ref('Notice'),
  text,
  verdict: oneOf('match', 'match_unverified', 'match_with_errors'),
};

export const lookUpSchemas: Readonly<Record<string, Schema>> = {
  VerifyRequest: describedObject(verifyFields, verifyRequestFields),
  VerifyAnswer: objectOf({
    n: wholeNumber,
    items: listOf({ oneOf: [ref('QuoteResult'), ref('ReferenceResult')] }),
  }),
  QuoteResult: quoteResult,
  ReferenceResult: referenceResult,
  FieldComparison: objectOf(
    {
      field: oneOf('title', 'authors', 'year', 'venue', ...schemes),
      verdict: oneOf('same', 'different', 'unverified'),
      cited: citedValue,
      recorded: citedValue,
      problem: text,
    },
    ['recorded', 'problem'],
  ),
  Notice: objectOf({
    kind: oneOf(
      ...['retraction', 'withdrawal', 'expression_of_concern', 'correction', 'reinstatement'],
    ),
    date: text,
    id: text,
  }),
  Papers: objectOf(
    describedBy([paperFields], {
      n: wholeNumber,
      papers: listOf(ref('Paper')),
      unknown: listOf(text),
    }),
  ),
  Paper: objectOf(
    {
      open_access_url: text,
      ...describedBy([paperFields], {
        asked: text,
        d: text,
        t: text,
        y: wholeNumber,
        authors: listOf(text),
        venue: text,
        ab: text,
        identifiers: ref('Identifiers'),
        citation: text,
        url: text,
        notices: listOf(ref('Notice')),
        type: oneOf(...paperTypes),
        open_access: yesOrNo.schema,
        citation_count: wholeNumber,
        retraction: ref('Notice'),
      }),
      references: ref('CitationList'),
      cited_by: ref('CitationList'),
    },
    [
      ...['open_access_url', 'url', 'notices', 'type', 'open_access', 'citation_count'],
      ...['retraction', 'references', 'cited_by'],
    ],
  ),
  CitationList: objectOf(
    describedBy([listFields], {
      count: wholeNumber,
      indexed: wholeNumber,
      papers: listOf(objectOf(citedPaper, Object.keys(citedPaper))),
      cursor: text,
    }),
    ['papers', 'cursor'],
  ),
  Changes: objectOf(
    describedBy([changesAnswer], {
      changes: listOf(ref('Change')),
      cursor: text,
      more: yesOrNo.schema,
    }),
  ),
  Change: objectOf(
    describedBy([changesAnswer], {
      d: text,
      kind: oneOf('added', 'changed', 'withdrawn'),
      reason: oneOf('retracted', 'withdrawn', 'removed'),
      at: text,
      t: text,
      y: wholeNumber,
    }),
    ['reason', 't', 'y'],
  ),
  Usage: objectOf({
    period: { type: 'string', description: 'the month in UTC, as in 2026-11' },
    requests: wholeNumber,
    credits: wholeNumber,
    balance: wholeNumber,
  }),
  Health: objectOf(
    {
      status: oneOf('ok', 'starting', 'stopping', 'degraded'),
      version: text,
      documents: wholeNumber,
      sentences: wholeNumber,
      index_engine: oneOf('sqlite', 'postgresql'),
      model: text,
      uptime_s: wholeNumber,
      reason: text,
      damaged: listOf(objectOf({ part: text, reason: text, since: text })),
      lanes: listOf({ type: 'object' }),
    },
    [
      ...['version', 'documents', 'sentences', 'index_engine', 'model', 'uptime_s'],
      ...['reason', 'damaged', 'lanes'],
    ],
  ),
  Problem: objectOf(
    {
      type: text,
      title: text,
      status: { type: 'integer', minimum: 400, maximum: 599 },
      detail: text,
      instance: text,
      code: text,
      retry_after: wholeNumber,
    },
    ['retry_after'],
  ),
};
