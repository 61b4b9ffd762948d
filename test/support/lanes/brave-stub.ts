/** A stub of Brave's search API. */
import { jsonResponse, type StubAnswer } from './stub-server.ts';

export const result = {
  title: 'On <strong>sleep</strong>',
  url: 'https://ex.org/p',
  page_age: '2023-05-01T00:00:00',
  description: 'A nap &amp; a <strong>sleep</strong> help. And then it was …',
  extra_snippets: ['... of the night. Memory gains from it.', 'A nap &amp; a sleep help. Also'],
  age: 'May 1, 2023',
  meta_url: { hostname: 'ex.org' },
};

export function pages(
  results: readonly unknown[],
  headers: Record<string, string> = {},
): StubAnswer {
  return jsonResponse({ type: 'search', query: { original: 'q' }, web: { results } }, { headers });
}

export function errorResponse(
  status: number,
  code: string,
  headers: Record<string, string> = {},
): StubAnswer {
  const error = { id: 'x', code, status, detail: 'no', meta: { component: 'authentication' } };
  return jsonResponse({ type: 'ErrorResponse', error, time: 1 }, { status, headers });
}

function errorsAnswer(status: number, code: string): StubAnswer {
  return jsonResponse({ type: 'ErrorResponse', errors: [{ code, status }] }, { status });
}

/** Responses of Brave, with the expected outcome and ids. */
export const braveCases: readonly [string, StubAnswer, outcome: string, ids: string[]][] = [
  ['pages', pages([result]), 'answered', ['https://ex.org/p']],
  ['no `web`', jsonResponse({ type: 'search', query: { original: 'q' } }), 'answered', []],
  ['no pages', pages([]), 'answered', []],
  ['pages of a wrong kind', pages([null, 1, { url: 2 }]), 'answered', []],
  [
    'a page without a text',
    pages([{ url: 'https://ex.org/t', title: 'T' }]),
    'answered',
    ['https://ex.org/t'],
  ],
  ['a rejected key', errorResponse(422, 'SUBSCRIPTION_TOKEN_INVALID'), 'failed: refused', []],
  [
    'a rejected key, as documented',
    errorsAnswer(422, 'SUBSCRIPTION_TOKEN_INVALID'),
    'failed: refused',
    [],
  ],
  ['no subscription', errorResponse(404, 'SUBSCRIPTION_NOT_FOUND'), 'failed: refused', []],
  ['a refused parameter', errorResponse(422, 'VALIDATION'), 'failed: bad_query', []],
  ['the month used up', errorResponse(429, 'QUOTA_LIMITED'), 'failed: rate_limited', []],
  [
    'the month used up, as documented',
    errorsAnswer(429, 'QUOTA_LIMITED'),
    'failed: rate_limited',
    [],
  ],
  ['429 that is no JSON', { status: 429, body: 'slow down' }, 'failed: rate_limited', []],
];
