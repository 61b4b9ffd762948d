/**
 * `verbatim index optimize`: makes the database file smaller and faster to read. It keeps its
 * priority: a step of low priority would hold the lock longer on a busy machine.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { Command } from 'commander';
import { openExistingStore } from '../../database/open.ts';
import type { Connection } from '../../database/sqlite/connection.ts';
import { copyBytes } from '../../database/sqlite/copy-database.ts';
import { namingFault } from '../../database/sqlite/faults.ts';
import { canFreePages, unusedBytes } from '../../database/sqlite/free-pages.ts';
import { lockForServing } from '../../database/sqlite/process-lock.ts';
import { emptyWal } from '../../database/sqlite/wal.ts';
import { VerbatimError } from '../../errors.ts';
import { type OptimizeStep, optimizeInSteps, rewriteFile } from '../../index/documents/optimize.ts';
import { assertInFile } from '../../index/open/index-place.ts';
import type { Settings } from '../../settings/config.ts';
import { formatBytes } from '../../text/format-bytes.ts';
import { listenForInterruption } from '../cli/interruption.ts';
import { type CommonOptions, settingsOf, storeOptions, withStoreOptions } from '../cli/options.ts';
import { print, printJson } from '../cli/output.ts';
import { createProgressDisplay, type ProgressDisplay } from '../cli/progress.ts';

interface OptimizeOptions extends CommonOptions {
  rewrite?: boolean;
}

export function indexOptimizeCommand(): Command {
  return withStoreOptions(new Command('optimize'))
    .description('merge the full text and give unused pages back, also while it is served')
    .option('--rewrite', 'rewrite the whole file; stop the server first')
    .addHelpText(
      'after',
      `
Examples:
  verbatim index optimize                    after removing many documents
  verbatim index optimize --rewrite          once, for a file of an earlier version

Without --rewrite it works in short transactions while others search and write, and may be
interrupted. --rewrite also brings related pages together, which needs the size of the file in free
disk space, and the file for itself. Files that an earlier version created give no pages back until
they are rewritten.`,
    )
    .action(async (options: OptimizeOptions) => {
      const settings = settingsOf(options);
      assertInFile(
        settings,
        'index optimize',
        'PostgreSQL keeps its tables in order by itself (autovacuum)',
      );
      const { json = false } = options;
      const display = createProgressDisplay(process.stderr, { format: json ? 'json' : 'text' });
      const result = await (options.rewrite ? rewrite : optimize)(settings, display);
      display.finish();
      if (json) printJson(result);
      else print(describe(result));
    });
}

interface Result {
  bytesBefore: number;
  bytes: number;
  /** Of pages that stay in the file without being used. */
  bytesUnused: number;
}

async function optimize(settings: Settings, display: ProgressDisplay): Promise<Result> {
  const interruption = listenForInterruption(display, 'stopping after the current step');
  try {
    return await withStore(settings, async (db) => {
      const shown = createStepDisplay(display);
      for (const step of optimizeInSteps(db, settings.optimizePagesPerStep)) {
        shown(step);
        // Lets others write, and Ctrl-C through.
        await sleep(settings.optimizePauseMs);
        if (interruption.signal.aborted) {
          throw new VerbatimError('interrupted', 'interrupted; run the same command to go on');
        }
      }
      emptyWal(db, settings.walCheckpointWaitMs);
      if (!canFreePages(db) && unusedBytes(db) > 0) {
        display.message('to give the unused pages back, rewrite the file once: --rewrite');
      }
    });
  } finally {
    interruption.stop();
  }
}

async function rewrite(settings: Settings, display: ProgressDisplay): Promise<Result> {
  const unlock = await lockForServing(settings.database);
  try {
    return await withStore(settings, async (db) => {
      const shown = createStepDisplay(display);
      for (const step of rewriteFile(db)) shown(step);
    });
  } finally {
    unlock();
  }
}

async function withStore(
  settings: Settings,
  work: (db: Connection) => Promise<void>,
): Promise<Result> {
  const db = openExistingStore(storeOptions(settings));
  try {
    const bytesBefore = copyBytes(db);
    await work(db);
    return { bytesBefore, bytes: copyBytes(db), bytesUnused: unusedBytes(db) };
  } catch (error) {
    throw namingFault(error, settings.database);
  } finally {
    db.close();
  }
}

/** Prints what begins, and how far it is. */
function createStepDisplay(display: ProgressDisplay): (step: OptimizeStep) => void {
  let last = '';
  return ({ what, share }) => {
    if (what !== last) display.message(what);
    last = what;
    if (share !== undefined) display.status(`${what}  ${Math.floor(100 * share)} %`);
  };
}

function describe({ bytesBefore, bytes, bytesUnused }: Result): string {
  const unused = bytesUnused > 0 ? `, ${formatBytes(bytesUnused)} of it unused` : '';
  return `${formatBytes(bytesBefore)} before, ${formatBytes(bytes)} now${unused}`;
}
