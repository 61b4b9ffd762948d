/** Finishes a build: makes the index fast to search, in short steps. */
import { setImmediate } from 'node:timers/promises';
import type { Connection } from '../../store/database/connection.ts';
import { needsReclustering, recluster } from '../../store/index/dense/recluster.ts';
import { extendPostings } from '../../store/index/lexical/extend-postings.ts';

export interface FinishOptions {
  /** Called before each step. */
  showStatus: (text: string) => void;
  /** Stops after the current step. The index is consistent after each step. */
  signal: AbortSignal;
}

/**
 * Reclusters the inverted lists if the index has grown, then extends the postings. The next build
 * finishes what is left after a stop.
 */
export async function finishIndex(
  db: Connection,
  { showStatus, signal }: FinishOptions,
): Promise<void> {
  const work = [
    { what: 'reclustering the index', steps: needsReclustering(db) ? recluster(db) : [] },
    { what: 'extending the postings', steps: extendPostings(db) },
  ];
  if (signal.aborted) return;
  for (const { what, steps } of work) {
    for (const share of steps) {
      showStatus(`${what}  ${Math.floor(100 * share)} %`);
      // Lets Ctrl-C through.
      await setImmediate();
      if (signal.aborted) return;
    }
  }
}
