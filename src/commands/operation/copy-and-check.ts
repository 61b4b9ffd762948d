/** Copies a database into a new file and checks the copy, with progress, for `backup` and `restore`. */
import { dirname } from 'node:path';
import { connectForReading } from '../../database/sqlite/connect.ts';
import { type CopyProgress, copyBytes, copyDatabase } from '../../database/sqlite/copy-database.ts';
import { assertRoom } from '../../index/assert-room.ts';
import type { Settings } from '../../settings/config.ts';
import { formatBytes } from '../../text/format-bytes.ts';
import { storeOptions } from '../cli/options.ts';
import { formatDuration, type ProgressDisplay } from '../cli/progress.ts';
import { type BackupTarget, partialPath, publish, removePartial } from './backup-files.ts';
import type { BackupCheck } from './check-backup.ts';
import { checkInProcess } from './check-in-process.ts';

export interface CopyAndCheckOptions {
  settings: Settings;
  /** Undefined: as fast as possible. */
  bytesPerSecondMax: number | undefined;
  display: ProgressDisplay;
  signal: AbortSignal;
  /** The name of the copy in messages about its content. */
  shownAs: string;
  /** Runs before the copy gets its name. */
  beforePublishing?: () => void;
}

const STATUS_INTERVAL_MS = 1_000;

/**
 * The copy has another name until it is complete, checked, and on the disk. Whatever fails, nothing
 * is left. Throws the errors of `copyDatabase` and `checkInProcess`, and those of a target that
 * exists or has no room.
 */
export async function copyAndCheck(
  from: string,
  target: BackupTarget,
  options: CopyAndCheckOptions,
): Promise<BackupCheck> {
  const { display, signal } = options;
  const partial = partialPath(target.path);
  try {
    await copy(from, partial, options);
    const check = await showingTime(display, 'checking the copy', () =>
      checkInProcess(partial, { shownAs: options.shownAs, signal }),
    );
    options.beforePublishing?.();
    publish(partial, target);
    return check;
  } finally {
    removePartial(partial);
    display.finish();
  }
}

async function copy(from: string, partial: string, options: CopyAndCheckOptions): Promise<void> {
  const { settings, bytesPerSecondMax, display, signal } = options;
  const db = connectForReading({ ...storeOptions(settings), path: from });
  try {
    const bytes = copyBytes(db);
    assertRoom(dirname(partial), bytes);
    const { backupBytesPerStep: bytesPerStep, walBytesMax } = settings;
    const onProgress = showCopying(display);
    await copyDatabase(db, partial, {
      bytesPerStep,
      bytesPerSecondMax,
      walBytesMax,
      onProgress,
      signal,
    });
  } finally {
    db.close();
  }
}

function showCopying(display: ProgressDisplay): (progress: CopyProgress) => void {
  const started = performance.now();
  return ({ bytes, bytesTotal }) => {
    const seconds = (performance.now() - started) / 1000;
    const left = (seconds * (bytesTotal - bytes)) / Math.max(bytes, 1);
    display.status(
      `${formatBytes(bytes)} of ${formatBytes(bytesTotal)} copied  ${formatDuration(left)} left`,
    );
  };
}

async function showingTime<Result>(
  display: ProgressDisplay,
  what: string,
  work: () => Promise<Result>,
): Promise<Result> {
  const started = performance.now();
  const timer = setInterval(() => {
    display.status(`${what}  ${formatDuration((performance.now() - started) / 1000)}`);
  }, STATUS_INTERVAL_MS);
  try {
    return await work();
  } finally {
    clearInterval(timer);
  }
}
