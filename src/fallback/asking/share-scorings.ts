/**
 * Single flight for scoring: searches that ask the same question, and have the same documents of
 * lanes for it, share one scoring, however many results each wants.
 */
import { createHash } from 'node:crypto';
import { CUSTOMER_RESULTS_MAX } from '../../search/candidates.ts';
import type { Answer, SearchRequest } from '../../types.ts';
import type { ScoreFound, ScoringTask } from './fallback.ts';

export function shareScorings(score: ScoreFound<Answer>): ScoreFound<Answer> {
  const underWay = new Map<string, Promise<Answer | undefined>>();
  return (task) => {
    const { request } = task;
    const key = keyOf(task);
    let scoring = underWay.get(key);
    if (scoring === undefined) {
      // All that anybody may ask for; embedding takes a hundred times as long as citing.
      const widest = { ...request, limit: CUSTOMER_RESULTS_MAX, withAbstract: true };
      scoring = score({ ...task, request: widest });
      if (scoring === undefined) return undefined;
      underWay.set(key, scoring);
      const forget = (): void => {
        underWay.delete(key);
      };
      scoring.then(forget, forget);
    }
    return scoring.then((answer) => answer && narrow(answer, request));
  };
}

/** By content: documents come from a provider's answer for some, from the cache for others. */
function keyOf({ request, documents }: ScoringTask): string {
  const text = JSON.stringify([request.query, documents]);
  return createHash('sha256').update(text).digest('base64');
}

/** What a scoring for this request alone would have answered. */
function narrow(answer: Answer, { limit, withAbstract }: SearchRequest): Answer {
  const first = answer.results.slice(0, limit);
  // As in `cutAfterLastExternal`: with fewer results, another one may be the last of a lane.
  const last = first.findLastIndex(({ src }) => src !== 'corpus');
  const kept = last === -1 ? first : first.slice(0, last + 1);
  const results = withAbstract ? kept : kept.map(({ ab: _, ...citation }) => citation);
  return { ...answer, n: results.length, results };
}
