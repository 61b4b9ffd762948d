import { describe, expect, it } from 'vitest';
import { nameKeyOf } from '../../src/identity/record-keys.ts';
import { sortByPrecedence } from '../../src/identity/record-precedence.ts';
import { recordOf } from './records.ts';

describe('sortByPrecedence', () => {
  it('sorts by published DOI, other published version, preprint, and abstract alone', () => {
    const all = [
      recordOf({ source: 's2', part: 'abstract', identifiers: { s2: '5' } }),
      recordOf({ source: 'arxiv', identifiers: { arxiv: '2401.00001' } }),
      recordOf({ source: 'pmid', identifiers: { pmid: '7' } }),
      recordOf({ source: 'doi', identifiers: { doi: '10.5555/tides' } }),
    ];
    expect(sortByPrecedence(all).map(nameKeyOf)).toEqual([
      ...['doi:10.5555/tides', 'pmid:7', 'arxiv:2401.00001', 's2:5'],
    ]);
  });

  it.each([
    ['10.48550/arxiv.2401.00001', '', false],
    ['10.1101/2020.01.01.123456', '', false],
    ['10.1101/2020.01.01.123456', 'bioRxiv', false],
    ['10.5555/tides', '', true],
    [undefined, 'Shore', true],
    [undefined, 'arXiv', false],
    [undefined, 'CoRR', false],
    [undefined, '', false],
  ])('reads the DOI %s and the venue "%s" as published: %s', (doi, venue, isPublished) => {
    const record = recordOf({ id: 'zz', venue, identifiers: doi === undefined ? {} : { doi } });
    const preprint = recordOf({ id: 'aa', source: 'arxiv', identifiers: { arxiv: '2401.00002' } });
    // Between equal records, "aa" comes before "zz".
    const [first] = sortByPrecedence([{ ...record, source: 's2' }, preprint]);
    expect(first?.id).toBe(isPublished ? 'zz' : 'aa');
  });
});
