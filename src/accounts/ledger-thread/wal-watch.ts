/**
 * Keeps the write-ahead log of a served database short. SQLite's own checkpoints start it again only
 * when nobody reads at that time, which under load may not happen for long.
 */

import { walBytes } from '../../database/sqlite/wal.ts';
import { type WalReader, walReaders } from '../../database/sqlite/wal-readers.ts';
import type { Log } from '../../log.ts';
import { every } from '../../workers/every.ts';

export interface WalWatchOptions {
  database: string;
  log: Log;
  /** Resolves to whether the log is empty. */
  emptyWal: (waitMs: number) => Promise<boolean>;
  walCheckMs: number;
  walCheckpointBytes: number;
  walCheckpointWaitMs: number;
  walBytesMax: number;
}

/**
 * Empties the log when it has grown. Other processes may hold it back, and cannot be ended from
 * here: beyond `walBytesMax` their numbers and commands are logged as `wal_held_back`, again at each
 * doubling, and `wal_released` when it is over. Returns the function that stops the watch.
 */
export function watchWal(options: WalWatchOptions): () => void {
  const { database, log, emptyWal, walCheckpointBytes, walCheckpointWaitMs, walBytesMax } = options;
  let loggedBytes = 0;
  return every(options.walCheckMs, async () => {
    const bytes = walBytes(database);
    if (bytes < walCheckpointBytes) {
      if (loggedBytes > 0) log.info('wal_released', { bytes });
      loggedBytes = 0;
      return;
    }
    const readers = walReaders(database);
    // An attempt would fail, and writers would have waited for it.
    if (readers.length === 0 && (await emptyWal(walCheckpointWaitMs))) return;
    if (bytes < Math.max(walBytesMax, 2 * loggedBytes)) return;
    loggedBytes = bytes;
    log.error('wal_held_back', { bytes, by: describe(readers) });
  });
}

function describe(readers: readonly WalReader[]): string {
  const names = readers.map(({ pid, command }) => `process ${pid}: ${command}`);
  return names.length > 0 ? names.join('; ') : 'unknown';
}
