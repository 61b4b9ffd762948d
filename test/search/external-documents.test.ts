/** Lane documents among the candidates of an index in memory, with a toy embedder. */
import { describe, expect, it } from 'vitest';
import type { WrittenIdentifiers } from '../../src/identity/identifiers.ts';
import type { LaneDocument } from '../../src/lanes/lane/lane.ts';
import { type FoundPaper, toDocuments } from '../../src/lanes/providers/to-documents.ts';
import { splitSentences } from '../../src/text/split-sentences.ts';
import type { Answer } from '../../src/types.ts';
import { ask, QUESTION } from './ask-index.ts';

const tides = { id: 'tides', title: 'Tides', abstract: `Water rises. ${QUESTION}`, year: 1998 };
const others = Array.from({ length: 20 }, (_, i) => ({
  id: `other ${i}`,
  title: `Moths of valley ${i}`,
  abstract: `Moth ${i} flew to the moon.`,
}));

describe('a document from a lane', () => {
  it('gets the score that it would have in the index', async () => {
    // The term statistics come from the index, so it must contain the same document in both cases.
    const twin = { ...tides, id: 'twin', title: 'Tides again' };
    const [inIndex] = (await ask([...others, tides, twin], [])).results.filter(
      ({ d }) => d === 'twin',
    );
    const [fromLane] = (await ask([...others, tides], [{ ...twin, lane: 'web' }])).results.filter(
      ({ d }) => d === 'twin',
    );
    expect(fromLane).toEqual({ ...inIndex, src: 'web', s: expect.any(Number) });
    expect(Math.abs((fromLane?.s ?? 0) - (inIndex?.s ?? 1))).toBeLessThan(0.05);
  });

  it('does not change the confidence, which is about the index', async () => {
    expect((await ask(others, [tides])).c).toBe((await ask(others, [])).c);
    expect((await ask([...others, tides], [])).c).toBeGreaterThan(0.99);
  });

  it('is quoted by its best sentence, and its abstract is shown without the excerpt', async () => {
    const abstract = 'Water rises. It falls.';
    const excerpt = { text: QUESTION, sentences: [{ start: 0, end: QUESTION.length }] };
    const found = { ...tides, abstract, excerpt };
    const [best] = (await ask(others, [found], { withAbstract: true })).results;
    expect(best).toMatchObject({ d: 'tides', q: QUESTION, ab: abstract, src: 'arxiv' });
  });

  it('is quoted by its title if it has no text', async () => {
    const [best] = (await ask(others, [{ id: 'titled', title: QUESTION }])).results;
    expect(best).toMatchObject({ d: 'titled', q: QUESTION });
  });

  it('is the only result if the index is empty', async () => {
    const answer = await ask([], [tides]);
    expect(answer).toMatchObject({ n: 1, c: 0, results: [{ d: 'tides', src: 'arxiv' }] });
  });

  it('ends the list of results if it is among them', async () => {
    const best = await ask(others, [tides]);
    expect(best.results.map(({ d }) => d)).toEqual(['tides']);
    const worse = { id: 'worse', title: 'Yeast', abstract: 'Cells stopped dividing.' };
    const last = await ask([tides, ...others], [worse], { limit: 50 });
    expect(last.results.at(-1)?.d).toBe('worse');
    const cut = await ask([tides, ...others], [worse], { limit: 3 });
    expect(cut.results.map(({ src }) => src)).toEqual(['corpus', 'corpus', 'corpus']);
  });
});

describe('a paper that both a lane and the index have', () => {
  const copy = { ...tides, id: 'arXiv:2401.00001', lane: 'arxiv' } as const;

  it('is shown from the index', async () => {
    const { results } = await ask([...others, tides], [copy]);
    expect(results.filter(({ t }) => t === 'Tides')).toMatchObject([{ d: 'tides', src: 'corpus' }]);
  });

  it('is shown from the lane if only the lane has an abstract', async () => {
    const { results } = await ask([...others, { ...tides, abstract: '' }], [copy]);
    expect(results.filter(({ t }) => t === 'Tides')).toMatchObject([
      { d: 'arXiv:2401.00001', src: 'arxiv', q: QUESTION },
    ]);
  });

  it.each([
    ['retracted', []],
    [undefined, ['tides']],
  ] as const)('is shown only if the index does not withhold it: %s', async (withheld, expected) => {
    const identifiers = { doi: '10.5555/tides' };
    const own = { ...tides, identifiers, ...(withheld === undefined ? {} : { withheld }) };
    const { results } = await ask([...others, own], [{ ...copy, identifiers }]);
    expect(results.filter(({ t }) => t === 'Tides').map(({ d }) => d)).toEqual(expected);
  });

  it('is shown once if the index has it twice', async () => {
    const { results } = await ask([...others, tides, { ...tides, id: 'again' }], [copy], {
      limit: 3,
    });
    const sources = results.filter(({ t }) => t === 'Tides').map(({ src }) => src);
    expect(sources).toEqual(['corpus']);
  });
});

describe('a paper whose title differs in a lane and the index', () => {
  const SICI = '10.1002/(sici)1097-4679(199901)55:1<1::aid-jclp1>3.0.co;2-a';
  const ARXIV_DOI = '10.48550/arxiv.2401.00001';

  it.each<[id: string, written: WrittenIdentifiers]>([
    ['10.5555/tides', { doi: '10.5555/TIDES' }],
    ['10.5555/tides', { doi: 'https://doi.org/10.5555/tides' }],
    ['10.5555/tides', { doi: 'http://dx.doi.org/10.5555/Tides' }],
    ['10.5555/tides', { doi: 'doi: 10.5555/tides' }],
    ['10.5555/tides', { doi: '10.5555/tides.' }],
    [SICI, { doi: '10.1002/(SICI)1097-4679(199901)55:1<1::AID-JCLP1>3.0.CO;2-A' }],
    [SICI, { doi: `https://doi.org/${encodeURI(SICI)}` }],
    ['10.1000.10/abc', { doi: '10.1000.10/ABC' }],
    ['arXiv:2401.00001', { arxiv: '2401.00001v2' }],
    ['arXiv:2401.00001', { arxiv: 'http://arxiv.org/abs/2401.00001v3' }],
    ['arXiv:2401.00001', { arxiv: 'https://arxiv.org/pdf/2401.00001.pdf' }],
    ['arXiv:2401.00001', { arxiv: 'https://arxiv.org/abs/2401.00001?context=cs' }],
    ['arXiv:2401.00001', { doi: '10.48550/arXiv.2401.00001' }],
    [ARXIV_DOI, { arxiv: 'arXiv:2401.00001' }],
    [ARXIV_DOI, { doi: `https://doi.org/${ARXIV_DOI}` }],
    ['arXiv:math/0309136', { arxiv: 'math.GT/0309136' }],
    ['arXiv:math/0309136', { arxiv: 'http://arxiv.org/abs/math/0309136v1' }],
    ['arXiv:hep-ex/0307015', { arxiv: 'Hep-Ex/0307015v1' }],
    ['PMID:7', { pmid: 'https://pubmed.ncbi.nlm.nih.gov/7/' }],
    ['PMID:7', { pmid: '7', doi: '10.5555/tides' }],
    ['PMC7', { pmcid: '7' }],
    ['PMC7', { pmcid: 'pmc7' }],
    ['ACL:P19-1001', { acl: 'p19-1001' }],
    ['ACL:P19-1001', { doi: '10.18653/V1/P19-1001' }],
    ['W5', { openalex: 'https://openalex.org/W5' }],
    ['CorpusId:9', { s2: 9 }],
  ])('is matched to the id %s by the identifiers %j', async (id, identifiers) => {
    const copies = laneCopiesOf({ id: 'provider:1', identifiers });
    const { results } = await ask([...others, { ...tides, id }], copies, { limit: 3 });
    expect(quoting(results)).toEqual([[id, 'corpus']]);
  });

  it('is a different paper if no identifier matches', async () => {
    const copies = laneCopiesOf({ id: 'provider:1', identifiers: { doi: '10.5555/other' } });
    const { results } = await ask([...others, { ...tides, id: '10.5555/tides' }], copies);
    // The index's document ranks lower, and the list ends with the last lane result.
    expect(quoting(results)).toEqual([['10.5555/other', 'arxiv']]);
  });

  it('is matched by the identifiers of any of its records', async () => {
    const known = { doi: '10.5555/tides', arxiv: '2401.00001', pmid: '7' };
    const source = { ...tides, id: '10.5555/tides', identifiers: known };
    for (const identifiers of [{ arxiv: '2401.00001v2' }, { pmid: 7 }]) {
      const { results } = await ask([...others, source], laneCopiesOf({ id: '', identifiers }));
      expect(quoting(results)).toEqual([['10.5555/tides', 'corpus']]);
    }
  });

  it('is not matched by a number in the address of a page', async () => {
    const copies = laneCopiesOf({
      id: 'https://ex.org/9',
      identifiers: { doi: 'https://ex.org/9' },
    });
    const { results } = await ask([...others, { ...tides, id: 'CorpusId:9' }], copies);
    expect(quoting(results)).toEqual([['https://ex.org/9', 'arxiv']]);
  });
});

/** A lane's document with the question's sentence and another title. */
function laneCopiesOf(paper: Pick<FoundPaper, 'id' | 'identifiers'>): LaneDocument[] {
  const { abstract, year } = tides;
  const documents = toDocuments([{ ...paper, title: 'Of tides', abstract, year }], {
    lane: 'arxiv',
    provider: 'arxiv',
    isStorable: true,
    split: splitSentences,
    limits: {
      titleCharactersMax: 100,
      abstractCharactersMax: 100,
      authorsMax: 1,
      laneResultsMax: 10,
      laneSentenceCharactersMax: 1_000,
    },
  });
  expect(documents).toHaveLength(1);
  return documents;
}

/** Ids and sources of the results that quote the question's sentence. */
function quoting(results: Answer['results']): [string, string][] {
  return results.filter(({ q }) => q === QUESTION).map(({ d, src }) => [d, src]);
}
