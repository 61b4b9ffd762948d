/**
 * Scores the units of a document, its title and its sentences, against the query. Pure.
 *
 * The coverage of a unit is the share of the query's terms that occur in it, weighted by IDF.
 */
import { FIRST_SENTENCE } from '../index/dense/embeddings.ts';
import { maskBit } from '../index/lexical/term-vectors.ts';
import type { Candidate } from './candidates.ts';

/** The weight of full coverage, relative to a cosine of 1, when documents are ranked. */
export const COVERAGE_WEIGHT = 0.1;

/** The highest sum of cosine and weighted coverage among the title and the sentences. */
export function scoreBestUnit({ cosines, matches }: Candidate): number {
  let best = Number.NEGATIVE_INFINITY;
  for (let i = 1; i < cosines.length; i++) {
    const cosine = cosines[i] as number;
    // Most units cannot win, even with full coverage.
    if (cosine + COVERAGE_WEIGHT <= best) continue;
    let coverage = 0;
    for (const { inTitle, mask, share } of matches) {
      const isThere = i < FIRST_SENTENCE ? inTitle : isIn(mask, i - FIRST_SENTENCE);
      if (isThere) coverage += share;
    }
    best = Math.max(best, cosine + COVERAGE_WEIGHT * coverage);
  }
  return best;
}

/** The coverage of one sentence. */
export function sentenceCoverage(
  { matches }: Pick<Candidate, 'matches'>,
  sentence: number,
): number {
  return matches.reduce((sum, { mask, share }) => sum + (isIn(mask, sentence) ? share : 0), 0);
}

function isIn(mask: number, sentence: number): boolean {
  return ((mask >>> maskBit(sentence)) & 1) === 1;
}
