import { describe, expect, it } from 'vitest';
import type { KeptRecord } from '../../src/identity/kept-record.ts';
import { mergeRecords } from '../../src/identity/merge-records.ts';
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
      'the fields of the published version, and the preprint’s abstract if it has none',
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
      'the DOI as the id, whichever record has it',
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
      'a whole abstract rather than a reconstructed one',
      [OPENALEX, PREPRINT],
      { abstract: 'It rose.', title: 'TIDES' },
    ],
    ['a reconstructed abstract rather than none', [OPENALEX, PUBLISHED], { abstract: 'It rose .' }],
    ['an abstract alone last', [ABSTRACT, OPENALEX, PREPRINT], { abstract: 'It rose.' }],
    ['an abstract alone if there is no other', [ABSTRACT, PUBLISHED], { abstract: 'It stood.' }],
    [
      'the year of the first record that knows it',
      [{ ...PUBLISHED, year: 0 }, PREPRINT],
      { year: 2024 },
    ],
    [
      'the later update of two equal records',
      [
        recordOf({ ...PREPRINT, title: 'Old', updatedAt: 1 }),
        recordOf({ ...PREPRINT, source: '', title: 'New', updatedAt: 2 }),
      ],
      { title: 'New' },
    ],
    ['no blank title', [{ ...PUBLISHED, title: ' \n' }, PREPRINT], { title: 'Tides (draft)' }],
  ])('takes %s', (_, records, expected) => {
    for (const order of [records, [...records].reverse()]) {
      expect(mergeRecords(order).document).toMatchObject(expected);
    }
  });

  it('takes the identifier of each scheme by precedence', () => {
    const preprint = {
      ...PREPRINT,
      identifiers: { doi: '10.48550/arxiv.2401.00001', arxiv: '2401.00001' },
    };
    const { identifiers } = mergeRecords([preprint, ABSTRACT, PUBLISHED]);
    expect(identifiers).toEqual({ doi: '10.5555/tides', arxiv: '2401.00001', s2: '5' });
  });

  it.each<[what: string, records: KeptRecord[], withheld: string | undefined]>([
    ['not withheld by default', [PREPRINT, PUBLISHED], undefined],
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
  ])('is %s', (_, records, withheld) => {
    expect(mergeRecords(records).withheld).toBe(withheld);
  });

  it('has the details of all records', () => {
    const merge = (...details: NonNullable<KeptRecord['details']>[]) =>
      mergeRecords(
        details.map((one, at) => ({ ...[PUBLISHED, PREPRINT][at], details: one }) as KeptRecord),
      ).details;
    expect(mergeRecords([PREPRINT, PUBLISHED]).details).toEqual({});
    expect(
      merge(
        { type: 'article', openAccess: false, citationCount: 3 },
        {
          type: 'preprint',
          openAccess: true,
          openAccessUrl: 'https://example.org',
          citationCount: 9,
        },
      ),
    ).toEqual({
      type: 'article',
      openAccess: true,
      openAccessUrl: 'https://example.org',
      citationCount: 9,
    });
    expect(merge({ openAccess: false }, { type: 'preprint', citationCount: 0 })).toEqual({
      type: 'preprint',
      openAccess: false,
      citationCount: 0,
    });
    const [a, b, c] = [
      '0000-0002-1825-0097',
      '0000-0002-1694-233X',
      '0000-0001-5109-3700',
    ] as const;
    expect(merge({ orcids: [a, b] }, { orcids: [b, c] })).toEqual({ orcids: [a, b, c] });
  });

  it('says which record gives each field', () => {
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
