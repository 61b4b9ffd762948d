import { describe, expect, it } from 'vitest';
import type { LaneDocument } from '../../../src/fallback/lane/lane.ts';
import {
  type QuotableDocument,
  selectDocuments,
} from '../../../src/fallback/scoring/select-documents.ts';
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

describe('selectFound', () => {
  const all = [
    ...documents('arxiv', ['a1', 'a2', 'a3']),
    ...documents('semantic_scholar', ['s1']),
    ...documents('web', ['w1', 'w2']),
  ];

  it('lets the lanes take turns, each with its best first', () => {
    expect(idsOf(select(all, 10))).toEqual(['a1', 's1', 'w1', 'a2', 'w2', 'a3']);
  });

  it.each([0, 1, 4, 6])('takes %i at most', (most) => {
    const ids = idsOf(select(all, most));
    expect(ids).toEqual(idsOf(select(all, 10)).slice(0, most));
  });

  it.each<
    [what: string, first: Partial<LaneDocument>, second: Partial<LaneDocument>, kept: string]
  >([
    ['the first of equals', { abstract: 'A.' }, { abstract: 'B.' }, 'first'],
    ['the one with an abstract', {}, { abstract: 'B.' }, 'second'],
    ['an abstract before an excerpt', { excerpt: passage('X.') }, { abstract: 'B.' }, 'second'],
    ['an excerpt before a title', {}, { excerpt: passage('X.') }, 'second'],
    ['the first with an abstract', { abstract: 'A.' }, { excerpt: passage('X.') }, 'first'],
  ])('keeps %s of one paper', (_, first, second, kept) => {
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
      'that the provider told',
      { abstract: 'It rose. It fell.', sentences: [{ start: 9, end: 17 }] },
      ['It fell.'],
    ],
    ['but no boilerplate', { abstract: 'Abstract: It rose. © 2019 Berg AG.' }, ['It rose.']],
    ['of an excerpt', { excerpt: passage('It ebbed.') }, ['It ebbed.']],
    [
      'of an abstract and behind it of an excerpt',
      { abstract: 'It rose. It fell.', excerpt: passage('It ebbed.') },
      ['It rose.', 'It fell.', 'It ebbed.'],
    ],
    ['of nothing', {}, []],
    [
      'that are short enough to be one',
      { abstract: `It rose. ${'One row, and the next row, '.repeat(3)}. It fell.` },
      ['It rose.', 'It fell.'],
    ],
    [
      'that have a word',
      {
        abstract: 'A b c d. It rose.',
        sentences: [
          { start: 0, end: 8 },
          { start: 9, end: 17 },
        ],
      },
      ['It rose.'],
    ],
  ])('has the sentences %s', (_, fields, sentences) => {
    const [selected] = select([laneDocumentOf(fields)], 1);
    const { abstract = '', sentences: spans = [], ownAbstract } = selected ?? {};
    expect(spans.map(({ start, end }) => abstract.slice(start, end))).toEqual(sentences);
    expect(ownAbstract).toBe(fields.abstract ?? '');
  });
});

function passage(text: string): NonNullable<LaneDocument['excerpt']> {
  return { text, sentences: [{ start: 0, end: text.length }] };
}
