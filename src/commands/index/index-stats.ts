/** `verbatim index stats`: shows what is in the index. */
import { statSync } from 'node:fs';
import { Command } from 'commander';
import { formatBytes } from '../../format-bytes.ts';
import { readModel, readTotals } from '../../store/index/index-facts.ts';
import {
  type CommonOptions,
  settingsOf,
  withStoreForReading,
  withStoreOptions,
} from '../cli/options.ts';
import { formatNumber, print, printJson } from '../cli/output.ts';

export function indexStatsCommand(): Command {
  return withStoreOptions(new Command('stats'))
    .description('show what is in the index')
    .action((options: CommonOptions) => {
      const settings = settingsOf(options);
      const { totals, model } = withStoreForReading(settings, (db) => ({
        totals: readTotals(db),
        model: readModel(db) ?? null,
      }));
      const bytes = statSync(settings.database).size;
      if (options.json) {
        printJson({ ...totals, model, bytes });
        return;
      }
      print(`documents  ${formatNumber(totals.documents)}`);
      print(`sentences  ${formatNumber(totals.sentences)}`);
      print(`model      ${model === null ? '(none yet)' : model.name}`);
      print(`file       ${settings.database}, ${formatBytes(bytes)}`);
    });
}
