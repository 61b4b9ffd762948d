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
      '1 to 2048 characters (Unicode code points); only white space is empty. Plain words: quotes, operators and the like are text',
    ],
    ['`limit`', 'integer', 'results at most; default 10, above 50 it is 50, below 1 is an error'],
    [
      '`fields`',
      'string',
      'comma-separated; the only one is `abstract`, which adds `ab` to each result',
    ],
  ],
};

export const answerFields: DocsTable = {
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
  heads: ['status', 'message', 'when'],
  rows: [
    ['400', 'empty query', '`query` is empty or white space'],
    ['400', 'query too long', 'more than 2048 characters'],
    ['400', 'limit must be >= 1', '0 or negative'],
    [
      '400',
      '(says what was expected)',
      'malformed JSON, a wrong type, an unknown name in `fields`',
    ],
    ['401', 'invalid or revoked api key', 'missing, malformed, unknown or revoked'],
    ['402', 'insufficient credit balance — top up to continue', 'with `X-Credit-Balance`'],
    [
      '402',
      'monthly credit cap of this key reached',
      "the key's own cap; `X-Credit-Balance` tells that there is credit",
    ],
    ['404', 'not found', 'no such path'],
    ['405', 'method not allowed', 'with `Allow`'],
    ['408', 'request body not received in time', ''],
    ['413', '(says the limit)', 'a body over 64 KiB'],
    [
      '415',
      'Expected request with Content-Type: application/json',
      '(with backticks around the header)',
    ],
    ['429', 'rate limit exceeded', 'rate, or searches in flight, of the key; with `Retry-After`'],
    ['500', 'internal error', 'the credit is back: `X-Credit-Balance` shows it'],
    ['503', 'server at capacity, retry shortly', 'with `Retry-After`'],
    ['504', 'search timed out', 'the credit is back: `X-Credit-Balance` shows it'],
  ],
};

export const answerHeaders: DocsTable = {
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
    ['`Retry-After`', '429, 503', 'seconds to wait'],
    [
      '`X-Lanes`',
      'searches with the header `X-Lanes: 1`',
      'what the [lanes](#when-lanes-are-asked) did',
    ],
  ],
};

/** What the limits are told of: the server's settings. */
export interface LimitSettings {
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
      ['request body', `${settings.bodyBytesMax / 1024} KiB`, '413'],
      ['requests of a key', `${settings.requestsPerMinute} a minute`, '429'],
      ['searches of a key in flight', `${settings.inFlightPerKeyMax}`, '429'],
      ['searches in flight in all', `${settings.inFlightMax}`, '503'],
      ['time of a search', `${settings.requestTimeoutMs / 1000} s`, '504, and the credit back'],
      ['cost', '1 credit a search', '402; `GET /v1/usage` is free'],
    ],
  };
}
