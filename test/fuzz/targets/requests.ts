/** What the calls of the API take: fields, bodies, query strings, and keys, mostly nearly right. */
import fc from 'fast-check';
import { resultExtras } from '../../../src/search/result-extras.ts';
import { paperTypes } from '../../../src/types.ts';
import { strangeText, usually } from './strange-text.ts';

const IDS = [
  ...['sample:psychology-sleep-and-forgetting', 'sample:astronomy-cosmic-microwave-background'],
  ...['10.5555/none', 'arXiv:2401.00001', 'PMC1', '7', 'W1', 'a,b'],
];

/** Ids of the sample, and of nothing. */
export const paperId = usually(
  8,
  fc.constantFrom(...IDS),
  fc.oneof(strangeText, fc.constantFrom('', ' ')),
);

/**
 * The first in most cases; in the others what is near it, or anything else. Requests have many
 * fields, so that each must be right nearly always if whole requests are to be right often.
 */
function mostly<Right, Near>(
  right: fc.Arbitrary<Right>,
  near: fc.Arbitrary<Near> | undefined = undefined,
): fc.Arbitrary<unknown> {
  return fc.oneof(
    { weight: 60, arbitrary: right },
    { weight: near === undefined ? 0 : 2, arbitrary: near ?? right },
    { weight: 1, arbitrary: fc.jsonValue() },
  );
}

/** Records that may lack all but the required keys. */
function partly(
  requiredKeys: string[],
  fields: Record<string, fc.Arbitrary<unknown>>,
): fc.Arbitrary<Record<string, unknown>> {
  return fc.record(fields, { requiredKeys, noNullPrototype: true });
}

const name = strangeText.map((text) => `a ${text}`);
const years = fc
  .tuple(fc.integer({ min: 2020, max: 2030 }), fc.nat(10))
  .map(([from, more]) => ({ from, to: from + more }));
const oddYears = partly([], { from: fc.integer(), to: fc.double() });
const oneOrMore = (each: fc.Arbitrary<string>) =>
  mostly(fc.oneof(each, fc.array(each, { minLength: 1, maxLength: 4 })), fc.array(strangeText));

/** A filter with fields of any type; the names are mostly right. */
export const filter: fc.Arbitrary<unknown> = mostly(
  partly([], {
    year: mostly(years, oddYears),
    venue: oneOrMore(name),
    author: oneOrMore(fc.oneof(name, fc.constantFrom('0000-0002-1825-0097', 'Silva, Ana'))),
    doi_prefix: oneOrMore(fc.constantFrom('10.5555', '10.5555/a', '10.48550/arXiv.')),
    ids: mostly(fc.array(fc.constantFrom(...IDS), { minLength: 1 }), fc.array(paperId)),
    has_abstract: mostly(fc.boolean()),
    source: oneOrMore(fc.oneof(fc.constantFrom('verbatim', 'openalex', 'doi'), name)),
    type: oneOrMore(fc.constantFrom(...paperTypes)),
    open_access: mostly(fc.boolean()),
  }),
  fc.dictionary(strangeText, fc.jsonValue(), { maxKeys: 2 }),
);

const share = mostly(fc.double({ min: 0, max: 1, noNaN: true }), fc.double());

/** The fields of a search beyond its first contract. */
const optionFields = {
  include: mostly(
    fc.array(fc.constantFrom(...resultExtras)).map((all) => all.join(',')),
    strangeText,
  ),
  sentences: mostly(fc.integer({ min: 1, max: 5 }), fc.integer({ min: -1, max: 7 })),
  min_score: share,
  exclude: mostly(fc.array(paperId)),
  sort: mostly(fc.constantFrom('relevance', 'year'), strangeText),
  max_tokens: mostly(fc.integer({ min: 50, max: 900 }), fc.integer()),
  filter,
};

/** A search with fields of any type; the names are mostly right. */
export const searchFields: fc.Arbitrary<Record<string, unknown>> = partly(['query'], {
  query: mostly(name, strangeText),
  limit: mostly(fc.integer({ min: 1, max: 60 }), fc.oneof(fc.integer({ max: 0 }), fc.double())),
  fields: mostly(fc.constantFrom('abstract', 'abstract,', ' '), strangeText),
  lanes: mostly(fc.constantFrom('none', 'arxiv', 'web,arxiv'), fc.constantFrom('all', '')),
  ...optionFields,
  min_answer: share,
  other: fc.jsonValue(),
});

const oneQuestion = usually(8, searchFields, fc.jsonValue());

/** The body of a batch. */
export const batchFields: fc.Arbitrary<unknown> = mostly(
  partly(['questions'], {
    questions: mostly(fc.array(oneQuestion, { maxLength: 5 })),
    other: fc.jsonValue(),
  }).map(({ other, ...right }) => (other === null ? { ...right, other } : right)),
);

const referenceFields = partly([], {
  title: mostly(strangeText),
  authors: mostly(fc.array(strangeText)),
  year: mostly(fc.integer({ min: 0, max: 9999 }), fc.constantFrom('1999', '99', '')),
  venue: mostly(strangeText),
  doi: mostly(paperId),
  pmid: mostly(fc.oneof(fc.nat(), paperId), fc.double()),
});

/** Items of CSL-JSON may have fields of any type. */
const cslItem = partly(['type'], {
  type: fc.constantFrom('article-journal', 'book'),
  title: mostly(strangeText),
  author: mostly(fc.array(fc.record({ family: strangeText, given: strangeText }))),
  issued: mostly(fc.record({ 'date-parts': fc.jsonValue() })),
  DOI: mostly(paperId),
});

const printed = fc.oneof(
  strangeText,
  strangeText.map((text) => `@article{a, title={${text}}, year={2026}}`),
  strangeText.map((text) => `TY  - JOUR\nTI  - ${text}\nPY  - 2026\nER  - \n`),
  strangeText.map((text) => `Berg A. ${text}. Journal of Shores, 2021. doi:10.5555/x`),
);

const quoteItem = partly(['quote'], {
  quote: mostly(name, strangeText),
  id: mostly(fc.constantFrom(...IDS), paperId),
});
const referenceItem = fc.record({ reference: mostly(fc.oneof(printed, referenceFields, cslItem)) });

/** The body of a verification. */
export const verifyFields: fc.Arbitrary<unknown> = mostly(
  fc.record({
    items: mostly(
      fc.array(mostly(fc.oneof(quoteItem, referenceItem)), { minLength: 1, maxLength: 6 }),
      fc.constant([]),
    ),
  }),
  fc.dictionary(strangeText, fc.jsonValue(), { maxKeys: 2 }),
);

function queryOf(parameters: Record<string, unknown>): string {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(parameters)) {
    const text = typeof value === 'string' ? value : JSON.stringify(value);
    query.append(name, text.toWellFormed());
  }
  return query.toString();
}

/** The query string of `/v1/similar`. */
export const similarQuery: fc.Arbitrary<string> = partly(['id'], {
  id: paperId,
  limit: mostly(fc.integer({ min: 1, max: 60 }), strangeText),
  ...optionFields,
  exclude: mostly(paperId),
}).map(queryOf);

/** The query string of `/v1/paper`. */
export const paperQuery: fc.Arbitrary<string> = fc
  .array(paperId, { maxLength: 12 })
  .map((ids) => ids.map((id) => queryOf({ id })).join('&'));
