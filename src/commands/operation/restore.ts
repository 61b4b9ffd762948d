/** `verbatim restore`: puts a backup where a database is missing. */
import { existsSync, rmSync } from 'node:fs';
import { dirname } from 'node:path';
import { Command } from 'commander';
import { lockForRestoring } from '../../database/sqlite/process-lock.ts';
import { walBytes } from '../../database/sqlite/wal.ts';
import { VerbatimError } from '../../errors.ts';
import type { Settings } from '../../settings/config.ts';
import { formatBytes } from '../../text/format-bytes.ts';
import { formatNumber } from '../../text/format-number.ts';
import { listenForInterruption } from '../cli/interruption.ts';
import { type CommonOptions, settingsOf, withStoreOptions } from '../cli/options.ts';
import { formatTime, print, printJson } from '../cli/output.ts';
import { createProgressDisplay } from '../cli/progress.ts';
import { assertFolder, namingSystemError, removeLeftovers } from './backup-files.ts';
import { type BackupCheck, checkBackup } from './check-backup.ts';
import { copyAndCheck } from './copy-and-check.ts';

interface RestoreOptions extends CommonOptions {
  check?: boolean;
}

/** Problems of a file that are printed; it cannot be used with one of them either. */
const PROBLEMS_SHOWN_MAX = 20;

export function restoreCommand(): Command {
  return withStoreOptions(new Command('restore'))
    .description('put a backup where there is no database, after checking it')
    .argument('<file>', 'the backup')
    .option('--check', 'only check the backup, and restore nothing')
    .addHelpText(
      'after',
      `
Examples:
  verbatim restore /backups/verbatim-20261122T140500.000Z.db --check
  mv verbatim.db old.db                      with old.db-wal and old.db-shm, if there are any
  verbatim restore /backups/verbatim-20261122T140500.000Z.db
  verbatim payment reconcile --since 7d      credits again what was bought since the backup

The server must be stopped. The backup is copied and checked, and only then becomes the database. It
stays as it is. A database that exists is never written over.

Everything is as it was when the backup was made: searches since then are not charged, and keys,
passwords, and sessions that were revoked or changed since then are valid again.`,
    )
    .action(async (file: string, options: RestoreOptions) => {
      const settings = settingsOf(options);
      const { json = false } = options;
      if (!existsSync(file)) {
        throw new VerbatimError('unreadable_input', `there is no file ${file}`);
      }
      if (options.check) reportCheck(file, checkBackup(file), json);
      else await restore(file, settings, json);
    });
}

/** Throws `verify_failed` if the file has problems. */
function reportCheck(file: string, check: BackupCheck, json: boolean): void {
  const { problems } = check;
  if (json) printJson({ file, ...check });
  else for (const problem of problems.slice(0, PROBLEMS_SHOWN_MAX)) print(problem);
  if (problems.length > 0) {
    throw new VerbatimError('verify_failed', `${file} is damaged; use another backup`);
  }
  if (!json) print(`${file} is sound: ${describe(check)}`);
}

async function restore(file: string, settings: Settings, json: boolean): Promise<void> {
  const { database } = settings;
  assertFolder(dirname(database));
  const display = createProgressDisplay(process.stderr, { format: json ? 'json' : 'text' });
  const unlock = lockForRestoring(database);
  const interruption = listenForInterruption(display, 'stopping; nothing will be kept');
  try {
    assertNoDatabase(database);
    const target = { folder: dirname(database), path: database, isNamedByTime: false };
    removeLeftovers(target, database);
    const { signal } = interruption;
    const check = await copyAndCheck(file, target, {
      settings,
      bytesPerSecondMax: undefined,
      display,
      signal,
      shownAs: file,
      beforePublishing: () => removeEmptyLog(database),
    });
    if (json) printJson({ file: database, restoredFrom: file, ...check });
    else print(`${database} restored: ${describe(check)}`);
  } catch (error) {
    throw namingSystemError(error, database);
  } finally {
    interruption.stop();
    unlock();
  }
}

/**
 * A log without its database may hold the last transactions of one that was moved away, and SQLite
 * would apply it to any database of this name.
 */
function assertNoDatabase(database: string): void {
  if (existsSync(database)) {
    throw new VerbatimError(
      'already_exists',
      `${database} exists; stop the server and move the file away, with its -wal and -shm files`,
    );
  }
  if (walBytes(database) > 0) {
    throw new VerbatimError(
      'already_exists',
      `${database}-wal belongs to another database; move it to where that database is, under its name`,
    );
  }
}

/** Files without content, of a database that was moved away. */
function removeEmptyLog(database: string): void {
  assertNoDatabase(database);
  for (const end of ['-wal', '-shm']) rmSync(`${database}${end}`, { force: true });
}

function describe({ bytes, tables, entries, ledgerEndsAt }: BackupCheck): string {
  const size = formatBytes(bytes);
  if (entries === null) {
    return `${size}, tables of version ${tables}; its ledger can be audited after \`verbatim migrate\``;
  }
  const end = ledgerEndsAt === null ? '' : `, the last of ${formatTime(ledgerEndsAt)} UTC`;
  return `${size}, ${formatNumber(entries)} ledger entries${end}`;
}
