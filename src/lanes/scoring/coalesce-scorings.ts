/**
 * Coalesces scorings: searches with the same question and the same documents share one scoring,
 * however many results each of them wants.
 */
import { createHash } from 'node:crypto';
import { CUSTOMER_RESULTS_MAX } from '../../search/result-limit.ts';
import { shapeAnswer } from '../../search/shape-answer.ts';
import type { Answer, SearchRequest } from '../../types.ts';
import type { ScoreDocuments, ScoringTask } from './scoring-task.ts';

export function coalesceScorings(score: ScoreDocuments<Answer>): ScoreDocuments<Answer> {
  const running = new Map<string, Promise<Answer | undefined>>();
  return (task) => {
    const { request } = task;
    const key = keyOf(task);
    let scoring = running.get(key);
    if (scoring === undefined) {
      scoring = score({ ...task, request: widestOf(request) });
      if (scoring === undefined) return undefined;
      running.set(key, scoring);
      const remove = (): void => {
        running.delete(key);
      };
      scoring.then(remove, remove);
    }
    return scoring.then((answer) => answer && narrow(answer, request));
  };
}

/** By content, because some searches got their documents from a response and others from the cache. */
function keyOf({ request, documents }: ScoringTask): string {
  const { query, exclude, filter, sentences, include } = request;
  const text = JSON.stringify([query, exclude, filter, sentences, include, documents]);
  return createHash('sha256').update(text).digest('base64');
}

/** The most that any customer may ask for. Embedding takes a hundred times as long as citing. */
function widestOf(request: SearchRequest): SearchRequest {
  const { minScore: _, minAnswer: _answer, sort: _sort, tokensMax: _tokens, ...unshaped } = request;
  const include = [...(request.include ?? []), 'answers'] as const;
  return { ...unshaped, include, limit: CUSTOMER_RESULTS_MAX, withAbstract: true };
}

/** The answer that a scoring for this request alone would give. */
function narrow(answer: Answer, request: SearchRequest): Answer {
  const { limit, withAbstract, minAnswer = 0, include = [] } = request;
  const first = answer.results.slice(0, limit);
  // With fewer results, another result may be the last one of a lane: see `cutAfterLastExternal`.
  const last = first.findLastIndex(({ src }) => src !== 'corpus');
  const kept = last === -1 ? first : first.slice(0, last + 1);
  const results = kept
    .filter(({ answers = 0 }) => answers >= minAnswer)
    .map(({ ...citation }) => {
      if (!withAbstract) delete citation.ab;
      if (!include.includes('answers')) delete citation.answers;
      return citation;
    });
  return shapeAnswer({ ...answer, n: results.length, results }, request);
}
