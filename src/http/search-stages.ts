/**
 * The stages of a paid search and their times, in milliseconds.
 *
 *   request ─┬─► queue ─► embed, words, dense, rank, rerank, cite ─┬─► lanes ─► response
 *            └─► ledger (the hold) ────────────────────────────────┘
 */
import type { LocalAnswer } from '../search/threads/search-worker.ts';

/**
 * `queue` is what a local search spends outside of its own steps: it waits for a thread, for other
 * searches of its batch, and for the main thread to take the answer.
 */
export const searchStages = [
  ...(['queue', 'embed', 'words', 'dense', 'rank', 'rerank', 'cite', 'lanes', 'ledger'] as const),
];

export type SearchStage = (typeof searchStages)[number];

/** A stage that a search did not reach is absent. */
export type StageTimes = Partial<Record<SearchStage, number>>;

/** Adds the stages of the local search to `stages` when it has answered. */
export async function timeLocalSearch(
  stages: StageTimes,
  searching: Promise<LocalAnswer>,
): Promise<LocalAnswer> {
  const started = performance.now();
  const local = await searching;
  const { embed, words, dense, rank, rerank = 0, cite } = local.times;
  const own = embed + words + dense + rank + rerank + cite;
  Object.assign(stages, local.times);
  stages.queue = Math.max(0, performance.now() - started - own);
  return local;
}

/** Adds the time of the hold to `stages`, also if it fails. */
export async function timeHold<Result>(
  stages: StageTimes,
  holding: Promise<Result>,
): Promise<Result> {
  const started = performance.now();
  try {
    return await holding;
  } finally {
    stages.ledger = performance.now() - started;
  }
}
