import { describe, expect, it } from 'vitest';
import type { LaneDocument } from '../../../src/fallback/lane/lane.ts';
import { dropWithheld } from '../../../src/fallback/scoring/drop-withheld.ts';
import { laneDocumentOf } from '../fake-lanes.ts';

const doi = '10.5555/tides';
const paper = laneDocumentOf({ id: doi, identifiers: { doi }, title: 'Tides', abstract: 'A.' });
const copy = laneDocumentOf({
  id: 'arXiv:2001.00001',
  identifiers: { arxiv: '2001.00001', doi },
  lane: 'web',
  title: 'On tides',
  abstract: 'B.',
});
const notice = laneDocumentOf({ id: doi, identifiers: { doi }, withheld: 'retracted' });
const other = laneDocumentOf({ id: 'other', title: 'Moths', abstract: 'C.' });

describe('the documents of lanes that may be shown', () => {
  it.each<[what: string, documents: LaneDocument[], ids: string[]]>([
    ['all, where nothing is withheld', [paper, other], [doi, 'other']],
    ['not one that was retracted', [{ ...paper, withheld: 'retracted' }, other], ['other']],
    ['nor its copies', [paper, copy, notice, other], ['other']],
    [
      'nor those of the same title and year',
      [
        laneDocumentOf({ id: 'x', title: 'Tides' }),
        laneDocumentOf({ id: 'y', title: 'Tides', withheld: 'retracted' }),
      ],
      [],
    ],
    [
      'the published copy of a withdrawn preprint',
      [{ ...copy, withheld: 'withdrawn' }, paper],
      [doi],
    ],
    ['none', [], []],
  ])('are %s', (_, documents, ids) => {
    expect(dropWithheld(documents).map(({ id }) => id)).toEqual(ids);
  });

  it('know what all copies are known by, their own first', () => {
    const s2 = { ...copy, id: 'CorpusId:1', identifiers: { s2: '1', doi } };
    expect(dropWithheld([paper, copy, s2]).map(({ identifiers }) => identifiers)).toEqual(
      Array(3).fill({ doi, arxiv: '2001.00001', s2: '1' }),
    );
  });
});
