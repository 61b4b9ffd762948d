import { describe, expect, it } from 'vitest';
import { countFilters, readEntered, requestOf } from '../../../src/dashboard/page/try-fields.ts';
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
    ['open_access=true&has_abstract=false', { open_access: true, has_abstract: false }],
    ['ids=10.5555/a,b%0A+arXiv:2401.00001', { ids: ['10.5555/a,b', 'arXiv:2401.00001'] }],
  ])('%s become a filter of the API', (form, filter) => {
    expect(filterOf(form)).toEqual(filter);
  });

  it('make a request that the API accepts', () => {
    const all =
      'year_from=1998&year_to=2001&venue=Nature&source=arxiv&type=review&open_access=true&has_abstract=true&ids=10.5555/a';
    const entered = readEntered(new URLSearchParams(`query=tides&limit=3&${all}`));
    expect(countFilters(entered)).toBe(7);
    expect(parseSearchFields(requestOf(entered))).toMatchObject({
      query: 'tides',
      limit: 3,
      withAbstract: true,
      filter: { years: { from: 1998, to: 2001 }, venues: ['Nature'], types: ['review'] },
    });
  });

  it.each([
    ['year_from=soon', 'filter.year.from'],
    ['year_to=20x6', 'filter.year.to'],
    ['year_from=2020&year_to=2010', 'filter.year'],
    ['type=poem', 'filter.type'],
    ['open_access=maybe', 'filter.open_access'],
    ['has_abstract=1', 'filter.has_abstract'],
    [`venue=${'x'.repeat(501)}`, 'filter.venue'],
  ])('that are wrong, like %s, are named by the API', (form, name) => {
    const entered = readEntered(new URLSearchParams(`query=tides&limit=3&${form}`));
    expect(() => parseSearchFields(requestOf(entered))).toThrow(name);
  });

  it('keep the question as it was typed', () => {
    expect(readEntered(new URLSearchParams('query=+a++b+')).query).toBe(' a  b ');
  });
});
