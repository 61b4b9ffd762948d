/** The tables of the HTTP API: the source of the page /docs and of src/http/API.md. */
import { type ErrorCode, type ErrorKind, errorTable } from '../../errors.ts';
import { filterFields as fieldsOfFilter } from '../../http/filter-fields.ts';
import { searchFields } from '../../http/search-fields.ts';
import { type DocsTable, fieldTableOf, tableOf } from './table.ts';

export const requestFields = fieldTableOf('Fields of the request body', 'rules', searchFields, {
  query:
    '1 to 2048 characters (Unicode code points). White space and invisible characters alone count as empty. Plain words: quotes and operators have no special meaning',
  limit:
    'the maximum number of results, 1 to 50. The default is 10. 0 is an error; any other integer counts as the nearest of these',
  fields: 'comma-separated names. The only one is `abstract`, which adds `ab` to each result',
  lanes:
    'the [fallback lanes](../lanes/README.md) that may receive the question: `none`, or a comma-separated list of `arxiv`, `semantic_scholar` and `web`. A lane must be allowed by the request, the key and the account. The default is all',
  include:
    'comma-separated names of what each result has in addition: `offsets`, `url`, `citation`, `venue`, `authors`, `identifiers`, `type`, `open_access`, `citation_count`, `retraction`, `answers`',
  sentences: '1 to 5: adds the best sentences of each paper as `sentences`',
  min_score: '0 to 1: leaves out results whose `s` is lower',
  min_answer:
    '0 to 1: leaves out results whose `answers` would be lower or absent. If none is left, the search still costs a credit',
  exclude:
    'up to 200 ids of papers that are left out before the search, so that others take their places. A DOI, an arXiv id and so on count in any spelling; unknown ids do nothing',
  sort: '`relevance` (the default), or the same results with the latest first, `year`, or the most cited, `citations`, which adds `citation_count`',
  max_tokens:
    'at least 50: the most tokens of the body, estimated as in `X-Token-Budget`. The least relevant results are left out whole and counted in `dropped`. If none fits, the answer is free',
  rerank:
    'whether the first results are put into the order of the server’s reranker: see `X-Rerank`. The default is as the server is set. Without a reranker it does nothing',
  filter:
    'an object that limits the search to some papers: see [filters](#filters). Without fields it allows all',
});

export const filterFields = fieldTableOf('Fields of a filter', 'matches', fieldsOfFilter, {
  year: '`from`, `to` or both, inclusive. Papers without a year do not match',
  venue:
    'up to 50 names of journals or conferences, compared with the whole name by letters and digits, regardless of case',
  author:
    'up to 50 names of authors, or ORCIDs. A name is compared with the whole name in each record of the paper, regardless of case, diacritics, and the order of its parts: `Silva, Ana` is `Ana Silva`, but not `A. Silva`. ORCIDs match papers of which a record has them',
  doi_prefix:
    'up to 50 beginnings of DOIs, such as `10.1371` (all DOIs of a registrant) or `10.1371/journal.pone`, compared with `d`. Papers whose `d` is no DOI do not match',
  ids: 'up to 200 ids in any spelling; unknown ids match nothing',
  has_abstract: 'papers with an abstract, or those without',
  source:
    'up to 50 names of sources that have a record of the paper: `openalex`, `arxiv`, `semantic_scholar`, `s2orc`, `doi` (Crossref and DataCite), `pubmed`, `pmc`, `acl`, `europepmc`, `oai_dc`, `dblp`, `doaj`, `eric`, `verbatim`, or the name of a table or bibliography',
  type: '`article`, `review`, `preprint`, `conference-paper`, `book`, `chapter`, `dissertation`, `report`, `dataset`, `editorial`, `letter`, `erratum`, `retraction`, `other`. Papers of unknown type do not match',
  open_access: 'papers that are known to be open access, or known not to be',
  min_citations:
    'the least `citation_count`. Papers of which no source tells how often they are cited do not match',
  cites:
    'up to 200 ids in any spelling: papers that cite one of these works. The index need not have the works',
  cited_by:
    'up to 200 ids in any spelling: papers that one of these papers cites. The index must have both',
});

export const responseFields = tableOf('Fields of the response', ['field', 'meaning'], {
  n: 'number of results',
  dropped: 'with `max_tokens`: the number of results that it left out',
  c: 'corpus confidence: the cosine of the best local semantic match, 0 to 1. A low value means that the index has nothing close; the lanes, if enabled, were then asked',
  d: "DOI in lower case, or the source's id",
  't, y, a': 'title, year (0 if unknown), the first three authors',
  s: 'score, 0 to 1, comparable within one response. Results are sorted by it, unless the request has a `sort`',
  q: 'the sentence, word for word as in the source. A paper without an abstract is quoted by its title',
  ab: 'the abstract, if requested',
  src: 'the origin. `corpus` is the local index; `arxiv`, `semantic_scholar` and `web` are [fallback lanes](../lanes/README.md)',
  sentences:
    'if requested: objects with `q`, `start` and `end`, the best sentence first, which is `q`',
  'start, end':
    'with `offsets`: the place of `q` in the abstract, in Unicode code points, the end exclusive. Absent if the quote is a title or, from a lane, not from the abstract',
  url: 'the address of the paper: doi.org and the like. Absent if its id has none',
  citation: 'the paper as one line of a list of references',
  'venue, authors, identifiers':
    'journal or conference, all authors, and an object with the known ones of `doi`, `arxiv`, `pmid`, `pmcid`, `acl`, `openalex`, `s2`. Empty if unknown',
  'type, open_access, citation_count':
    'what the records of a paper say: `open_access` with, if known, the address `open_access_url`; the highest count of works that cite it. Absent if no record tells it',
  retraction:
    'the retraction, withdrawal, or expression of concern that holds: `kind`, `date`, and `id` of the notice; `date` and `id` are empty if unknown. Absent if there is none. Retracted and withdrawn papers are left out of the results, unless the operator includes them',
  answers:
    "with `answers`: the probability that `q` answers the question, 0 to 1. Absent if the paper has no sentences, or if the server's model gives no probabilities",
});

export const outcomeFields = tableOf('Fields of an outcome of a batch', ['field', 'meaning'], {
  status: 'what the status of a single search would have been: 200, or that of an error',
  request_id: 'the id to name when you ask for a refund of this question',
  answer: 'with 200: the body of a single search',
  'index_version, rerank, question_language, lanes':
    'with 200: what the headers of a single search have',
  'code, error': 'otherwise: the code and the message of the table of errors',
  retry_after: 'with 429 and 503: seconds to wait',
});

/** When each error comes. */
const whenErrors: Readonly<Partial<Record<ErrorCode, string>>> = {
  empty_query: '`query` has no visible character',
  query_too_long: 'more than 2048 characters',
  limit_too_small: '`limit` is 0',
  bad_request:
    'malformed JSON, a wrong type or value, an unknown field, parameter, or name in `fields`, `lanes`, `include` or `filter`; with the nearest known one',
  ambiguous_request:
    'several lengths, keys, or idempotency keys, or an empty one; the connection closes',
  invalid_key: 'missing, malformed, unknown or revoked key; with `WWW-Authenticate`',
  insufficient_credit: 'with `X-Credit-Balance`',
  key_cap_reached: "the key's own cap; `X-Credit-Balance` shows that there is credit",
  not_found: 'unknown path',
  unknown_paper: 'a look-up that finds nothing; it costs nothing',
  cursor_over:
    'the `cursor` of `/v1/changes` belongs to another index, or to a state that the index no longer has: drop what you kept of it',
  method_not_allowed: 'with `Allow`',
  not_acceptable: '`Accept` of `/v1/paper` allows none of its formats',
  body_timeout: '',
  idempotency_in_flight: 'the first request has no answer yet; with `Retry-After`',
  body_too_large: 'a body over 64 KiB; a batch over 512 KiB',
  media_type: '(the message has backticks around the header)',
  content_encoding: 'a compressed body: any `Content-Encoding` except `identity`',
  idempotency_key_reused: 'another body or path, byte for byte',
  rate_limited: 'too many requests per minute for the key; with `Retry-After`',
  too_many_in_flight: 'too many searches in flight for the key; with `Retry-After`',
  too_many_answers:
    'a new `Idempotency-Key` beyond the limits of stored answers; with `Retry-After`',
  internal: 'nothing is charged; `X-Credit-Balance` shows it',
  at_capacity:
    'too many searches in flight in total, or the service is stopping; with `Retry-After`',
  degraded:
    'the server cannot write to its database, or the thread of the search died; nothing is charged; with `Retry-After`',
  no_documents: 'the index is empty, and no lane may receive the question; with `Retry-After`',
  not_serving: '`/health` while the service starts or stops; with `Retry-After`',
  search_timeout: 'the credit is returned; `X-Credit-Balance` shows it',
};

/** What a message says that whoever throws the error writes. */
const messages: Readonly<Record<string, string>> = {
  bad_request: '(says what was expected)',
  ambiguous_request: '(names the header)',
  not_acceptable: '(names the formats)',
  body_too_large: '(states the limit)',
  content_encoding: '(names the encoding)',
  not_serving: '(JSON with the status)',
};

/** Errors that the library of the connections sends. */
const ofConnections = [
  ['400', '`malformed_http`', 'malformed HTTP request', 'the connection closes'],
  ['431', '`headers_too_large`', 'the headers are too large', 'the connection closes'],
  [
    ...['505', '`http_version`', 'expected HTTP/1.1 and a path that starts with /'],
    'see [Connections](#connections)',
  ],
];

export const errors: DocsTable = {
  caption: 'Errors',
  heads: ['status', 'code', 'message', 'when'],
  rows: [...Object.entries(whenErrors).map(rowOfError), ...ofConnections].sort(
    ([a], [b]) => Number(a) - Number(b),
  ),
};

function rowOfError([code, when]: [string, string]): string[] {
  const { status, message }: ErrorKind = errorTable[code as ErrorCode];
  const sent = message?.replaceAll('`', '') ?? messages[code] ?? '';
  return [`${status}`, `\`${code}\``, sent, when];
}

export const responseHeaders = tableOf('Headers of the response', ['header', 'on', 'meaning'], {
  'X-Request-Id': ['every response', 'the id to name when you ask for a refund'],
  'X-Credit-Balance': [
    'paid calls, 402, 500, 504, and 503 of a call that had begun',
    'the credits left after this call; a debt counts as 0',
  ],
  'X-Token-Budget': [
    'searches, similar papers',
    'the estimated tokens of the body: characters / 4',
  ],
  'RateLimit-Limit': ['every authenticated response', "the key's requests per minute"],
  'RateLimit-Remaining': ['every authenticated response', 'requests allowed immediately'],
  'RateLimit-Reset': ['every authenticated response', 'seconds until one more request is allowed'],
  'RateLimit-Policy, RateLimit': [
    'every authenticated response',
    'the same as structured fields of the IETF draft `ratelimit-headers-11`: `"default";q=120;w=60` and `"default";r=119;t=1`',
  ],
  'X-Index-Version': [
    'searches, look-ups, `/health`',
    'the state of the index. While it stays the same, the index gives the same answer to the same request',
  ],
  'X-Rerank': [
    'searches that the server reranks, unless lanes have added papers',
    'how many of the first results are in the order of the reranker, `busy` if other searches waited, or `late` if it took too long: then the order is that without it',
  ],
  'X-Question-Language': [
    'searches whose question is in a language that the model of the index does not read',
    'that language, or `und`, and the languages of the model: `de; model=en`. Then mostly words find papers, not meaning: ask in a language of the model',
  ],
  'X-Unknown-Ids': [
    '`/v1/paper`',
    'the ids that no paper has, percent-encoded and separated by commas',
  ],
  'X-Error-Code': ['every error', 'the code in the table of [errors](#errors)'],
  'Retry-After': [
    '409, 429, 503',
    'seconds to wait: exact for the rate of a key, an estimate for searches in flight',
  ],
  'WWW-Authenticate': [
    '401',
    '`Bearer`, with `error="invalid_token"` if the client sent a token; at `/mcp` with OAuth also `resource_metadata`',
  ],
  'Content-Encoding': [
    'responses above 1 KiB, with `Accept-Encoding`',
    '`br` or `gzip`, whichever the client prefers',
  ],
  'Cache-Control': ['every response', '`no-store`'],
  'Idempotency-Replayed, X-Original-Request-Id': [
    'repeats of a request with an `Idempotency-Key`',
    '`true`, and the id of the request that was answered and charged',
  ],
  'X-Lanes': [
    'searches without a close match in the index, if lanes are enabled; all searches with the request header `X-Lanes: 1`',
    'what the [lanes](../lanes/README.md) did. Its first word is `close`, `served`, `nothing` (asked, and they have no paper), `late`, `failed`, `throttled` (not asked, because of the pace of the providers), `no_time` (not asked, because too little time was left), `no_words`, `not_scored`, `busy`, `not_allowed`, `not_filtered`, or `off`',
  ],
});

export const connections: DocsTable = {
  caption: 'Connections',
  heads: ['on the wire', 'what happens'],
  rows: [
    [
      'HTTP version',
      'HTTP/1.1 only. HTTP/1.0 and HTTP/2 get 505. With a certificate, TLS 1.2 and 1.3 only',
    ],
    ['target', 'a path that starts with `/`. An absolute address and `OPTIONS *` get 505'],
    ['two lengths, or a length with chunks', '400, and the connection closes'],
    ['`Transfer-Encoding`', '`chunked`, without trailers or chunk extensions'],
    [
      'a second request before the response to a search',
      'the connection closes; neither request is answered or charged',
    ],
    [
      'no whole request, or a body that stalls',
      'the connection closes after some 10 s, or before that if the server runs out of connections',
    ],
    [
      'closing the sending half before the response to a search',
      'counts as a disconnect: the search is not answered and not charged',
    ],
  ],
};

/** The settings that the limits show. */
export interface LimitSettings {
  headBytesMax: number;
  bodyBytesMax: number;
  requestsPerMinute: number;
  inFlightPerKeyMax: number;
  inFlightMax: number;
  requestTimeoutMs: number;
  batchBodyBytesMax: number;
  batchTimeoutMs: number;
  idempotencyKeyCharactersMax: number;
  answersPerCustomerMax: number;
  answerBytesPerCustomerMax: number;
  verifyLookUpCredits: number;
  verifyLookUpsMax: number;
  verifyLookUpMsMax: number;
}

export function limits(settings: LimitSettings): DocsTable {
  return {
    caption: 'Limits',
    heads: ['limit', 'value', 'beyond it'],
    rows: [
      ['query length', '2048 characters', '400'],
      ['results of a search', '50', 'counts as 50'],
      ['changes of a call', '1,000', '400'],
      ['headers', `${settings.headBytesMax / 1024} KiB in total, and about 90 lines`, '431'],
      ['request body', `${settings.bodyBytesMax / 1024} KiB`, '413'],
      ['requests of a key', `${settings.requestsPerMinute} per minute`, '429'],
      ['searches in flight of a key', `${settings.inFlightPerKeyMax}`, '429'],
      ['searches in flight in total', `${settings.inFlightMax}`, '503'],
      [
        'duration of a search',
        `${settings.requestTimeoutMs / 1000} s`,
        '504; the credit is returned',
      ],
      ['questions of a batch', '32', '400'],
      ['body of a batch', `${settings.batchBodyBytesMax / 1024} KiB`, '413'],
      [
        'time in which a batch begins searches',
        `${settings.batchTimeoutMs / 1000} s`,
        'the questions left have the outcome 504',
      ],
      ['`Idempotency-Key`', `${settings.idempotencyKeyCharactersMax} characters`, '400'],
      [
        'stored answers of a customer',
        `${settings.answersPerCustomerMax}, and ${settings.answerBytesPerCustomerMax / 1024 ** 2} MiB`,
        '429 for a new key',
      ],
      ['cost', '1 credit per paid call', '402; `GET /v1/changes` and `GET /v1/usage` are free'],
    ],
  };
}
