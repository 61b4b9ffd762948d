/**
 * Writes that wait for nobody: while another connection has the lock they wait in memory, and are
 * tried again after a while.
 */
import { isBusy } from './open.ts';

export interface WriteLater {
  /** Writes now if that can be done without waiting, else later. */
  flush(): void;
  /** Tries a last time, and gives up what cannot be written now. */
  close(): void;
}

export interface PendingWrites {
  isEmpty(): boolean;
  /** Writes all that is pending in one transaction. Throws where the lock is held. */
  write(): void;
  clear(): void;
}

export function createWriteLater(pending: PendingWrites, retryMs: number): WriteLater {
  let timer: NodeJS.Timeout | undefined;
  const flush = (): void => {
    clearTimeout(timer);
    if (pending.isEmpty()) return;
    try {
      pending.write();
      pending.clear();
    } catch (error) {
      // A full disk or a damaged table is no reason to fail a search.
      if (isBusy(error)) timer = setTimeout(flush, retryMs).unref();
      else pending.clear();
    }
  };
  return {
    flush,
    close() {
      flush();
      clearTimeout(timer);
    },
  };
}
