/** Which records are about one paper. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { groupRecords } from '../../src/identity/group-records.ts';
import { type KeptRecord, personalSource } from '../../src/identity/kept-record.ts';
import { anyRecord } from './any-record.ts';
import { recordOf } from './records.ts';

const PAPER = { title: 'How the tides of the North Sea rise', authors: ['A. Berg'], year: 2024 };
const DOI = recordOf({
  ...PAPER,
  source: 'doi',
  id: '10.5555/a',
  identifiers: { doi: '10.5555/a' },
});
const ARXIV = recordOf({
  ...PAPER,
  source: 'arxiv',
  id: 'arXiv:2401.00001',
  identifiers: { arxiv: '2401.00001' },
});
const PMID = recordOf({ ...PAPER, source: 'pmid', id: 'PMID:7', identifiers: { pmid: '7' } });
const ACL = recordOf({
  ...PAPER,
  source: 'acl',
  id: 'ACL:P19-1001',
  identifiers: { acl: 'P19-1001' },
});
const W = (n: number, doi?: string): KeptRecord =>
  recordOf({
    ...PAPER,
    source: 'openalex',
    id: doi ?? `W${n}`,
    identifiers: { openalex: `W${n}`, ...(doi === undefined ? {} : { doi }) },
  });
/** An entry of a personal bibliography. */
const OWN = (name: string, fields: Partial<KeptRecord> = {}): KeptRecord =>
  recordOf({ ...PAPER, source: personalSource(name), id: `${name}::berg`, ...fields });
const OTHER = { ...PAPER, title: 'Quite another title of the same paper' };

describe('groupRecords', () => {
  it.each<[what: string, groups: KeptRecord[][]]>([
    [
      'records with the same DOI and different titles as one paper',
      [[DOI, { ...W(1, '10.5555/a'), ...OTHER }]],
    ],
    [
      'records that a third one connects as one paper',
      [
        [
          DOI,
          { ...PMID, ...OTHER },
          recordOf({ id: 'x', identifiers: { doi: '10.5555/a', pmid: '7' } }),
        ],
      ],
    ],
    ['a preprint with its published version, by title', [[DOI, ARXIV]]],
    ['a preprint of the year before with the paper', [[DOI, { ...ARXIV, year: 2023 }]]],
    ['a preprint of two years before apart from the paper', [[DOI], [{ ...ARXIV, year: 2022 }]]],
    ['a preprint without a year apart from the paper', [[DOI], [{ ...ARXIV, year: 0 }]]],
    ['records with different first authors apart', [[DOI], [{ ...ARXIV, authors: ['B. Dahl'] }]]],
    ['records of five sources as one paper', [[DOI, ARXIV, PMID, ACL, W(1)]]],
    [
      'two DOIs with the same title apart, and a preprint that matches both',
      [[DOI], [W(1, '10.5555/b')], [ARXIV]],
    ],
    [
      'two DOIs that share another identifier as one paper',
      [
        [
          { ...DOI, identifiers: { doi: '10.5555/a', pmid: '7' } },
          { ...W(1, '10.5555/b'), identifiers: { doi: '10.5555/b', pmid: '7' } },
        ],
      ],
    ],
    ['the DOI of a preprint with that of the paper', [[DOI, W(1, '10.48550/arxiv.2401.00001')]]],
    [
      'a preprint with the published version of the same source',
      [[W(1, '10.1101/2020.01.01.1'), W(2, '10.5555/a')]],
    ],
    [
      'two published records of the same source apart',
      [[PMID], [{ ...PMID, id: 'PMID:8', identifiers: { pmid: '8' } }]],
    ],
    ['two unpublished records of the same source apart', [[W(1)], [W(2)]]],
    [
      'two records with nothing but ids apart',
      [[recordOf({ ...PAPER, id: 'a' })], [recordOf({ ...PAPER, id: 'b' })]],
    ],
    [
      'more than eight records with the same title apart',
      (['doi', 'arxiv', 'pmid', 'acl', 'openalex', 's2', 'pmcid', ''] as const)
        .map((source) => [recordOf({ ...PAPER, source, id: `of ${source}` })])
        .concat([[recordOf({ ...PAPER, source: 'doi', id: 'a ninth', venue: 'Shore' })]]),
    ],
    [
      'entries of several bibliographies with their paper',
      [[DOI, ARXIV, OWN('a.bib'), OWN('b.bib'), OWN('c.ris')]],
    ],
    [
      'entries of several bibliographies without a paper as one paper',
      [[OWN('a.bib'), OWN('b.bib'), OWN('c.ris')]],
    ],
    [
      'two entries of the same bibliography with their paper',
      [[DOI, OWN('a.bib'), OWN('a.bib', { id: 'a.bib::berg2' })]],
    ],
    [
      'a preprint with the paper despite an entry with another DOI',
      [[DOI, ARXIV], [OWN('a.bib', { id: '10.5555/x', identifiers: { doi: '10.5555/x' } })]],
    ],
    [
      'a preprint with the paper despite an entry with a wrong year and a wrong id',
      [
        [
          ...[DOI, PMID, { ...ARXIV, year: 2023 }],
          OWN('a.bib', {
            year: 2025,
            id: '10.5555/a',
            identifiers: { doi: '10.5555/a', pmid: '8' },
          }),
        ],
      ],
    ],
    ['an entry of the year after with its paper', [[DOI, OWN('a.bib', { year: 2025 })]]],
    ['an entry of two years later apart from the paper', [[DOI], [OWN('a.bib', { year: 2026 })]]],
    [
      'an entry that matches two papers apart from both',
      [[DOI], [W(1, '10.5555/b')], [OWN('a.bib')]],
    ],
    [
      'entries of more than eight bibliographies with their paper',
      [[DOI, ARXIV, ...Array.from({ length: 12 }, (_, at) => OWN(`${at}.bib`))]],
    ],
    [
      'a separate abstract with its paper',
      [[W(1), recordOf({ source: 's2', part: 'abstract', identifiers: { openalex: 'W1' } })]],
    ],
  ])('groups %s', (_, groups) => {
    expect(shown(groupRecords(groups.flat()))).toEqual(shown(groups));
    expect(shown(groupRecords(groups.flat().reverse()))).toEqual(shown(groups));
  });

  it('joins records without identifiers by title if they come from different files', () => {
    const [a, b, c] = ['a', 'b', 'c'].map((id) => recordOf({ ...PAPER, id })) as [
      KeptRecord,
      KeptRecord,
      KeptRecord,
    ];
    const files = new Map([
      [a, 1],
      [b, 2],
      [c, 1],
    ]);
    const fileOf = (record: KeptRecord): number | null => files.get(record) ?? null;
    expect(shown(groupRecords([a, b], { fileOf }))).toEqual(shown([[a, b]]));
    expect(shown(groupRecords([a, c], { fileOf }))).toEqual(shown([[a], [c]]));
    expect(shown(groupRecords([a, b, c], { fileOf }))).toEqual(shown([[a], [b], [c]]));
  });

  it('gives the same papers for any order of the records', () => {
    fc.assert(
      fc.property(
        fc.uniqueArray(anyRecord, {
          maxLength: 14,
          selector: ({ id, source }) => `${source} ${id}`,
        }),
        fc.infiniteStream(fc.nat()),
        (records, numbers) => {
          const shuffled = records
            .map((record) => ({ record, at: numbers.next().value as number }))
            .sort((a, b) => a.at - b.at)
            .map(({ record }) => record);
          expect(shown(groupRecords(shuffled))).toEqual(shown(groupRecords(records)));
        },
      ),
      { numRuns: 300 },
    );
  });
});

/** Groups and their records in an order that does not depend on how they were found. */
function shown(groups: readonly KeptRecord[][]): string[] {
  return groups
    .map((group) =>
      group
        .map((one) => JSON.stringify(one))
        .sort()
        .join('\n'),
    )
    .sort();
}
