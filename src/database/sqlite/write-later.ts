/**
 * Writes that never wait. While another connection holds the lock, they stay in memory and are
 * retried later.
 */
import { isBusy } from './connect.ts';

export interface WriteLater {
  /** Writes now if possible without waiting, otherwise later. */
  flush(): void;
  /** Tries a last time and drops what cannot be written. */
  close(): void;
}

export interface PendingWrites {
  isEmpty(): boolean;
  /** Writes everything pending in one transaction. Throws if the lock is held. */
  write(): void;
  clear(): void;
}

/** `onFailure` receives why pending writes were dropped. */
export function createWriteLater(
  pending: PendingWrites,
  retryMs: number,
  onFailure: (error: unknown) => void,
): WriteLater {
  let timer: NodeJS.Timeout | undefined;
  const flush = (): void => {
    clearTimeout(timer);
    if (pending.isEmpty()) return;
    try {
      pending.write();
      pending.clear();
    } catch (error) {
      // A full disk or a damaged table must not fail a search.
      if (isBusy(error)) timer = setTimeout(flush, retryMs).unref();
      else {
        onFailure(error);
        pending.clear();
      }
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
