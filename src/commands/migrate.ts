/** `verbatim migrate`: brings the database of an older version to this one. */
import { Command } from 'commander';
import { type MigrationEvent, migrateStore } from '../database/migrate-store.ts';
import { lockForServing } from '../database/sqlite/process-lock.ts';
import { version } from '../settings/version.ts';
import { formatBytes } from '../text/format-bytes.ts';
import { type CommonOptions, settingsOf, storeOptions, withStoreOptions } from './cli/options.ts';
import { print, printJson } from './cli/output.ts';
import { createProgressDisplay, formatDuration, type ProgressDisplay } from './cli/progress.ts';

interface MigrateOptions extends CommonOptions {
  copy: boolean;
}

export function migrateCommand(): Command {
  return withStoreOptions(new Command('migrate'))
    .description('bring the database of an older version to this one, after a copy beside it')
    .option('--no-copy', 'make no copy; a failed migration still loses nothing')
    .addHelpText(
      'after',
      `
Examples:
  verbatim migrate                    copies verbatim.db to verbatim.db.before-${version}, then migrates it
  verbatim migrate --db papers.db --no-copy

Stop the server and all builds first. \`serve\` and \`start\` migrate by themselves; every other
command refuses an older database. To go back to the older version, stop the server, remove the
files that begin with the database's name and end in -wal or -shm, and rename the copy. Delete the
copy when you no longer need it.`,
    )
    .action(async (options: MigrateOptions) => {
      const settings = settingsOf(options);
      const display = createProgressDisplay(process.stderr, {
        format: options.json ? 'none' : 'text',
      });
      const unlock = await lockForServing(settings.database);
      const interruption = abortCopyOnSignal();
      try {
        const show = showProgress(display, interruption.stop);
        const { from, to, copy } = await migrateStore({
          store: storeOptions(settings),
          withCopy: options.copy,
          onEvent: show,
          signal: interruption.signal,
        });
        display.finish();
        if (options.json) printJson({ from, to, copy: copy ?? null });
        else if (from === to) print(`${settings.database} needs no migration`);
        else print(`${settings.database} is ready for Verbatim ${version}`);
      } finally {
        display.finish();
        interruption.stop();
        unlock();
      }
    });
}

function showProgress(
  display: ProgressDisplay,
  onCopied: () => void,
): (event: MigrationEvent) => void {
  const start = performance.now();
  return (event) => {
    if (event.kind === 'copying') {
      const { bytes, bytesTotal } = event;
      const secondsLeft = ((performance.now() - start) / 1000) * (bytesTotal / bytes - 1);
      const left = bytes === 0 ? '' : `  ${formatDuration(secondsLeft)} left`;
      display.status(`copying  ${formatBytes(bytes)} of ${formatBytes(bytesTotal)}${left}`);
    } else if (event.kind === 'copied') {
      // A step does not listen. Its transaction makes an interruption safe.
      onCopied();
      display.message(`copied the database to ${event.path}`);
    } else {
      display.message(`step ${event.number} of ${event.of}: ${event.name}`);
    }
  };
}

/** The first Ctrl-C ends the copy and removes it. */
function abortCopyOnSignal(): { signal: AbortSignal; stop: () => void } {
  const controller = new AbortController();
  const abort = (): void => controller.abort();
  const names = ['SIGINT', 'SIGTERM'] as const;
  for (const name of names) process.once(name, abort);
  return {
    signal: controller.signal,
    stop() {
      for (const name of names) process.removeListener(name, abort);
    },
  };
}
