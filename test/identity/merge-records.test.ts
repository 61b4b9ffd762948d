/** Which record of a paper wins, field by field. */
import { describe, expect, it } from 'vitest';
import type { KeptRecord } from '../../src/identity/kept-record.ts';
import { mergeRecords } from '../../src/identity/merge-records.ts';
import { nameKeyOf } from '../../src/identity/record-keys.ts';
import { sortByPrecedence } from '../../src/identity/record-precedence.ts';
import { recordOf } from './records.ts';

const PREPRINT = recordOf({
  source: 'arxiv',
  id: 'arXiv:2401.00001',
  identifiers: { arxiv: '2401.00001' },
  title: 'Tides (draft)',
  abstract: 'It rose.',
  year: 2024,
  authors: ['A. Berg'],
});
const PUBLISHED = recordOf({
  source: 'doi',
  id: '10.5555/tides',
  identifiers: { doi: '10.5555/tides' },
  title: 'Tides',
  year: 2025,
  authors: ['Anna Berg', 'B. Dahl'],
  venue: 'Shore',
});
const PUBMED = recordOf({
  source: 'pmid',
  id: 'PMID:7',
  identifiers: { pmid: '7' },
  title: 'Tides.',
  abstract: 'It rose and fell.',
  year: 2025,
});
const OPENALEX = recordOf({
  source: 'openalex',
  id: '10.5555/tides',
  title: 'TIDES',
  abstract: 'It rose .',
  identifiers: { doi: '10.5555/tides', openalex: 'W1' },
});
const ABSTRACT = recordOf({
  source: 's2',
  part: 'abstract',
  id: '',
  identifiers: { s2: '5' },
  abstract: 'It stood.',
});

type Winners = Partial<Record<'id' | 'title' | 'abstract' | 'year' | 'authors' | 'venue', unknown>>;

describe('mergeRecords', () => {
  it.each<[what: string, records: KeptRecord[], expected: Winners]>([
    ['one record as it is', [PREPRINT], { id: PREPRINT.id, title: PREPRINT.title, year: 2024 }],
    [
      'id, title, year, authors and venue of the published version, its abstract where it has none',
      [PREPRINT, PUBLISHED],
      {
        id: '10.5555/tides',
        title: 'Tides',
        year: 2025,
        venue: 'Shore',
        authors: ['Anna Berg', 'B. Dahl'],
        abstract: 'It rose.',
      },
    ],
    [
      'the abstract of a published version rather than that of a preprint',
      [PREPRINT, PUBMED],
      { abstract: 'It rose and fell.', title: 'Tides.', authors: ['A. Berg'] },
    ],
    [
      'the DOI as id, whichever record has it',
      [
        PUBMED,
        {
          ...PREPRINT,
          id: '10.48550/arxiv.2401.00001',
          identifiers: { doi: '10.48550/arxiv.2401.00001' },
        },
      ],
      { id: '10.48550/arxiv.2401.00001', title: 'Tides.' },
    ],
    [
      'a whole abstract rather than one put together from words',
      [OPENALEX, PREPRINT],
      { abstract: 'It rose.', title: 'TIDES' },
    ],
    [
      'one put together from words rather than none',
      [OPENALEX, PUBLISHED],
      { abstract: 'It rose .' },
    ],
    ['an abstract alone last', [ABSTRACT, OPENALEX, PREPRINT], { abstract: 'It rose.' }],
    ['an abstract alone where there is no other', [ABSTRACT, PUBLISHED], { abstract: 'It stood.' }],
    [
      'the year of the first record that knows it',
      [{ ...PUBLISHED, year: 0 }, PREPRINT],
      { year: 2024 },
    ],
    [
      'of two alike the one that was updated later',
      [
        recordOf({ ...PREPRINT, title: 'Old', updatedAt: 1 }),
        recordOf({ ...PREPRINT, source: '', title: 'New', updatedAt: 2 }),
      ],
      { title: 'New' },
    ],
    [
      'of blank titles none',
      [{ ...PUBLISHED, title: ' \n' }, PREPRINT],
      { title: 'Tides (draft)' },
    ],
  ])('takes %s', (_, records, expected) => {
    for (const order of [records, [...records].reverse()]) {
      expect(mergeRecords(order).document).toMatchObject(expected);
    }
  });

  it('takes of each scheme the identifier that is believed first', () => {
    const preprint = {
      ...PREPRINT,
      identifiers: { doi: '10.48550/arxiv.2401.00001', arxiv: '2401.00001' },
    };
    const { identifiers } = mergeRecords([preprint, ABSTRACT, PUBLISHED]);
    expect(identifiers).toEqual({ doi: '10.5555/tides', arxiv: '2401.00001', s2: '5' });
  });

  it.each<[what: string, records: KeptRecord[], withheld: string | undefined]>([
    ['nothing of it', [PREPRINT, PUBLISHED], undefined],
    [
      'retracted if any source says so',
      [PUBLISHED, { ...OPENALEX, withheld: 'retracted' }],
      'retracted',
    ],
    ['withdrawn if its only version is', [{ ...PREPRINT, withheld: 'withdrawn' }], 'withdrawn'],
    [
      'not withdrawn with its preprint',
      [{ ...PREPRINT, withheld: 'withdrawn' }, PUBLISHED],
      undefined,
    ],
    [
      'retracted rather than withdrawn',
      [
        { ...PUBLISHED, withheld: 'withdrawn' },
        { ...PREPRINT, withheld: 'retracted' },
      ],
      'retracted',
    ],
  ])('says %s', (_, records, withheld) => {
    expect(mergeRecords(records).withheld).toBe(withheld);
  });

  it('tells whose each field is', () => {
    const { winners, records } = mergeRecords([PREPRINT, PUBLISHED]);
    expect(records).toEqual([PUBLISHED, PREPRINT]);
    expect(winners).toEqual({
      id: PUBLISHED,
      title: PUBLISHED,
      year: PUBLISHED,
      authors: PUBLISHED,
      venue: PUBLISHED,
      abstract: PREPRINT,
    });
  });
});

describe('rankRecords', () => {
  it('believes a published DOI, another published version, a preprint, an abstract alone', () => {
    const all = [ABSTRACT, PREPRINT, PUBMED, PUBLISHED];
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
  ])('takes the DOI %s and the venue "%s" for published: %s', (doi, venue, isPublished) => {
    const record = recordOf({ id: 'zz', venue, identifiers: doi === undefined ? {} : { doi } });
    const preprint = recordOf({ id: 'aa', source: 'arxiv', identifiers: { arxiv: '2401.00002' } });
    // Alike otherwise, "aa" comes before "zz".
    const [first] = sortByPrecedence([{ ...record, source: 's2' }, preprint]);
    expect(first?.id).toBe(isPublished ? 'zz' : 'aa');
  });
});
