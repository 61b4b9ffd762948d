/** `verbatim index stats`: shows what is in the index. */
import { Command } from 'commander';
import { type CommonOptions, settingsOf, withStoreOptions } from '../cli/options.ts';
import { formatNumber, print, printJson } from '../cli/output.ts';
import { withOperatorIndex } from '../cli/with-operator-index.ts';

export function indexStatsCommand(): Command {
  return withStoreOptions(new Command('stats'))
    .description('show what is in the index')
    .action(async (options: CommonOptions) => {
      const { place, ...stats } = await withOperatorIndex(settingsOf(options), (index) =>
        index.stats(),
      );
      if (options.json) {
        printJson(stats);
        return;
      }
      const { documents, sentences, model } = stats;
      print(`documents  ${formatNumber(documents)}`);
      print(`sentences  ${formatNumber(sentences)}`);
      print(`model      ${model === null ? '(none yet)' : model.name}`);
      print(`file       ${place}`);
    });
}
