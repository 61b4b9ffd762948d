import { describe, expect, it } from 'vitest';
import type { CitableDocument } from '../../src/search/citable-document.ts';
import { selectDistinctPapers } from '../../src/search/deduplicate.ts';
import { documentOf } from '../index/memory-index.ts';
import { laneDocumentOf } from '../lanes/fake-lanes.ts';
import { ask } from './ask-index.ts';
import { rankedOf } from './toy-candidates.ts';

const WORDS =
  'the moon pulls the sea twice a day and the water rises in every bay of the cold coast so that ' +
  'boats lie dry for hours while gulls walk over the mud and look for worms that hide below';
const PAPER = {
  title: 'How the tides of the North Sea rise',
  authors: ['Anna Berg', 'Bo Dahl'],
  abstract: 'Water rises. It falls.',
  year: 2024,
};
const OTHER = { ...PAPER, title: 'What the moon does to the shore', abstract: 'It shone.' };

type Scored = Partial<CitableDocument> & { score: number };

async function idsOf(documents: readonly Scored[], limit = 10): Promise<string[]> {
  const read = async (numbers: readonly number[]): Promise<CitableDocument[]> =>
    numbers.map((number) => ({ ...documentOf(documents[number - 1] as Scored), spans: [] }));
  const ranked = documents.map(({ score }, at) => rankedOf({ document: at + 1, score }));
  const papers = await selectDistinctPapers(ranked, { read }, { limit });
  return papers.map(({ cited }) => cited.id);
}

describe('selectDistinctPapers', () => {
  it.each<
    [
      is: 'one' | 'two',
      what: string,
      one: Partial<CitableDocument>,
      other: Partial<CitableDocument>,
    ]
  >([
    ['one', 'with the same title and authors', PAPER, { ...PAPER, abstract: 'Else.' }],
    [
      ...(['one', 'with titles spelled differently, a common author and different years'] as const),
      PAPER,
      {
        title: 'HOW THE TIDES OF THE NORTH-SEA RISE.',
        authors: ['C. Ek', 'Berg, A.'],
        abstract: 'Else.',
        year: 2021,
      },
    ],
    [
      'one',
      'with initials after an author’s name',
      PAPER,
      { ...PAPER, authors: ['Berg A'], abstract: 'Else.' },
    ],
    ['two', 'with different authors', PAPER, { ...PAPER, authors: ['C. Ek'], abstract: 'Else.' }],
    ['two', 'with different titles', PAPER, OTHER],
    ['two', 'without titles', { ...PAPER, title: '' }, { ...OTHER, title: '' }],
    [
      ...(['two', 'with the same short title in different years'] as const),
      { ...PAPER, title: 'Preface' },
      { ...PAPER, title: 'Preface', year: 2020, abstract: 'Else.' },
    ],
    [
      ...(['one', 'with nearly the same abstract'] as const),
      { ...OTHER, authors: [], abstract: WORDS },
      { ...PAPER, abstract: `${WORDS.replace('cold', 'old')} it` },
    ],
    [
      ...(['two', 'with partly equal abstracts'] as const),
      { ...OTHER, abstract: WORDS },
      { ...PAPER, abstract: `${WORDS} and then ${WORDS}` },
    ],
    [
      ...(['two', 'with the same few words instead of an abstract'] as const),
      { ...OTHER, abstract: 'There is no abstract.' },
      { ...PAPER, abstract: 'There is no abstract.' },
    ],
    [
      ...(['one', 'with the same title, the same short abstract and no authors'] as const),
      { ...PAPER, authors: [] },
      { ...PAPER, authors: [] },
    ],
  ])('treats as %s paper(s) two results %s', async (is, _, one, other) => {
    const ids = await idsOf([
      { ...one, id: 'a', score: 0.9 },
      { ...other, id: 'b', score: 0.8 },
    ]);
    expect(ids).toEqual(is === 'one' ? ['a'] : ['a', 'b']);
  });
});

describe('the shown version', () => {
  const plain = { ...PAPER, id: 'a' };
  it.each<[what: string, better: Partial<CitableDocument>]>([
    ['with an abstract', { ...plain, abstract: PAPER.abstract }],
    ['with a DOI', { ...plain, abstract: '', id: '10.5555/a' }],
    ['with a venue', { ...plain, abstract: '', venue: 'Shore' }],
    ['of a later year', { ...plain, abstract: '', year: 2025 }],
  ])('is the one %s if both have the same shown score', async (_, better) => {
    const worse = { ...plain, abstract: '' };
    const [first, second] = [
      { ...worse, id: better.id === 'a' ? 'b' : 'a', score: 0.80041 },
      { ...better, score: 0.80039 },
    ];
    expect(await idsOf([first, second])).toEqual([better.id]);
    expect(await idsOf([first, second], 1)).toEqual([better.id]);
    expect(await idsOf([{ ...first, score: 0.9 }, second])).toEqual([first.id]);
  });
});

describe('an answer', () => {
  it('has `limit` papers, and those of a lower limit are a prefix', async () => {
    const documents = Array.from({ length: 30 }, (_, at) => ({
      ...PAPER,
      title: `${PAPER.title} ${at % 10}`,
      abstract: `Else ${at}.`,
      id: `${at}`,
      score: 1 - Math.floor(at / 3) / 100,
    }));
    const all = await idsOf(documents);
    expect(all).toHaveLength(10);
    for (let limit = 1; limit < 10; limit++) {
      expect(await idsOf(documents, limit)).toEqual(all.slice(0, limit));
    }
  });

  it('lists a paper from two files once and fills up to the limit', async () => {
    const local = [
      { ...PAPER, id: 'acl', identifiers: { acl: 'P19-1001' }, venue: 'Shore' },
      { ...PAPER, id: 'other', year: 2020 },
      ...Array.from({ length: 5 }, (_, at) => ({ id: `${at}`, title: `Moths of valley ${at}` })),
    ];
    const ids = (await ask(local, [], { limit: 4 })).results.map(({ d }) => d);
    expect(ids).toHaveLength(4);
    expect(ids.filter((id) => id === 'acl' || id === 'other')).toHaveLength(1);
  });

  it('lists a paper from the lanes and the index once, even under different ids', async () => {
    const copies = [
      { ...PAPER, id: '10.5555/a', identifiers: { doi: '10.5555/a' }, lane: 'web' as const },
      {
        ...PAPER,
        id: 'arXiv:2401.00001',
        identifiers: { arxiv: '2401.00001' },
        year: 2021,
        lane: 'arxiv' as const,
      },
    ];
    expect(copies.map((copy) => laneDocumentOf(copy).title)).toEqual([PAPER.title, PAPER.title]);
    expect((await ask([], copies)).results).toHaveLength(1);
    expect((await ask([{ ...PAPER, id: 'own', year: 2020 }], copies)).results).toHaveLength(1);
  });
});
