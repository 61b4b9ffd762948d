import { describe, expect, it } from 'vitest';
import type { LaneDocument } from '../../../src/lanes/lane/lane.ts';
import {
  dropWithheld,
  type QuotableDocument,
  selectDocuments,
} from '../../../src/lanes/scoring/select-documents.ts';
import { laneDocumentOf } from '../fake-lanes.ts';

function documents(lane: LaneDocument['lane'], ids: string[]): LaneDocument[] {
  return ids.map((id) => laneDocumentOf({ id, lane, title: `On ${id}`, abstract: 'It rose.' }));
}

function select(documents: readonly LaneDocument[], most: number): QuotableDocument[] {
  return selectDocuments(documents, {
    laneDocumentsScoredMax: most,
    laneSentenceCharactersMax: 40,
  });
}

const idsOf = (selected: readonly { id: string }[]): string[] => selected.map(({ id }) => id);

describe('selectDocuments', () => {
  const all = [
    ...documents('arxiv', ['a1', 'a2', 'a3']),
    ...documents('semantic_scholar', ['s1']),
    ...documents('web', ['w1', 'w2']),
  ];

  it('interleaves the lanes by rank', () => {
    expect(idsOf(select(all, 10))).toEqual(['a1', 's1', 'w1', 'a2', 'w2', 'a3']);
  });

  it.each([0, 1, 4, 6])('selects at most %i documents', (most) => {
    const ids = idsOf(select(all, most));
    expect(ids).toEqual(idsOf(select(all, 10)).slice(0, most));
  });

  it.each<
    [what: string, first: Partial<LaneDocument>, second: Partial<LaneDocument>, kept: string]
  >([
    ['the first of equal copies', { abstract: 'A.' }, { abstract: 'B.' }, 'first'],
    ['the copy with an abstract', {}, { abstract: 'B.' }, 'second'],
    [
      'a copy with an abstract rather than an excerpt',
      { excerpt: passage('X.') },
      { abstract: 'B.' },
      'second',
    ],
    ['a copy with an excerpt rather than a title', {}, { excerpt: passage('X.') }, 'second'],
    [
      'the first copy if it has the abstract',
      { abstract: 'A.' },
      { excerpt: passage('X.') },
      'first',
    ],
  ])('keeps %s of several copies of a paper', (_, first, second, kept) => {
    const same = { title: 'Tides', year: 1998 };
    const selected = select(
      [
        laneDocumentOf({ ...same, id: 'first', ...first }),
        laneDocumentOf({ ...same, id: 'second', lane: 'web', ...second }),
      ],
      10,
    );
    expect(idsOf(selected)).toEqual([kept]);
  });

  it.each<[what: string, fields: Partial<LaneDocument>, sentences: string[]]>([
    ['of an abstract', { abstract: 'It rose. It fell.' }, ['It rose.', 'It fell.']],
    [
      'that the provider marked',
      { abstract: 'It rose. It fell.', sentences: [{ start: 9, end: 17 }] },
      ['It fell.'],
    ],
    [
      'of an abstract without boilerplate',
      { abstract: 'Abstract: It rose. © 2019 Berg AG.' },
      ['It rose.'],
    ],
    ['of an excerpt', { excerpt: passage('It ebbed.') }, ['It ebbed.']],
    [
      'of an abstract, then of an excerpt',
      { abstract: 'It rose. It fell.', excerpt: passage('It ebbed.') },
      ['It rose.', 'It fell.', 'It ebbed.'],
    ],
    ['of a bare title: none', {}, []],
    [
      'that are short enough to be sentences',
      { abstract: `It rose. ${'One row, and the next row, '.repeat(3)}. It fell.` },
      ['It rose.', 'It fell.'],
    ],
    [
      'that contain a word',
      {
        abstract: 'A b c d. It rose.',
        sentences: [
          { start: 0, end: 8 },
          { start: 9, end: 17 },
        ],
      },
      ['It rose.'],
    ],
  ])('quotes the sentences %s', (_, fields, sentences) => {
    const [selected] = select([laneDocumentOf(fields)], 1);
    const { abstract = '', sentences: spans = [], ownAbstract } = selected ?? {};
    expect(spans.map(({ start, end }) => abstract.slice(start, end))).toEqual(sentences);
    expect(ownAbstract).toBe(fields.abstract ?? '');
  });
});

function passage(text: string): NonNullable<LaneDocument['excerpt']> {
  return { text, sentences: [{ start: 0, end: text.length }] };
}

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

describe('dropWithheld', () => {
  it.each<[what: string, documents: LaneDocument[], ids: string[]]>([
    ['all documents if none is withheld', [paper, other], [doi, 'other']],
    ['no retracted paper', [{ ...paper, withheld: 'retracted' }, other], ['other']],
    ['no copies of a retracted paper', [paper, copy, notice, other], ['other']],
    [
      'no paper with the title and year of a retracted one',
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
    ['nothing of nothing', [], []],
  ])('keeps %s', (_, documents, ids) => {
    expect(dropWithheld(documents).map(({ id }) => id)).toEqual(ids);
  });

  it('gives each document the identifiers of all its copies, its own first', () => {
    const s2 = { ...copy, id: 'CorpusId:1', identifiers: { s2: '1', doi } };
    expect(dropWithheld([paper, copy, s2]).map(({ identifiers }) => identifiers)).toEqual(
      Array(3).fill({ doi, arxiv: '2001.00001', s2: '1' }),
    );
  });
});
