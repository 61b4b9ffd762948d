/**
 * Scores the documents of lanes on the lane threads. Embedding takes nearly all of the time, so the
 * documents are divided among the idle threads.
 */
import type { Answer } from '../../types.ts';
import type { ThreadPool } from '../../workers/pool.ts';
import type { EmbedWhenIdle, ScoringTask, TextVectors } from '../scoring/scoring-task.ts';
import { joinVectors } from '../scoring/speculative-embedding.ts';
import type { LaneResult, LaneTask } from './lane-worker.ts';

export interface LaneScoring {
  /** Resolves to undefined if there was no time to score any document. */
  score(task: ScoringTask): Promise<Answer | undefined>;
  embedWhenIdle: EmbedWhenIdle;
}

/** `threads`: the size of the pool. */
export function createLaneScoring(
  pool: Pick<ThreadPool<LaneTask, LaneResult>, 'run' | 'underWay'>,
  threads: number,
): LaneScoring {
  const idle = (): number => threads - pool.underWay();
  const embedParts = async ({ documents, until, known }: ScoringTask): Promise<TextVectors> => {
    const parts = Math.min(idle(), documents.length);
    // With one idle thread, the one that scores embeds, too.
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
