/** A stub of a SearXNG instance. */
import { htmlPage, jsonResponse, type StubAnswer } from './stub-server.ts';

export const result = {
  url: 'https://ex.org/p',
  title: 'Sleep',
  engine: 'openalex',
  engines: ['openalex'],
  content: 'Sleep helps memory. The rest was cut …',
  score: 1.0,
  category: 'science',
  publishedDate: '2021-03-04T00:00:00',
  authors: ['A B'],
  doi: '10.1000/X',
  journal: 'J. Sleep',
};
const bare = { url: 'https://ex.org/q', title: 'Bare', content: null, publishedDate: null };

export function results(
  found: readonly unknown[],
  unresponsive: readonly unknown[] = [],
): StubAnswer {
  return jsonResponse({
    query: 'q',
    results: found,
    answers: [],
    corrections: [],
    infoboxes: [],
    suggestions: [],
    unresponsive_engines: unresponsive,
  });
}

const timeouts = [
  ['google', 'timeout'],
  ['bing', 'Suspended: access denied'],
];

/** Responses of the instance, with the expected outcome and ids. */
export const searxngCases: readonly [string, StubAnswer, outcome: string, ids: string[]][] = [
  ['results', results([result, bare]), 'answered', ['10.1000/x', 'https://ex.org/q']],
  ['results of some engines', results([bare], timeouts), 'answered', ['https://ex.org/q']],
  ['no results', results([]), 'answered', []],
  ['no results and no engine that answered', results([], timeouts), 'failed: engines_down', []],
  ['a result twice', results([result, result]), 'answered', ['10.1000/x']],
  [
    'addresses that name a DOI or an arXiv id',
    results([
      { ...bare, url: 'https://doi.org/10.1000/ABC' },
      { ...bare, url: 'https://arxiv.org/abs/2401.00001v2' },
    ]),
    'answered',
    ['10.1000/abc', 'arXiv:2401.00001'],
  ],
  [
    'a cut title without a text',
    results([{ ...bare, title: 'Sleep and the ...' }]),
    'answered',
    [],
  ],
  ['a link that is no page', results([{ ...bare, url: 'javascript:alert(1)' }]), 'answered', []],
  ['results of a wrong kind', results([null, 5, {}]), 'answered', []],
  ['JSON switched off', { status: 403, body: htmlPage }, 'failed: refused', []],
  ['no question', jsonResponse({ error: 'No query' }, { status: 400 }), 'failed: bad_query', []],
  [
    'an error of its own',
    jsonResponse({ error: 'search error' }, { status: 500 }),
    'failed: server_error',
    [],
  ],
  ['its limiter', { status: 429, body: 'Too Many Requests' }, 'failed: rate_limited', []],
  ['a challenge to bots', { status: 200, body: htmlPage }, 'failed: bad_answer', []],
];
