/** Lane documents among the candidates of an index in memory, with a toy embedder. */
import { describe, expect, it } from 'vitest';
import type { LaneDocument } from '../../src/lanes/lane.ts';
import type { FoundDocument } from '../../src/search/found-documents.ts';
import { createSearchParts, retrieve } from '../../src/search/search.ts';
import { selectFound } from '../../src/search/select-found.ts';
import type { Answer, SourceDocument } from '../../src/types.ts';
import { laneDocumentOf } from '../fallback/fake-lanes.ts';
import {
  addDocuments,
  memoryIndex,
  TOY_DIMENSIONS,
  toyIndexed,
  toyVector,
} from '../store/memory-index.ts';

const LIMITS = {
  ...{ withheldShown: 0, queryTermsMax: 8, postingsMax: 1000, candidatesMax: 125 },
  ...{ denseScannedMax: 1000, scannedWithoutCellsMax: 1000, cellBytesCachedMax: 1_000_000 },
};
const QUESTION = 'The moon pulls the sea.';
const tides = { id: 'tides', title: 'Tides', abstract: `Water rises. ${QUESTION}`, year: 1998 };
const others = Array.from({ length: 20 }, (_, i) => ({
  ...{ id: `other ${i}`, title: `Moths of valley ${i}`, abstract: `Moth ${i} flew to the moon.` },
}));

function ask(
  local: Partial<SourceDocument>[],
  found: Partial<LaneDocument>[],
  { limit = 50, withAbstract = false } = {},
): Answer {
  const db = memoryIndex();
  addDocuments(db, local);
  const parts = createSearchParts(db, TOY_DIMENSIONS, LIMITS);
  const selected = selectFound(found.map(laneDocumentOf), 100).map((source): FoundDocument => {
    const { spans, own, units } = toyIndexed(source);
    return { source, spans, own, units };
  });
  const request = { query: QUESTION, limit, withAbstract };
  return retrieve(request, toyVector(QUESTION), parts, selected).answer;
}

describe('what lanes found', () => {
  it('scores as it would in the index', () => {
    // Statistics are the index's, so the same document must be in there in both cases.
    const twin = { ...tides, id: 'twin', title: 'Tides again' };
    const [inIndex] = ask([...others, tides, twin], []).results.filter(({ d }) => d === 'twin');
    const [fromLane] = ask([...others, tides], [{ ...twin, lane: 'web' }]).results.filter(
      ({ d }) => d === 'twin',
    );
    expect(fromLane).toEqual({ ...inIndex, src: 'web', s: expect.any(Number) });
    expect(Math.abs((fromLane?.s ?? 0) - (inIndex?.s ?? 1))).toBeLessThan(0.05);
  });

  it('leaves the confidence that of the index', () => {
    expect(ask(others, [tides]).c).toBe(ask(others, []).c);
    expect(ask([...others, tides], []).c).toBeGreaterThan(0.99);
  });

  it('is quoted by its best sentence, and its abstract shown without an excerpt', () => {
    const abstract = 'Water rises. It falls.';
    const excerpt = { text: QUESTION, sentences: [{ start: 0, end: QUESTION.length }] };
    const found = { ...tides, abstract, excerpt };
    const [best] = ask(others, [found], { withAbstract: true }).results;
    expect(best).toMatchObject({ d: 'tides', q: QUESTION, ab: abstract, src: 'arxiv' });
  });

  it('is quoted by its title where it has no text', () => {
    const [best] = ask(others, [{ id: 'titled', title: QUESTION }]).results;
    expect(best).toMatchObject({ d: 'titled', q: QUESTION });
  });

  it('is an answer alone where the index is empty', () => {
    const answer = ask([], [tides]);
    expect(answer).toMatchObject({ n: 1, c: 0, results: [{ d: 'tides', src: 'arxiv' }] });
  });

  it('ends the list, unless it is not in it', () => {
    const best = ask(others, [tides]);
    expect(best.results.map(({ d }) => d)).toEqual(['tides']);
    const worse = { id: 'worse', title: 'Yeast', abstract: 'Cells stopped dividing.' };
    const last = ask([tides, ...others], [worse], { limit: 50 });
    expect(last.results.at(-1)?.d).toBe('worse');
    const cut = ask([tides, ...others], [worse], { limit: 3 });
    expect(cut.results.map(({ src }) => src)).toEqual(['corpus', 'corpus', 'corpus']);
  });
});

describe('a paper that the index has too', () => {
  const copy = { ...tides, id: 'arXiv:2401.00001', lane: 'arxiv' } as const;

  it('is the index’s', () => {
    const { results } = ask([...others, tides], [copy]);
    expect(results.filter(({ t }) => t === 'Tides')).toMatchObject([{ d: 'tides', src: 'corpus' }]);
  });

  it('is the lane’s where only that has an abstract', () => {
    const { results } = ask([...others, { ...tides, abstract: '' }], [copy]);
    expect(results.filter(({ t }) => t === 'Tides')).toMatchObject([
      { d: 'arXiv:2401.00001', src: 'arxiv', q: QUESTION },
    ]);
  });

  it('leaves copies within the index alone', () => {
    const { results } = ask([...others, tides, { ...tides, id: 'again' }], [copy], { limit: 3 });
    const ids = results.filter(({ t }) => t === 'Tides').map(({ d }) => d);
    expect(ids.sort()).toEqual(['again', 'tides']);
  });
});
