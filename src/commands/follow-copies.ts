/**
 * Takes newer copies of the index over on the main thread, and logs it. Threads take them over by
 * themselves, each before its next search.
 */

import type { IndexSource } from '../index/ports/index-source.ts';
import type { Log } from '../log.ts';

export interface FollowOptions {
  log: Pick<Log, 'info' | 'error'>;
  checkMs: number;
  /** Called when another file is searched than before. */
  onSwitch: () => void;
}

/** Polls for a newer copy. Returns the function that stops it. */
export function followCopies(
  index: Pick<IndexSource, 'copy' | 'switches' | 'refresh'>,
  { log, checkMs, onSwitch }: FollowOptions,
): () => void {
  if (index.copy() === undefined) return () => {};
  let refused: string | undefined;
  const timer = setInterval(async () => {
    const [before, count] = [index.copy(), index.switches()];
    const reason = await index.refresh();
    const copy = index.copy();
    if (index.switches() !== count) {
      log.info('index_copy_taken_over', { copy, before });
      onSwitch();
    }
    // A copy that cannot be used stays there: one line is enough.
    if (reason !== undefined && reason !== refused) {
      log.error('index_copy_refused', { reason, searched: copy });
    }
    refused = reason;
  }, checkMs);
  timer.unref();
  return () => clearInterval(timer);
}
