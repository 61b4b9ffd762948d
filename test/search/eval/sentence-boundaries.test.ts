import { describe, expect, it } from 'vitest';
import {
  compareBoundaries,
  measureBoundaries,
} from '../../../src/search/eval/sentence-boundaries.ts';

const ANNOTATED = {
  id: '1',
  text: 'It rose. It fell. It stood.',
  sentences: ['It rose.', 'It fell. ', 'It stood.'],
};

describe('compareBoundaries', () => {
  it('finds nothing but shared boundaries in the annotated spans', () => {
    const comparison = compareBoundaries(ANNOTATED, [span(0, 8), span(9, 17), span(18, 27)]);
    expect(comparison).toMatchObject({ shared: [8, 17], extra: [], missed: [] });
  });

  it('distinguishes extra boundaries from missed ones', () => {
    const comparison = compareBoundaries(ANNOTATED, [span(0, 8), span(9, 11), span(12, 27)]);
    expect(comparison).toMatchObject({ shared: [8], extra: [11], missed: [17] });
  });

  it('aligns a sentence that occurs twice in order', () => {
    const twice = { id: '2', text: 'No. No. Yes.', sentences: ['No.', 'No.', 'Yes.'] };
    expect(compareBoundaries(twice, [span(0, 12)]).missed).toEqual([3, 7]);
  });

  it('throws if an annotated sentence is not in the text', () => {
    const wrong = { ...ANNOTATED, sentences: ['It sank.'] };
    expect(() => compareBoundaries(wrong, [])).toThrow('text 1: sentence not found');
  });
});

describe('measureBoundaries', () => {
  it('gives each boundary the same weight', () => {
    const whole = compareBoundaries(ANNOTATED, [span(0, 8), span(9, 17), span(18, 27)]);
    const part = compareBoundaries(ANNOTATED, [span(0, 8), span(9, 11), span(12, 27)]);
    const measures = measureBoundaries([whole, part]);
    expect(measures).toMatchObject({ textCount: 2, exactCount: 1, exactShare: 0.5 });
    expect(measures).toMatchObject({ sharedCount: 3, extraCount: 1, missedCount: 1 });
    expect(measures).toMatchObject({ precision: 0.75, recall: 0.75, f1: 0.75 });
    expect(measures.f1WithFinal).toBeCloseTo(10 / 12);
  });

  it('is perfect for no texts', () => {
    expect(measureBoundaries([])).toMatchObject({ f1: 1, f1WithFinal: 1, exactShare: 1 });
  });
});

function span(start: number, end: number): { start: number; end: number } {
  return { start, end };
}
