/** `verbatim index optimize`: makes the database file smaller and faster to read. */
import { statSync } from 'node:fs';
import { Command } from 'commander';
import { lockForServing } from '../../store/database/process-lock.ts';
import { optimizeIndex } from '../../store/index/documents/optimize.ts';
import {
  type CommonOptions,
  settingsOf,
  withExistingStore,
  withStoreOptions,
} from '../cli/options.ts';
import { formatBytes, print, printJson } from '../cli/output.ts';
import { createProgressDisplay } from '../cli/progress.ts';

export function indexOptimizeCommand(): Command {
  return withStoreOptions(new Command('optimize'))
    .description('rewrite the file: merged full text, no unused pages; stop the server first')
    .action(async (options: CommonOptions) => {
      const settings = settingsOf(options);
      const display = createProgressDisplay(process.stderr, {
        format: options.json ? 'json' : 'text',
      });
      const bytesBefore = statSync(settings.database, { throwIfNoEntry: false })?.size ?? 0;
      const unlock = await lockForServing(settings.database);
      try {
        withExistingStore(settings, (db) => {
          for (const step of optimizeIndex(db)) display.message(step);
        });
      } finally {
        unlock();
      }
      const bytes = statSync(settings.database).size;
      if (options.json) printJson({ bytesBefore, bytes });
      else print(`${formatBytes(bytesBefore)} before, ${formatBytes(bytes)} now`);
    });
}
