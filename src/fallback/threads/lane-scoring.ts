/**
 * Scoring what lanes return on threads of their own. Embedding takes nearly all of it, so the
 * documents are shared out among the threads that are idle.
 */

import type { Answer } from '../../types.ts';
import type { ThreadPool } from '../../workers/pool.ts';
import type { ScoringTask } from '../fallback.ts';
import {
  type EmbedWhenIdle,
  joinVectors,
  type TextVectors,
} from '../scoring/speculative-embedding.ts';
import type { LaneResult, LaneTask } from './lane-worker.ts';

export interface LaneScoring {
  /** Resolves to undefined where there was no time to score any of the documents. */
  score(task: ScoringTask): Promise<Answer | undefined>;
  embedWhenIdle: EmbedWhenIdle;
}

/** `threads`: of the pool. */
export function createLaneScoring(
  pool: Pick<ThreadPool<LaneTask, LaneResult>, 'run' | 'underWay'>,
  threads: number,
): LaneScoring {
  const idle = (): number => threads - pool.underWay();
  const embedParts = async ({ documents, until, known }: ScoringTask): Promise<TextVectors> => {
    const parts = Math.min(idle(), documents.length);
    // One thread embeds while it scores.
    if (parts < 2) return known;
    const embedded = Array.from({ length: parts }, (_, part) => {
      const own = documents.filter((_, at) => at % parts === part);
      return pool.run({ kind: 'embed', documents: own, until, known, parts });
    });
    return joinVectors([known, ...((await Promise.all(embedded)) as TextVectors[])]);
  };
  return {
    async score(task) {
      const known = await embedParts(task);
      return (await pool.run({ kind: 'score', ...task, known })) as Answer | undefined;
    },
    embedWhenIdle: (task) =>
      idle() > 0
        ? (pool.run({ kind: 'embed', ...task, known: new Map(), parts: 1 }) as Promise<TextVectors>)
        : undefined,
  };
}
