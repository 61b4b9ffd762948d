import { describe, expect, it } from 'vitest';
import {
  countFilters,
  fieldErrorOf,
  readEntered,
  requestOf,
} from '../../../src/dashboard/page/try-fields.ts';
import { messageOf } from '../../../src/errors.ts';
import { parseSearchFields } from '../../../src/http/validate.ts';

function filterOf(form: string): unknown {
  return requestOf(readEntered(new URLSearchParams(`query=tides&limit=3&${form}`)))['filter'];
}

describe('the fields of the page Try it', () => {
  it.each<[form: string, filter: unknown]>([
    ['', undefined],
    ['year_from=&year_to=+&venue=&source=&type=&open_access=&has_abstract=&ids=', undefined],
    ['year_from=1998', { year: { from: 1998 } }],
    ['year_from=+1998+&year_to=2001', { year: { from: 1998, to: 2001 } }],
    ['venue=Nature&source=arxiv&type=review', { venue: 'Nature', source: 'arxiv', type: 'review' }],
    ['author=Ana+Silva&doi_prefix=10.1371', { author: 'Ana Silva', doi_prefix: '10.1371' }],
    ['open_access=true&has_abstract=false', { open_access: true, has_abstract: false }],
    ['ids=10.5555/a,b%0A+arXiv:2401.00001', { ids: ['10.5555/a,b', 'arXiv:2401.00001'] }],
  ])('%s become a filter of the API', (form, filter) => {
    expect(filterOf(form)).toEqual(filter);
  });

  it('make a request that the API accepts', () => {
    const all =
      'year_from=1998&year_to=2001&venue=Nature&source=arxiv&type=review&open_access=true&has_abstract=true&ids=10.5555/a&author=Ana+Silva&doi_prefix=10.5555';
    const entered = readEntered(new URLSearchParams(`query=tides&limit=3&${all}`));
    expect(countFilters(entered)).toBe(9);
    expect(parseSearchFields(requestOf(entered))).toMatchObject({
      query: 'tides',
      limit: 3,
      withAbstract: true,
      filter: { years: { from: 1998, to: 2001 }, venues: ['Nature'], types: ['review'] },
    });
  });

  it.each([
    ['query=tides&limit=soon', 'limit', 'limit'],
    ['query=tides&limit=3&year_from=soon', 'filter.year.from', 'year_from'],
    ['query=tides&limit=3&year_to=20x6', 'filter.year.to', 'year_to'],
    ['query=tides&limit=3&year_from=2020&year_to=2010', 'filter.year', 'year_from'],
    ['query=tides&limit=3&type=poem', 'filter.type', 'type'],
    ['query=tides&limit=3&open_access=maybe', 'filter.open_access', 'open_access'],
    ['query=tides&limit=3&has_abstract=1', 'filter.has_abstract', 'has_abstract'],
    [`query=tides&limit=3&venue=${'x'.repeat(501)}`, 'filter.venue', 'venue'],
    ['query=tides&limit=3&author=0000-0002-1825-0090', 'filter.author', 'author'],
    ['query=tides&limit=3&doi_prefix=PLOS', 'filter.doi_prefix', 'doi_prefix'],
    [`query=tides&limit=3&ids=${'x'.repeat(2001)}`, 'filter.ids', 'ids'],
  ])('that are wrong, like %s, are named by the API and found on the page', (form, name, field) => {
    const entered = readEntered(new URLSearchParams(form));
    let message = '';
    try {
      parseSearchFields(requestOf(entered));
    } catch (error) {
      message = messageOf(error);
    }
    expect(message).toContain(name);
    const fieldError = fieldErrorOf(message);
    expect(fieldError?.field).toBe(field);
    expect(fieldError?.message).not.toContain(name);
    expect(fieldError?.message).not.toBe('');
  });

  it.each(['not a message of a field', 'fields: unknown value', 'constructor: x', ''])(
    'are not found in "%s"',
    (message) => {
      expect(fieldErrorOf(message)).toBeUndefined();
    },
  );

  it('keep the question as it was typed', () => {
    expect(readEntered(new URLSearchParams('query=+a++b+')).query).toBe(' a  b ');
  });
});
