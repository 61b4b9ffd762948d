import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  groupSamePapers,
  type IdentifiedDocument,
  identityOf,
} from '../../src/search/same-paper.ts';
import type { Identifiers } from '../../src/types.ts';

function paper(fields: Partial<IdentifiedDocument>): IdentifiedDocument {
  return { id: 'x', title: '', year: 0, ...fields };
}

/** The groups of papers, which have distinct ids unless given. */
function groupsOf(papers: Partial<IdentifiedDocument>[]): number[] {
  return groupSamePapers(
    papers.map((fields, i) => identityOf(paper({ id: `id ${i}`, ...fields }))),
  );
}

describe('identityOf', () => {
  const arxivDoi = '10.48550/arxiv.2401.00001';
  it.each<[what: string, fields: Partial<IdentifiedDocument>, identifiers: Identifiers]>([
    ['a DOI as id', { id: '10.5555/Tides' }, { doi: '10.5555/tides' }],
    [
      'a DOI beside the id',
      { id: 's2:1', identifiers: { doi: '10.5555/tides' } },
      { doi: '10.5555/tides' },
    ],
    ['an arXiv id', { id: 'arXiv:2401.00001' }, { arxiv: '2401.00001' }],
    ['arXiv’s own DOI', { id: arxivDoi }, { doi: arxivDoi, arxiv: '2401.00001' }],
    [
      'what the id and the record say',
      { id: '10.5555/tides', identifiers: { arxiv: '2401.00001' } },
      { doi: '10.5555/tides', arxiv: '2401.00001' },
    ],
    [
      'the record before its id',
      { id: '10.5555/old', identifiers: { doi: '10.5555/tides' } },
      { doi: '10.5555/tides' },
    ],
    ['an id that is none of these', { id: 'sample:tides' }, {}],
  ])('reads %s', (_, fields, identifiers) => {
    expect(identityOf(paper(fields)).identifiers).toEqual(identifiers);
  });
});

describe('groupSamePapers', () => {
  const title = 'The Tides';
  it.each<[what: string, papers: Partial<IdentifiedDocument>[], groups: number[]]>([
    ['no papers', [], []],
    [
      'different papers apart',
      [
        { title: 'A', year: 1 },
        { title: 'B', year: 1 },
      ],
      [0, 1],
    ],
    [
      'the same DOI in different case',
      [{ identifiers: { doi: '10.5555/a' } }, { id: '10.5555/A' }],
      [0, 0],
    ],
    [
      'the same arXiv id',
      [{ identifiers: { arxiv: '2401.00001' } }, { id: 'arXiv:2401.00001v2' }],
      [0, 0],
    ],
    [
      'an arXiv DOI with its arXiv id',
      [{ id: '10.48550/arXiv.2401.00001' }, { id: 'arXiv:2401.00001' }],
      [0, 0],
    ],
    [
      'the same title and year',
      [
        { title, year: 1998 },
        { title: 'the tides.', year: 1998 },
      ],
      [0, 0],
    ],
    [
      'titles that differ in accents',
      [
        { title: 'Möbius', year: 1 },
        { title: 'Mobius', year: 1 },
      ],
      [0, 0],
    ],
    [
      'the same title in different years apart',
      [
        { title, year: 1998 },
        { title, year: 1999 },
      ],
      [0, 1],
    ],
    ['papers without a title apart', [{ year: 1998 }, { year: 1998 }], [0, 1]],
    [
      'papers with a title of punctuation apart',
      [
        { title: '...', year: 1 },
        { title: '?', year: 1 },
      ],
      [0, 1],
    ],
    [
      'the same title with two DOIs apart',
      [
        { title: 'Editorial', year: 1998, identifiers: { doi: '10.5555/a' } },
        { title: 'Editorial', year: 1998, identifiers: { doi: '10.5555/b' } },
      ],
      [0, 1],
    ],
    [
      'a preprint with its paper',
      [
        { title, year: 1998, identifiers: { arxiv: '2401.00001' } },
        { title, year: 1998, identifiers: { doi: '10.5555/a' } },
      ],
      [0, 0],
    ],
    [
      'the DOI of a preprint with that of its paper',
      [
        { title, year: 1998, id: '10.1101/2020.01.01.1' },
        { title, year: 1998, id: '10.5555/a' },
      ],
      [0, 0],
    ],
    [
      'the same title with two PMIDs apart',
      [
        { title, year: 1998, id: 'PMID:7' },
        { title, year: 1998, id: 'PMID:8' },
      ],
      [0, 1],
    ],
    [
      'the same title with two OpenAlex ids, since OpenAlex has papers twice',
      [
        { title, year: 1998, id: 'W7' },
        { title, year: 1998, id: 'W8' },
      ],
      [0, 0],
    ],
    [
      'two papers that a third one connects',
      [
        { identifiers: { doi: '10.5555/a' }, title: 'A' },
        { identifiers: { arxiv: '2401.00001' }, title: 'B' },
        { identifiers: { doi: '10.5555/a', arxiv: '2401.00001' }, title: 'C' },
      ],
      [0, 0, 0],
    ],
    [
      'the same arXiv id with two DOIs',
      [
        { identifiers: { doi: '10.5555/a', arxiv: '2401.00001' } },
        { identifiers: { doi: '10.5555/b', arxiv: '2401.00001' } },
      ],
      [0, 0],
    ],
  ])('groups %s', (_, papers, groups) => {
    expect(groupsOf(papers)).toEqual(groups);
  });

  it('joins papers that are known to be the same', () => {
    const papers = ['a', 'b', 'c', 'd'].map((id) => identityOf(paper({ id })));
    expect(groupSamePapers(papers, [])).toEqual([0, 1, 2, 3]);
    expect(groupSamePapers(papers, [[3, 1]])).toEqual([0, 1, 2, 1]);
  });

  it('gives each group the position of its first paper', () => {
    const maybe = <T>(...values: T[]) => fc.option(fc.constantFrom(...values), { nil: undefined });
    const identifiers = fc.record({
      doi: maybe('10.5555/a', '10.5555/b', '10.1101/c'),
      arxiv: maybe('2401.00001', '2401.00002'),
      openalex: maybe('W1', 'W2'),
    });
    const some = fc.record({
      identifiers: identifiers as fc.Arbitrary<Identifiers>,
      title: fc.constantFrom('', 'A', 'B'),
      year: fc.constantFrom(0, 1998),
    });
    fc.assert(
      fc.property(fc.array(some, { maxLength: 8 }), (papers) => {
        const groups = groupsOf(papers);
        for (const [at, group] of groups.entries()) {
          expect(group).toBeLessThanOrEqual(at);
          expect(groups[group]).toBe(group);
        }
        for (const scheme of ['doi', 'arxiv', 'openalex'] as const) {
          const values = papers.map((one) => one.identifiers[scheme]);
          for (const [at, value] of values.entries()) {
            if (value !== undefined) expect(groups[at]).toBe(groups[values.indexOf(value)]);
          }
        }
      }),
    );
  });
});
