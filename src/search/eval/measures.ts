/**
 * Ranking measures as trec_eval defines them, averaged over the queries that have a relevant
 * document. Pure.
 */

/** The grade of each document for each query. A document without a grade is not relevant. */
export type Qrels = Map<string, Map<string, number>>;

export interface RunEntry {
  id: string;
  score: number;
}

/** The ranked documents of each query, best first. */
export type Run = Map<string, RunEntry[]>;

export interface Measures {
  'nDCG@10': number;
  'R@100': number;
  'MRR@10': number;
}

/** The means over all queries. A query that is missing from the run counts as 0. */
export function evaluateRun(run: Run, qrels: Qrels): Measures {
  const sums: Measures = { 'nDCG@10': 0, 'R@100': 0, 'MRR@10': 0 };
  let queries = 0;
  for (const [query, grades] of qrels) {
    if (![...grades.values()].some((grade) => grade > 0)) continue;
    const ranked = (run.get(query) ?? []).map(({ id }) => grades.get(id) ?? 0);
    queries++;
    sums['nDCG@10'] += ndcg(ranked, [...grades.values()], 10);
    sums['R@100'] += recall(ranked, [...grades.values()], 100);
    sums['MRR@10'] += reciprocalRank(ranked, 10);
  }
  const mean = (sum: number): number => (queries === 0 ? 0 : sum / queries);
  return {
    'nDCG@10': mean(sums['nDCG@10']),
    'R@100': mean(sums['R@100']),
    'MRR@10': mean(sums['MRR@10']),
  };
}

/**
 * Normalized discounted cumulative gain with the grade itself as gain (Järvelin and Kekäläinen,
 * "Cumulated gain-based evaluation of IR techniques", 2002).
 */
export function ndcg(ranked: readonly number[], grades: readonly number[], depth: number): number {
  const ideal = [...grades].sort((a, b) => b - a);
  const best = discountedGain(ideal, depth);
  return best === 0 ? 0 : discountedGain(ranked, depth) / best;
}

function discountedGain(grades: readonly number[], depth: number): number {
  return grades
    .slice(0, depth)
    .reduce((sum, grade, index) => sum + Math.max(0, grade) / Math.log2(index + 2), 0);
}

function recall(ranked: readonly number[], grades: readonly number[], depth: number): number {
  const relevant = grades.filter((grade) => grade > 0).length;
  return ranked.slice(0, depth).filter((grade) => grade > 0).length / relevant;
}

function reciprocalRank(ranked: readonly number[], depth: number): number {
  const index = ranked.slice(0, depth).findIndex((grade) => grade > 0);
  return index === -1 ? 0 : 1 / (index + 1);
}
