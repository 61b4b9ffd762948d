/** The end of every build: the index is made fast to search, in short steps. */
import { setImmediate } from 'node:timers/promises';
import type { Connection } from '../store/database/connection.ts';
import { arrangeCells, needsArranging } from '../store/index/dense/recluster.ts';
import { extendPostings } from '../store/index/lexical/extend-postings.ts';

export interface ArrangeOptions {
  /** Called before each step. */
  showStatus: (text: string) => void;
  /** Ends it after the step under way; the index is sound after each. */
  signal: AbortSignal;
}

/** Arranges the cells where the index has grown, and its postings. The next build does what is left. */
export async function arrangeIndex(
  db: Connection,
  { showStatus, signal }: ArrangeOptions,
): Promise<void> {
  const work = [
    { what: 'arranging the index', steps: needsArranging(db) ? arrangeCells(db) : [] },
    { what: 'listing who has which word', steps: extendPostings(db) },
  ];
  if (signal.aborted) return;
  for (const { what, steps } of work) {
    for (const share of steps) {
      showStatus(`${what}  ${Math.floor(100 * share)} %`);
      // Lets a Ctrl-C through.
      await setImmediate();
      if (signal.aborted) return;
    }
  }
}
