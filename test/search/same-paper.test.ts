import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  groupSamePapers,
  type IdentifiedDocument,
  identityOf,
} from '../../src/search/same-paper.ts';

function paper(fields: Partial<IdentifiedDocument>): IdentifiedDocument {
  return { id: 'x', title: '', year: 0, ...fields };
}

/** The groups of papers that are told apart by their ids and nothing else said. */
function groupsOf(papers: Partial<IdentifiedDocument>[]): number[] {
  return groupSamePapers(
    papers.map((fields, i) => identityOf(paper({ id: `id ${i}`, ...fields }))),
  );
}

describe('identityOf', () => {
  it.each<
    [what: string, fields: Partial<IdentifiedDocument>, doi?: string | undefined, arxivId?: string]
  >([
    ['a DOI as id', { id: '10.5555/Tides' }, '10.5555/tides'],
    ['a DOI beside the id', { id: 's2:1', doi: '10.5555/TIDES' }, '10.5555/tides'],
    ['an arXiv id', { id: 'arXiv:2401.00001' }, undefined, '2401.00001'],
    ['an arXiv id of a version', { id: 'arXiv:2401.00001v3' }, undefined, '2401.00001'],
    ['a bare arXiv id', { id: '2401.00001' }, undefined, '2401.00001'],
    ['an old arXiv id', { id: 'arXiv:hep-ex/0307015v1' }, undefined, 'hep-ex/0307015'],
    ['an old arXiv id of a part', { id: 'math.GT/0309136' }, undefined, 'math.gt/0309136'],
    ['arXiv’s own DOI', { id: '10.48550/arXiv.2401.00001' }, undefined, '2401.00001'],
    [
      'a journal’s DOI and an arXiv id',
      { id: '10.5555/tides', doi: '10.5555/tides', arxivId: '2401.00001' },
      '10.5555/tides',
      '2401.00001',
    ],
    ['an id that is neither', { id: 'sample:tides' }],
    ['a number', { id: '24010' }],
  ])('reads %s', (_, fields, doi, arxivId) => {
    expect(identityOf(paper(fields))).toMatchObject({ doi, arxivId });
  });
});

describe('groupSamePapers', () => {
  const title = 'The Tides';
  it.each<[what: string, papers: Partial<IdentifiedDocument>[], groups: number[]]>([
    ['nothing', [], []],
    [
      'other papers',
      [
        { title: 'A', year: 1 },
        { title: 'B', year: 1 },
      ],
      [0, 1],
    ],
    ['one DOI in two cases', [{ doi: '10.5555/A' }, { id: '10.5555/a' }], [0, 0]],
    ['one arXiv id', [{ arxivId: '2401.00001' }, { id: 'arXiv:2401.00001v2' }], [0, 0]],
    [
      'arXiv’s DOI and its id',
      [{ id: '10.48550/arXiv.2401.00001' }, { id: 'arXiv:2401.00001' }],
      [0, 0],
    ],
    [
      'one title and year',
      [
        { title, year: 1998 },
        { title: 'the tides.', year: 1998 },
      ],
      [0, 0],
    ],
    [
      'accents in a title',
      [
        { title: 'Möbius', year: 1 },
        { title: 'Mobius', year: 1 },
      ],
      [0, 0],
    ],
    [
      'one title in two years',
      [
        { title, year: 1998 },
        { title, year: 1999 },
      ],
      [0, 1],
    ],
    ['no title', [{ year: 1998 }, { year: 1998 }], [0, 1]],
    [
      'a title of marks',
      [
        { title: '...', year: 1 },
        { title: '?', year: 1 },
      ],
      [0, 1],
    ],
    [
      'one title of two DOIs',
      [
        { title: 'Editorial', year: 1998, doi: '10.5555/a' },
        { title: 'Editorial', year: 1998, doi: '10.5555/b' },
      ],
      [0, 1],
    ],
    [
      'a preprint and the paper',
      [
        { title, year: 1998, arxivId: '2401.00001' },
        { title, year: 1998, doi: '10.5555/a' },
      ],
      [0, 0],
    ],
    [
      'two that a third one joins',
      [
        { doi: '10.5555/a', title: 'A' },
        { arxivId: '2401.00001', title: 'B' },
        { doi: '10.5555/a', arxivId: '2401.00001', title: 'C' },
      ],
      [0, 0, 0],
    ],
    [
      'an arXiv id in two DOIs',
      [
        { doi: '10.5555/a', arxivId: '2401.00001' },
        { doi: '10.5555/b', arxivId: '2401.00001' },
      ],
      [0, 0],
    ],
  ])('tells %s', (_, papers, groups) => {
    expect(groupsOf(papers)).toEqual(groups);
  });

  it('gives each group the position of its first paper, whatever the papers', () => {
    const some = fc.record({
      doi: fc.constantFrom(undefined, '10.5555/a', '10.5555/b'),
      arxivId: fc.constantFrom(undefined, '2401.00001', '2401.00002'),
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
        for (const key of ['doi', 'arxivId'] as const) {
          for (const [at, one] of papers.entries()) {
            const same = papers.findIndex((other) => other[key] === one[key]);
            if (one[key] !== undefined) expect(groups[at]).toBe(groups[same]);
          }
        }
      }),
    );
  });
});
