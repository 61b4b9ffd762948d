/** Shapes a finished answer as its request asks: leaves out results, and sorts them. Pure. */
import type { Answer, Citation, SearchOptions } from '../types.ts';
import { estimateTokens } from './token-estimate.ts';

export type ShapeOptions = Pick<SearchOptions, 'minScore' | 'sort' | 'tokensMax'>;

/**
 * Returns the answer without results below `minScore`, without the least relevant results that
 * exceed `tokensMax`, and sorted. Returns the same answer if the request has none of these.
 */
export function shapeAnswer(answer: Answer, { minScore, sort, tokensMax }: ShapeOptions): Answer {
  if (minScore === undefined && sort === undefined && tokensMax === undefined) return answer;
  const { c } = answer;
  const good = answer.results.filter(({ s }) => s >= (minScore ?? 0));
  const kept = tokensMax === undefined ? good : withinBudget(good, c, tokensMax);
  const results = sort === undefined ? kept : sorted(kept, sort);
  if (tokensMax === undefined) return { n: results.length, c, results };
  return { n: results.length, c, results, dropped: good.length - kept.length };
}

/** Returns the longest beginning whose whole answer, as JSON, has at most this many tokens. */
function withinBudget(results: readonly Citation[], c: number, tokensMax: number): Citation[] {
  let characters = 0;
  let kept = 0;
  for (const [at, result] of results.entries()) {
    // Each result but the first follows a comma.
    characters += JSON.stringify(result).length + (at === 0 ? 0 : 1);
    const n = at + 1;
    const frame = JSON.stringify({ n, c, results: [], dropped: results.length - n });
    if (estimateTokens(frame.length + characters) > tokensMax) break;
    kept = n;
  }
  return results.slice(0, kept);
}

/**
 * The latest or most cited first, and last what is not known. Results with the same value stay in order of
 * relevance.
 */
function sorted(
  results: readonly Citation[],
  sort: NonNullable<SearchOptions['sort']>,
): Citation[] {
  const keyOf = ({ y, citation_count = -1 }: Citation): number =>
    sort === 'year' ? y : citation_count;
  return [...results].sort((a, b) => keyOf(b) - keyOf(a));
}
