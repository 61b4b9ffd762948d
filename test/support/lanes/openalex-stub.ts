/** A stub of OpenAlex's API. */
import { jsonResponse, type StubAnswer } from './stub-server.ts';

export const work = {
  id: 'https://openalex.org/W1',
  doi: null,
  display_name: 'Cats',
  title: null,
  publication_year: 2020,
  relevance_score: 312.4,
  primary_location: null,
  authorships: [
    {
      author_position: 'first',
      author: { id: null, display_name: 'A. B' },
      raw_author_name: 'B, A.',
    },
    { author: { id: null, display_name: null }, raw_author_name: 'C, D.' },
  ],
  abstract_inverted_index: { Cats: [0], 'sleep.': [1, 3], Dogs: [2, 2] },
};

export function works(
  results: readonly unknown[],
  rest: Omit<StubAnswer, 'body'> = {},
): StubAnswer {
  const meta = { count: results.length, page: 1, per_page: 10, next_cursor: null, cost_usd: 0.001 };
  return jsonResponse({ meta, results }, rest);
}

const arxivWork = {
  ...work,
  id: 'https://openalex.org/W2',
  doi: 'https://doi.org/10.48550/arXiv.2401.00001',
};
const doiWork = { ...work, id: 'https://openalex.org/W3', doi: 'https://doi.org/10.1000/ABC' };
const wordless = { ...work, display_name: null, abstract_inverted_index: null };

/** Responses of OpenAlex, with the expected outcome and ids. */
export const openalexCases: readonly [string, StubAnswer, outcome: string, ids: string[]][] = [
  [
    'works',
    works([work, arxivWork, doiWork]),
    'answered',
    ['W1', 'arXiv:2401.00001', '10.1000/abc'],
  ],
  ['a retracted work', works([{ ...doiWork, is_retracted: true }]), 'answered', []],
  ['no work', works([]), 'answered', []],
  ['a work without title and abstract', works([wordless]), 'answered', []],
  ['works of a wrong kind', works([null, 3, { id: 4 }]), 'answered', []],
  [
    'a refused filter',
    jsonResponse({ error: 'Invalid filter', message: 'no' }, { status: 400 }),
    'failed: bad_query',
    [],
  ],
  [
    '403',
    jsonResponse({ error: 'Forbidden', message: 'bad key' }, { status: 403 }),
    'failed: refused',
    [],
  ],
  [
    '429 with hours to wait',
    { status: 429, headers: { 'retry-after': '54000' } },
    'failed: rate_limited',
    [],
  ],
];

/** Inverted indexes, with the text that may be quoted. */
export const invertedCases: readonly [what: string, index: unknown, text: string][] = [
  ['positions out of order', { two: [1], one: [0] }, 'one two'],
  ['a word twice at one place', work.abstract_inverted_index, 'Cats sleep. Dogs sleep.'],
  [
    'two words at one place',
    { 'Whole.': [0], Which: [1], Who: [1], 'knows.': [2], 'Good.': [3] },
    'Whole. Good.',
  ],
  ['a gap', { 'Whole.': [0], Torn: [1], 'here.': [3], Good: [4], 'one.': [5] }, 'Whole. Good one.'],
  ['no start', { 'torn.': [1], Good: [2], 'one.': [3] }, 'Good one.'],
  [
    'tags and line breaks',
    { '<jats:p>One\nline': [0], '&amp;': [1], 'more.</jats:p>': [2] },
    'One line & more.',
  ],
  ['null', null, ''],
  ['positions that are none', { a: [-1], b: ['0'], c: null, d: [1.5], e: [1e9] }, ''],
];
