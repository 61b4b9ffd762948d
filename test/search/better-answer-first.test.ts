import { describe, expect, it } from 'vitest';
import { betterAnswerFirst } from '../../src/search/better-answer-first.ts';
import type { Ranked } from '../../src/search/ranked.ts';
import { rankedOf } from './toy-candidates.ts';

const weights = { topAnswer: 0.6, topShare: 0.1 };

/** Documents 1, 2, ... with the cosines of their title and sentences with an answer. */
function documents(...all: { score: number; answers?: number[] }[]): Ranked[] {
  return all.map(({ score, answers }, at) => {
    const ranked = rankedOf({ document: at + 1, score });
    if (answers === undefined) return ranked;
    const answerCosines = Float64Array.from([0.9, ...answers]);
    return { ...ranked, candidate: { ...ranked.candidate, answerCosines } };
  });
}

function shown(ranked: readonly Ranked[]): [document: number, score: number][] {
  return ranked.map(({ document, score }) => [document, score]);
}

describe('betterAnswerFirst', () => {
  it.each<[what: string, first: number[], second: number[], isMoved: boolean]>([
    ['has a sentence much nearer to an answer', [0.1, 0.2, 0.3], [0.1, 0.2, 0.6], true],
    ['has a title much nearer to an answer', [0.1, 0.2, 0.3], [0.6, 0.2, 0.3], true],
    ['has one near sentence instead of two', [0, 0.6, 0.6], [0, 0.1, 0.6], false],
    ['has one near sentence instead of eight', [0, ...Array(8).fill(0.6)], [0, 0.1, 0.6], true],
    ['is hardly nearer', [0.1, 0.2, 0.3], [0.1, 0.2, 0.31], false],
    ['is farther', [0.1, 0.2, 0.3], [0.1, 0.1, 0.1], false],
    ['has no sentences', [0.1, 0.2, 0.3], [0.1], false],
  ])('moves the second document if it %s: %s, %s', (_, first, second, isMoved) => {
    const ranked = documents(
      { score: 0.76, answers: first },
      { score: 0.7, answers: second },
      { score: 0.7, answers: [0.9, 0.9] },
    );
    const [one, two] = isMoved ? [2, 1] : [1, 2];
    expect(shown(betterAnswerFirst(ranked, weights))).toEqual([
      [one, 0.76],
      [two, 0.7],
      [3, 0.7],
    ]);
  });

  it('changes nothing without vectors of answers, and for fewer than two documents', () => {
    for (const scores of [[], [0.5], [0.5, 0.4], [0.5, 0.5]]) {
      const ranked = documents(...scores.map((score) => ({ score })));
      expect(shown(betterAnswerFirst(ranked, weights))).toEqual(shown(ranked));
    }
  });
});
