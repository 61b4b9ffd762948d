/** `verbatim backup`: copies the database while it is used. */
import { resolve } from 'node:path';
import { Command } from 'commander';
import { noteBackup } from '../../database/sqlite/last-backup.ts';
import { VerbatimError } from '../../errors.ts';
import { isOnPostgres } from '../../index/open/index-place.ts';
import type { Settings } from '../../settings/config.ts';
import { formatBytes } from '../../text/format-bytes.ts';
import { formatNumber } from '../../text/format-number.ts';
import { listenForInterruption } from '../cli/interruption.ts';
import { lowerPriority } from '../cli/lower-priority.ts';
import { type CommonOptions, parseCount, settingsOf, withStoreOptions } from '../cli/options.ts';
import { print, printJson } from '../cli/output.ts';
import { createProgressDisplay, formatDuration } from '../cli/progress.ts';
import {
  type BackupTarget,
  backupTarget,
  deleteOldBackups,
  namingSystemError,
  removeLeftovers,
} from './backup-files.ts';
import type { BackupCheck } from './check-backup.ts';
import { copyAndCheck } from './copy-and-check.ts';

interface BackupOptions extends CommonOptions {
  keep?: number;
}

export function backupCommand(): Command {
  return withStoreOptions(new Command('backup'))
    .description('copy the database while it is used, and check the copy')
    .argument('<path>', 'the new file, or a folder')
    .option('--keep <n>', 'in a folder: delete all but the newest N backups', parseCount)
    .addHelpText(
      'after',
      `
Examples:
  verbatim backup before-upgrade.db
  verbatim backup /backups --keep 7          every night, from a timer

The backup has everything as it was when the command began: index, customers, keys, and ledger. It
holds secrets, so only its owner can read it. In a folder it is called after the database and the
time in UTC, such as verbatim-20261122T140500.000Z.db. No file is ever written over. --keep deletes only
such files, after the new one is complete, and none that a server has opened.

With accounts on PostgreSQL (VERBATIM_ACCOUNTS), customers, keys, and ledger are not in it, and the
command says so: back up PostgreSQL with its own tools, such as pg_dump. The file DATABASE-last-backup
tells \`verbatim doctor\` and the metrics when the last backup was made.

Put a backup back with \`verbatim restore\`.`,
    )
    .action((path: string, options: BackupOptions) => backup(path, options));
}

async function backup(path: string, { keep, ...options }: BackupOptions): Promise<void> {
  const started = performance.now();
  const settings = settingsOf(options);
  const { database, backupBytesPerSecondMax: bytesPerSecondMax } = settings;
  const target = backupTarget(path, database, new Date());
  if (keep !== undefined && !target.isNamedByTime) {
    throw new VerbatimError('usage', `--keep needs a folder, and ${path} is none`);
  }
  const { json = false } = options;
  const display = createProgressDisplay(process.stderr, { format: json ? 'json' : 'text' });
  const interruption = listenForInterruption(display, 'stopping; nothing will be kept');
  try {
    // The server's threads come first.
    lowerPriority(settings);
    removeLeftovers(target, database);
    const { signal } = interruption;
    const check = await copyAndCheck(database, target, {
      settings,
      bytesPerSecondMax,
      display,
      signal,
      shownAs: database,
    });
    noteBackup(database, resolve(target.path));
    const deleted = keep === undefined ? [] : deleteOldBackups(target.folder, database, keep);
    const seconds = (performance.now() - started) / 1000;
    printResult({ target, check, missing: missingParts(settings), deleted, seconds }, json);
  } catch (error) {
    throw namingSystemError(error, target.path);
  } finally {
    interruption.stop();
  }
}

interface BackupResult {
  target: BackupTarget;
  check: BackupCheck;
  /** What is on PostgreSQL, and so not in the backup. */
  missing: string[];
  deleted: string[];
  seconds: number;
}

function missingParts(settings: Settings): string[] {
  return [
    ...(settings.accountsAddress === '' ? [] : ['customers, keys, and the ledger']),
    ...(isOnPostgres(settings) ? ['the index'] : []),
  ];
}

function printResult(
  { target, check, missing, deleted, seconds }: BackupResult,
  json: boolean,
): void {
  const { bytes, entries } = check;
  if (json) {
    printJson({ file: target.path, bytes, entries, missing, deleted, seconds });
    return;
  }
  const audited = entries === null ? '' : ` with ${formatNumber(entries)} ledger entries`;
  print(`${target.path}: ${formatBytes(bytes)}${audited}, checked, in ${formatDuration(seconds)}`);
  for (const path of deleted) print(`deleted ${path}`);
  for (const part of missing) {
    print(
      `NOT in this backup: ${part}, on PostgreSQL; back it up with its own tools, such as pg_dump`,
    );
  }
}
