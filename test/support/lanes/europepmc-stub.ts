/** A stub of Europe PMC's REST API with results of the type `core`. */
import { jsonResponse, type StubAnswer } from './stub-server.ts';

export const article = {
  id: '33301246',
  source: 'MED',
  pmid: '33301246',
  pmcid: 'PMC7745181',
  doi: '10.1000/Sleep.1',
  title: 'Sleep <i>in vivo</i>: effects of H<sub>2</sub>O.',
  authorString: 'Berg AM, The Night Group.',
  authorList: {
    author: [
      { fullName: 'Berg AM', firstName: 'Anna Maria', lastName: 'Berg', initials: 'AM' },
      { fullName: 'Dahl B' },
      { collectiveName: 'The Night Group' },
    ],
  },
  journalInfo: {
    issue: '8',
    volume: '384',
    yearOfPublication: 2021,
    dateOfPublication: '2021 Feb',
    journal: { title: 'Journal of sleep', medlineAbbreviation: 'J Sleep', issn: '0028-4793' },
  },
  pubYear: '2021',
  pageInfo: '693-704',
  language: 'eng',
  isOpenAccess: 'Y',
  citedByCount: 7,
  abstractText:
    '<h4>Background</h4>Sleep helps at p &lt; 0.05.<h4>Results</h4>It <i>does</i> so at night.',
  pubTypeList: { pubType: ['Randomized Controlled Trial', 'Journal Article'] },
  commentCorrectionList: {
    commentCorrection: [{ id: '7', source: 'MED', type: 'Erratum in', reference: 'J Sleep. 2022' }],
  },
};
const preprint = {
  id: 'PPR1',
  source: 'PPR',
  title: 'Sleep in flies',
  pubYear: '2020',
  abstractText: 'Flies sleep.',
};
const patent = { ...preprint, id: 'US1', source: 'PAT' };
const typed = (...pubType: string[]) => ({ ...article, pubTypeList: { pubType } });
const commented = (type: string, id = '9') => ({
  ...article,
  commentCorrectionList: { commentCorrection: [{ id, source: 'MED', type }] },
});

export function results(result: readonly unknown[], hitCount = result.length): StubAnswer {
  return jsonResponse({
    version: '6.9',
    hitCount,
    nextCursorMark: 'AoIIQ6',
    request: { queryString: 'q', resultType: 'core', cursorMark: '*', pageSize: 10 },
    resultList: { result },
  });
}

/** Responses of Europe PMC, with the expected outcome, ids, and withheld ids. */
export const europepmcCases: readonly [
  string,
  StubAnswer,
  outcome: string,
  ids: readonly string[],
  withheld: Readonly<Record<string, string>>,
][] = [
  ['an article', results([article]), 'answered', ['10.1000/sleep.1'], {}],
  ['no result', results([]), 'answered', [], {}],
  ['a count without results', results([], 17), 'answered', [], {}],
  ['a preprint without a DOI', results([preprint]), 'answered', ['EuropePMC:PPR/PPR1'], {}],
  ['a patent', results([patent]), 'answered', [], {}],
  [
    'a retracted paper by its type',
    results([typed('Journal Article', 'Retracted Publication')]),
    ...(['answered', [], { '10.1000/sleep.1': 'retracted' }] as const),
  ],
  [
    'a retracted paper by its link',
    results([commented('Retraction in')]),
    ...(['answered', [], { '10.1000/sleep.1': 'retracted' }] as const),
  ],
  [
    'a notice and the paper that it retracts',
    results([
      { ...typed('Retraction of Publication'), ...preprint, ...commentsOn('9') },
      { ...preprint, id: '9', source: 'MED', pmid: '9' },
    ]),
    ...([
      'answered',
      ['PMID:9'],
      { 'PMID:9': 'retracted', '10.1000/sleep.1': 'retracted' },
    ] as const),
  ],
  [
    'a partial retraction',
    results([commented('Partial retraction in')]),
    'answered',
    ['10.1000/sleep.1'],
    {},
  ],
  ['results of a wrong kind', results([null, 7, 'x', {}, { title: 8 }]), 'answered', [], {}],
  ['a query that it cannot read', jsonResponse({ version: '6.9' }), 'failed: bad_answer', [], {}],
  [
    'an error with status 200',
    jsonResponse({ version: '6.9', errCode: 503, errMsg: 'Service unavailable' }),
    'failed: bad_answer',
    [],
    {},
  ],
  ['429', { status: 429, body: 'Too many requests' }, 'failed: rate_limited', [], {}],
  ['403', { status: 403, body: 'Forbidden' }, 'failed: refused', [], {}],
  ['404', { status: 404, body: 'Not found' }, 'failed: bad_answer', [], {}],
];

function commentsOn(id: string) {
  return {
    commentCorrectionList: { commentCorrection: [{ id, source: 'MED', type: 'Retraction of' }] },
  };
}
