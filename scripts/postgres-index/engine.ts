/** An index in one database or the other, with what the comparison asks of it and notes. */
import type { IndexSource } from '../../src/index/ports/index-source.ts';
import type { Qrels, Run } from '../../src/search/eval/measures.ts';
import type { SearchDeps } from '../../src/search/search.ts';
import { type Question, searchEmbedded } from '../measure/searching.ts';
import { meanOf } from '../measure/statistics.ts';

/** Results per query, as a customer's default and as `verbatim eval` has them. */
const TIMED_RESULTS = 10;
const JUDGED_RESULTS = 100;

export interface Engine {
  name: string;
  source: IndexSource;
  deps: SearchDeps;
  /** Milliseconds of each search. */
  times: number[];
  /** The first ten of each question. */
  tops: Map<string, string[]>;
}

/** Searches once, and notes how long it took and what it found. */
export async function timeSearch(engine: Engine, question: Question): Promise<void> {
  const started = performance.now();
  const { answer } = await searchEmbedded(engine.deps, question, TIMED_RESULTS);
  engine.times.push(performance.now() - started);
  engine.tops.set(
    question.id,
    answer.results.map(({ d }) => d),
  );
}

/** Ranks the documents for each question that has judgments. */
export async function rankJudged(
  { deps }: Engine,
  questions: readonly Question[],
  judged: Qrels,
): Promise<Run> {
  const run: Run = new Map();
  for (const question of questions.filter(({ id }) => judged.has(id))) {
    const { explanation } = await searchEmbedded(deps, question, JUDGED_RESULTS);
    run.set(
      question.id,
      explanation.results.map(({ d, score }) => ({ id: d, score })),
    );
  }
  return run;
}

/** The mean share of the first ten of `wanted` that `found` has among its own. */
export function sharedTops(wanted: Engine, found: Engine): number {
  const shares = [...wanted.tops].map(([id, all]) => {
    const own = new Set(found.tops.get(id));
    return all.filter((one) => own.has(one)).length / Math.max(1, all.length);
  });
  return meanOf(shares);
}
