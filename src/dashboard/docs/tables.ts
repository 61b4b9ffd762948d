/**
 * The tables of the HTTP API, the one source of the page /docs and of README, which must have them
 * word for word (test/docs.test.ts). What stands between backticks is code.
 */

export interface DocsTable {
  caption: string;
  heads: readonly string[];
  rows: readonly (readonly string[])[];
}

export const requestFields: DocsTable = {
  caption: 'Fields of a search’s body',
  heads: ['field of the body', 'type', 'rules'],
  rows: [
    [
      '`query`',
      'string, required',
      '1 to 2048 characters (Unicode code points); white space and invisible characters alone are empty. Plain words: quotes, operators and the like are text',
    ],
    ['`limit`', 'integer', 'results at most; default 10, above 50 it is 50, below 1 is an error'],
    [
      '`fields`',
      'string',
      'comma-separated; the only one is `abstract`, which adds `ab` to each result',
    ],
    [
      '`lanes`',
      'string',
      'the [lanes](#when-lanes-are-asked) that the question may go to: `none`, or some of `arxiv`, `semantic_scholar` and `web` with commas between them. The narrowest of this, the key and the account counts; by default all',
    ],
  ],
};

export const responseFields: DocsTable = {
  caption: 'Fields of an answer',
  heads: ['field', 'meaning'],
  rows: [
    ['`n`', 'number of results'],
    [
      '`c`',
      'corpus confidence: cosine of the best local semantic match, 0 to 1; low means that the index has nothing close, and lanes were asked where they are on',
    ],
    ['`d`', "DOI in lower case, or the source's id"],
    ['`t`, `y`, `a`', 'title, year (0 if unknown), the first three authors'],
    ['`s`', 'score, 0 to 1, comparable within one answer; results are sorted by it'],
    [
      '`q`',
      'the sentence, word for word as in the source; a paper without an abstract is quoted by its title',
    ],
    ['`ab`', 'the abstract, where it was asked for'],
    [
      '`src`',
      '`corpus`: the local index; `arxiv`, `semantic_scholar`, `web`: the [fallback lane](#fallback-lanes) that served it',
    ],
  ],
};

export const errors: DocsTable = {
  caption: 'Errors',
  heads: ['status', 'code', 'message', 'when'],
  rows: [
    ['400', '`empty_query`', 'empty query', '`query` has no visible character'],
    ['400', '`query_too_long`', 'query too long', 'more than 2048 characters'],
    ['400', '`limit_too_small`', 'limit must be >= 1', '0 or negative'],
    [
      ...['400', '`bad_request`', '(says what was expected)'],
      'malformed JSON, a wrong type, an unknown name in `fields` or `lanes`',
    ],
    [
      ...['400', '`ambiguous_request`', '(names the header)'],
      'several lengths or keys; the connection closes',
    ],
    ['400', '`malformed_http`', 'malformed HTTP request', 'the connection closes'],
    [
      ...['401', '`invalid_key`', 'invalid or revoked api key'],
      'missing, malformed, unknown or revoked; with `WWW-Authenticate`',
    ],
    [
      ...['402', '`insufficient_credit`', 'insufficient credit balance — top up to continue'],
      'with `X-Credit-Balance`',
    ],
    [
      ...['402', '`key_cap_reached`', 'monthly credit cap of this key reached'],
      "the key's own cap; `X-Credit-Balance` tells that there is credit",
    ],
    ['404', '`not_found`', 'not found', 'no such path'],
    ['405', '`method_not_allowed`', 'method not allowed', 'with `Allow`'],
    ['408', '`body_timeout`', 'request body not received in time', ''],
    ['413', '`body_too_large`', '(says the limit)', 'a body over 64 KiB'],
    [
      ...['415', '`media_type`', 'Expected request with Content-Type: application/json'],
      '(with backticks around the header)',
    ],
    [
      ...['415', '`content_encoding`', '(names the encoding)'],
      'a compressed body: any `Content-Encoding` but `identity`',
    ],
    [
      ...['429', '`rate_limited`', 'rate limit exceeded'],
      'too many requests of the key in a minute; with `Retry-After`',
    ],
    [
      ...['429', '`too_many_in_flight`', 'rate limit exceeded'],
      'too many searches of the key in flight; with `Retry-After`',
    ],
    ['431', '`headers_too_large`', 'the headers are too large', 'the connection closes'],
    ['500', '`internal`', 'internal error', 'nothing is charged: `X-Credit-Balance` shows it'],
    [
      ...['503', '`at_capacity`', 'server at capacity, retry shortly'],
      'too many searches in flight in all, or the service starts or stops; with `Retry-After`',
    ],
    [
      ...['503', '`degraded`', 'service degraded, retry shortly'],
      'the server cannot write to its database; nothing is charged; with `Retry-After`',
    ],
    [
      ...['503', '`no_documents`', 'no documents indexed yet'],
      'the index is empty, and the question may go to no lane; with `Retry-After`',
    ],
    [
      ...['503', '`not_serving`', '(JSON with the status)'],
      '`/health` while the service starts or stops; with `Retry-After`',
    ],
    [
      ...['504', '`search_timeout`', 'search timed out'],
      'the credit is back: `X-Credit-Balance` shows it',
    ],
    [
      ...['505', '`http_version`', 'expected HTTP/1.1 and a path that starts with /'],
      'see [Connections](#connections)',
    ],
  ],
};

export const responseHeaders: DocsTable = {
  caption: 'Headers of an answer',
  heads: ['header', 'on', 'meaning'],
  rows: [
    ['`X-Request-Id`', 'every answer', 'name it when you ask for a refund'],
    [
      '`X-Credit-Balance`',
      'searches, 402, 500, 504',
      'credits left after this call; 0 too where there is a debt',
    ],
    ['`X-Token-Budget`', 'searches', 'estimated tokens of the body: characters / 4'],
    ['`RateLimit-Limit`', 'every authenticated answer', 'requests a minute of the key'],
    ['`RateLimit-Remaining`', 'every authenticated answer', 'requests that may follow at once'],
    ['`RateLimit-Reset`', 'every authenticated answer', 'seconds until there is one more'],
    ['`X-Error-Code`', 'every error', 'its code in the table of [errors](#errors)'],
    [
      '`Retry-After`',
      '429, 503',
      'seconds to wait: exact for the rate of a key, an estimate for searches in flight',
    ],
    ['`WWW-Authenticate`', '401', '`Bearer`, with `error="invalid_token"` where a token was sent'],
    [
      '`Content-Encoding`',
      'answers above 1 KiB, with `Accept-Encoding`',
      '`br` or `gzip`, whichever the client prefers',
    ],
    ['`Cache-Control`', 'every answer', '`no-store`'],
    [
      '`X-Lanes`',
      'searches that the index has nothing close to, where lanes are on; all searches with the header `X-Lanes: 1`',
      'what the [lanes](#when-lanes-are-asked) did',
    ],
  ],
};

export const connections: DocsTable = {
  caption: 'Connections',
  heads: ['on the wire', 'what happens'],
  rows: [
    [
      'HTTP/1.1',
      'is what the server speaks; HTTP/1.0, HTTP/2 and TLS are for a proxy in front: 505',
    ],
    ['target', 'a path that starts with `/`; an absolute address and `OPTIONS *` are 505'],
    ['more than one length, or a length beside chunks', '400, and the connection closes'],
    ['`Transfer-Encoding`', '`chunked`, without trailers or extensions of chunks'],
    [
      'a second request before the answer to a search',
      'closes the connection: neither is answered, and neither is charged',
    ],
    [
      'closing the sending half before the answer to a search',
      'counts as leaving: the search is not answered and not charged',
    ],
  ],
};

/** What the limits are told of: the server's settings. */
export interface LimitSettings {
  headBytesMax: number;
  bodyBytesMax: number;
  requestsPerMinute: number;
  inFlightPerKeyMax: number;
  inFlightMax: number;
  requestTimeoutMs: number;
}

export function limits(settings: LimitSettings): DocsTable {
  return {
    caption: 'Limits',
    heads: ['limit', 'value', 'beyond it'],
    rows: [
      ['length of a query', '2048 characters', '400'],
      ['results of a search', '50', 'it is 50'],
      ['headers', `${settings.headBytesMax / 1024} KiB in all, and some 90 lines`, '431'],
      ['request body', `${settings.bodyBytesMax / 1024} KiB`, '413'],
      ['requests of a key', `${settings.requestsPerMinute} a minute`, '429'],
      ['searches of a key in flight', `${settings.inFlightPerKeyMax}`, '429'],
      ['searches in flight in all', `${settings.inFlightMax}`, '503'],
      ['time of a search', `${settings.requestTimeoutMs / 1000} s`, '504, and the credit back'],
      ['cost', '1 credit a search', '402; `GET /v1/usage` is free'],
    ],
  };
}
