/** A stub of Crossref's REST API. */
import { jsonResponse, type StubAnswer } from './stub-server.ts';

export const work = {
  DOI: '10.1000/XyZ',
  title: ['Sleep <i>in vivo</i>'],
  type: 'journal-article',
  author: [
    { given: 'Ada', family: 'van B', sequence: 'first' },
    { given: 'C', family: 'D', suffix: 'Jr.' },
    { name: 'The E Group' },
  ],
  issued: { 'date-parts': [[null]] },
  published: { 'date-parts': [[2019, 5]] },
  abstract:
    '<jats:title>Abstract</jats:title><jats:sec><jats:title>Aims</jats:title><jats:p>One &amp; two.</jats:p></jats:sec>' +
    '<jats:p>H<jats:sub>2</jats:sub>O at p &amp;lt; 0.05 helps.</jats:p>',
  score: 22.1,
  'container-title': [],
};

export function works(items: readonly unknown[]): StubAnswer {
  const message = { 'total-results': items.length, 'items-per-page': 5, items };
  return jsonResponse({ status: 'ok', 'message-type': 'work-list', message });
}

const invalid = {
  status: 'failed',
  'message-type': 'validation-failure',
  message: [{ type: 'parameter-not-allowed', value: 'x', message: 'no such parameter' }],
};

/** Responses of Crossref, with the expected outcome and ids. */
export const crossrefCases: readonly [string, StubAnswer, outcome: string, ids: string[]][] = [
  ['a work', works([work]), 'answered', ['10.1000/xyz']],
  ['no work', works([]), 'answered', []],
  ['a work twice', works([work, { ...work, DOI: '10.1000/xyz' }]), 'answered', ['10.1000/xyz']],
  [
    'parts, reviews and notices',
    works([
      { ...work, DOI: '10.1000/a', type: 'component' },
      { ...work, DOI: '10.1000/b', type: 'peer-review' },
      { ...work, DOI: '10.1000/c', 'update-to': [{ DOI: '10.1000/xyz', type: 'retraction' }] },
      work,
    ]),
    'answered',
    ['10.1000/xyz'],
  ],
  ['a work without title and abstract', works([{ DOI: '10.1000/x' }]), 'answered', []],
  [
    'a work with a title only',
    works([{ DOI: '10.1000/X', title: ['T'] }]),
    'answered',
    ['10.1000/x'],
  ],
  ['works of a wrong kind', works([null, 'x', { DOI: 7, title: 'no array' }]), 'answered', []],
  ['a refused parameter', jsonResponse(invalid, { status: 400 }), 'failed: bad_query', []],
  ['the same with status 200', jsonResponse(invalid), 'failed: bad_answer', []],
  ['404', { status: 404, body: 'Resource not found.' }, 'failed: bad_answer', []],
  ['429', { status: 429, body: '' }, 'failed: rate_limited', []],
  ['403', { status: 403, body: 'Forbidden' }, 'failed: refused', []],
];
