/** A stub of Semantic Scholar's API: paper search, snippet search, and batch. */
import { htmlPage, jsonResponse, type Responder, type StubAnswer } from './stub-server.ts';

export const tooMany = jsonResponse(
  {
    message:
      'Too Many Requests. Please wait and try again or apply for a key for higher rate limits.',
    code: '429',
  },
  { status: 429 },
);
export const forbidden = jsonResponse({ message: 'Forbidden' }, { status: 403 });

/** A paper whose fields are null. */
export const barePaper = {
  paperId: 'aa11',
  externalIds: { DOI: '10.18653/V1/X', ArXiv: '2401.00001', CorpusId: 19170988 },
  title: 'Sleep helps',
  abstract: null,
  year: null,
  venue: '',
  citationCount: 0,
  authors: [{ authorId: null, name: 'A. van B' }],
  openAccessPdf: null,
  url: 'https://www.semanticscholar.org/paper/aa11',
};
export const paperWithoutIds = {
  paperId: 'bb22',
  externalIds: null,
  title: 'T2',
  abstract: 'One. Two.',
  year: 2021,
  authors: [],
};
const arxivPaper = {
  paperId: 'cc33',
  title: 'T3',
  abstract: 'Three.',
  year: 2020,
  authors: [{ name: 'C' }],
  externalIds: { ArXiv: '2402.00003', DOI: '10.48550/arXiv.2402.00003', CorpusId: 3 },
};

export const papers = jsonResponse({
  total: 15_117,
  offset: 0,
  next: 3,
  data: [barePaper, paperWithoutIds, arxivPaper],
});

/** A response of the paper search. */
export function papersOf(data: readonly unknown[]): StubAnswer {
  return jsonResponse({ total: data.length, offset: 0, data });
}

/** Responses without a key, with the expected outcome and ids. */
export const keylessCases: readonly [
  what: string,
  StubAnswer | StubAnswer[],
  outcome: string,
  ids: string[],
][] = [
  ['papers', papers, 'answered', ['10.18653/v1/x', 'SemanticScholar:bb22', 'arXiv:2402.00003']],
  ['no papers', jsonResponse({ total: 0, offset: 0, data: [] }), 'answered', []],
  ['no `data`', jsonResponse({ total: 0, offset: 0 }), 'answered', []],
  [
    'an error with status 200',
    jsonResponse({ message: 'Endpoint request timed out' }),
    'failed: bad_answer',
    [],
  ],
  [
    'a refused field',
    jsonResponse({ error: 'Unrecognized or unsupported fields: [x]' }, { status: 400 }),
    'failed: bad_query',
    [],
  ],
  [
    'a path that is not',
    jsonResponse({ error: 'Not found' }, { status: 404 }),
    'failed: bad_answer',
    [],
  ],
  [
    '429 and then papers',
    [tooMany, jsonResponse({ data: [arxivPaper] })],
    'answered',
    ['arXiv:2402.00003'],
  ],
  ['429 repeatedly', tooMany, 'failed: rate_limited', []],
  ['403', forbidden, 'failed: refused', []],
  [
    '500',
    jsonResponse({ message: 'Internal Server Error' }, { status: 500 }),
    'failed: server_error',
    [],
  ],
  ['504 with a page', { status: 504, body: htmlPage }, 'failed: server_error', []],
  ['a page with status 200', { body: htmlPage }, 'failed: bad_answer', []],
  ['an array', jsonResponse([]), 'failed: bad_answer', []],
  ['JSON that breaks off', { body: '{"data":[{"paperId":' }, 'failed: bad_answer', []],
  ['silence', { fault: 'hang' }, 'failed: timeout', []],
  ['an answer of megabytes', { body: ' '.repeat(2 * 1024 * 1024) }, 'failed: too_large', []],
  [
    'papers of a wrong kind',
    jsonResponse({ data: [null, 7, 'x', {}, { title: 8 }] }),
    'answered',
    [],
  ],
];

export interface Snippet {
  text: string;
  snippetKind: string;
  section?: string;
  annotations: unknown;
}

export const bodySnippet: Snippet = {
  // The first character is one code point and two UTF-16 code units.
  text: '𝛼 waves mark sleep. Memory gains.',
  snippetKind: 'body',
  section: 'Results',
  annotations: {
    sentences: [
      { start: 0, end: 19 },
      { start: 20, end: 33 },
    ],
    refMentions: [{ start: 3, end: 8, matchedPaperCorpusId: null }],
  },
};

export function snippetsOf(
  snippet: Snippet,
  corpusId = '19170988',
  authors: unknown = ['A B'],
): StubAnswer {
  const openAccessInfo = { license: null, status: null, disclaimer: 'Notice: ...' };
  return jsonResponse({
    data: [{ snippet, score: 0.5355, paper: { corpusId, title: 'T', authors, openAccessInfo } }],
    retrievalVersion: 'pa1-v1',
  });
}

/** Responds to each endpoint separately. */
export function endpoints(answers: {
  snippets?: StubAnswer;
  batch?: StubAnswer;
  search?: StubAnswer;
}): Responder {
  const {
    snippets = snippetsOf(bodySnippet),
    batch = jsonResponse([barePaper]),
    search = papers,
  } = answers;
  return ({ path }) => {
    if (path === '/graph/v1/snippet/search') return snippets;
    return path === '/graph/v1/paper/batch' ? batch : search;
  };
}

/** Responses with a key: marks of a snippet, with the sentences that may be quoted. */
export const annotationCases: readonly [what: string, annotations: unknown, quotable: string[]][] =
  [
    ['marks in code points', bodySnippet.annotations, ['𝛼 waves mark sleep.', 'Memory gains.']],
    ['no marks', null, []],
    ['marks that are null', { sentences: null }, []],
    ['a mark beyond the end', { sentences: [{ start: 20, end: 34 }] }, []],
    ['a mark before the start', { sentences: [{ start: -1, end: 19 }] }, []],
    ['a mark that ends before it starts', { sentences: [{ start: 19, end: 0 }] }, []],
    ['a mark of nothing', { sentences: [{ start: 5, end: 5 }] }, []],
    [
      'a mark in the middle of a word',
      {
        sentences: [
          { start: 3, end: 19 },
          { start: 20, end: 30 },
        ],
      },
      [],
    ],
    ['marks that are no numbers', { sentences: [{ start: 'a', end: null }, null, 7] }, []],
    [
      'one good mark among bad ones',
      {
        sentences: [
          { start: 0, end: 99 },
          { start: 20, end: 33 },
        ],
      },
      ['Memory gains.'],
    ],
  ];
