/** Checks the database file of a running server, once after the start and then from time to time. */

import type { Damage, DamageRegister } from '../database/damage/damage-register.ts';
import { isOfIndex } from '../database/damage/parts.ts';
import { isOnPostgres } from '../index/open/index-place.ts';
import type { Log } from '../log.ts';
import type { Settings } from '../settings/config.ts';
import { every } from '../workers/every.ts';
import { type FileCheckProcess, startFileCheckProcess } from './file-check-process.ts';

export interface FileChecksOptions {
  settings: Pick<
    Settings,
    'database' | 'readOnlyIndex' | 'indexAddress' | 'fileCheckIntervalHours'
  >;
  /** The settings file that `--config` names; the process of a check reads the same one. */
  config?: string | undefined;
  log: Log;
  damage: DamageRegister;
  /** Counts the copies of the index that were taken over. */
  switches: () => number;
}

const HOUR_MS = 3_600_000;

/** Starts the first check. Returns the function that ends the one that runs, and starts no other. */
export function startFileChecks(options: FileChecksOptions): () => Promise<void> {
  const { settings, config, log, damage, switches } = options;
  const { database, readOnlyIndex, fileCheckIntervalHours } = settings;
  if (fileCheckIntervalHours === 0) return async () => {};
  let running: FileCheckProcess | undefined;
  let isStopped = false;

  async function check(): Promise<void> {
    const found: Damage[] = [];
    const copies = switches();
    // Nothing is known here of an index on PostgreSQL, and of a copy that replaced the one that is read.
    const isInFile = (part: string): boolean =>
      !isOfIndex(part) || (!isOnPostgres(settings) && switches() === copies);
    const onDamage = (one: Damage): void => {
      if (!isInFile(one.part)) return;
      found.push(one);
      // Now, because the end may be hours away.
      damage.report(one);
    };
    const finish = damage.beginCheck(isInFile);
    const begin = performance.now();
    running = startFileCheckProcess({ database, config, readOnlyIndex, onDamage });
    const end = await running.ended;
    running = undefined;
    if ('reason' in end) {
      // What was found stays known, and nothing is known to be sound.
      if (!isStopped) log.warn('file_check_failed', { reason: end.reason });
      return;
    }
    finish(found.filter(({ part }) => isInFile(part)));
    log.info('file_checked', {
      ms: Math.round(performance.now() - begin),
      damaged: found.length,
      longest_read: end.longestRead,
      longest_read_ms: end.longestReadMs,
    });
  }

  void check();
  const stopRepeating = every(fileCheckIntervalHours * HOUR_MS, async () => {
    if (running === undefined) await check();
  });
  return async () => {
    isStopped = true;
    stopRepeating();
    running?.stop();
    await running?.ended;
  };
}
