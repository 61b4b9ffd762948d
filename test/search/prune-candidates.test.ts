/** Compares pruning with a sort of all documents. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { WordMatches } from '../../src/index/lexical/lexical-retrieval.ts';
import type { DenseMatches } from '../../src/index/ports/index-source.ts';
import { LEXICAL_WEIGHT, MARGIN, startPruning } from '../../src/search/prune-candidates.ts';

/** The assumed cosine of a document outside the probed lists. */
const FARTHEST = 0.1;

interface Case {
  document: number;
  /** The approximate cosine. */
  cosine: number;
  isNear: boolean;
  /** 0 if no word matches. */
  weight: number;
  isWithheld: boolean;
}

const cosine = fc.integer({ min: -10, max: 10 }).map((tenths) => Math.fround(tenths / 10));
const cases = fc
  .array(
    fc.record({
      cosine,
      isNear: fc.boolean(),
      weight: fc.constantFrom(0, 0, 1, 2, 3),
      isWithheld: fc.integer({ min: 0, max: 9 }).map((one) => one === 0),
    }),
    { maxLength: 60 },
  )
  .map((all): Case[] => all.map((one, at) => ({ ...one, document: 3 * at + 1 })));

function matchesOf(all: readonly Case[]): WordMatches {
  const found = all.filter(({ weight }) => weight > 0);
  return {
    documents: Uint32Array.from(found, ({ document }) => document),
    weights: Float64Array.from(found, ({ weight }) => weight),
    isFound: (document) => found.some((one) => one.document === document),
  };
}

function caseOf(all: readonly Case[], document: number): Case {
  return all.find((one) => one.document === document) as Case;
}

function nearOf(all: readonly Case[], nearest: number): Pick<DenseMatches, 'nearest' | 'scores'> {
  const asked = Array.from(matchesOf(all).documents, (document) => caseOf(all, document));
  const isUnknown = (at: number): boolean => asked[at]?.isNear === false;
  return {
    nearest: all
      .filter(({ isNear }) => isNear)
      .map(({ document, cosine: score }) => ({ document, score }))
      .sort((a, b) => b.score - a.score || a.document - b.document)
      .slice(0, nearest),
    scores: {
      scores: Float32Array.from(asked, ({ isNear, cosine: own }) => (isNear ? own : FARTHEST)),
      unknown: Uint32Array.from([...asked.keys()].filter(isUnknown)),
    },
  };
}

describe('startPruning', () => {
  it('keeps the best by cosine and words, and reads the unprobed documents that might be among them', () => {
    const most = fc.integer({ min: 1, max: 20 });
    fc.assert(
      fc.property(cases, most, most, most, (all, candidatesMax, unprobedMax, nearestMax) => {
        const withheld = new Map(
          all.filter(({ isWithheld }) => isWithheld).map(({ document }) => [document, {}]),
        );
        const near = nearOf(all, nearestMax);
        const limits = { candidatesMax, unprobedMax, withheld };
        const { unscored, finish } = startPruning(matchesOf(all), near, limits);
        const scores = unscored.map((document) => caseOf(all, document).cosine);
        const chosen = finish(Float32Array.from(scores));

        const weightMax = Math.max(...all.map(({ weight }) => weight));
        const forWords = ({ weight }: Case): number =>
          weight > 0 ? (LEXICAL_WEIGHT * weight) / weightMax : 0;
        const nearest = new Set(near.nearest.map(({ document }) => document));
        const known = all.filter(
          ({ document, isNear, weight }) => (isNear && weight > 0) || nearest.has(document),
        );
        const far = all.filter(({ isNear, weight }) => !isNear && weight > 0);
        const best = (
          scored: readonly (readonly [number, number])[],
        ): (readonly [number, number])[] =>
          scored
            .filter(([document]) => !withheld.has(document))
            .sort(([a, scoreA], [b, scoreB]) => scoreB - scoreA || a - b)
            .slice(0, candidatesMax);
        const scoreOf = (one: Case, own: number): readonly [number, number] => [
          one.document,
          Math.fround(own + forWords(one)),
        ];
        const first = best(known.map((one) => scoreOf(one, one.cosine)));
        const worst = first.length < candidatesMax ? -Infinity : (first.at(-1)?.[1] as number);
        const wanted = far
          .filter((one) => Math.fround(FARTHEST + forWords(one)) >= worst - MARGIN)
          .sort((a, b) => b.weight - a.weight || a.document - b.document)
          .slice(0, unprobedMax);
        expect([...unscored].sort()).toEqual(wanted.map(({ document }) => document).sort());

        const second = far.map((one) =>
          scoreOf(one, wanted.includes(one) ? one.cosine : Math.fround(FARTHEST)),
        );
        const expected = best([...known.map((one) => scoreOf(one, one.cosine)), ...second]);
        expect([...chosen].sort()).toEqual(expected.map(([document]) => document).sort());
      }),
      { numRuns: 500 },
    );
  });
});
