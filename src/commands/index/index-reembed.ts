/** `verbatim index reembed`: moves an index to another embedding model. */
import { Command } from 'commander';
import { assertInFile } from '../../index/open/index-place.ts';
import { formatNumber } from '../../text/format-number.ts';
import { lowerPriority } from '../cli/lower-priority.ts';
import { type CommonOptions, parseCount, settingsOf, withModelOptions } from '../cli/options.ts';
import { print, printJson } from '../cli/output.ts';
import { formatDuration } from '../cli/progress.ts';
import type { ReembedReport } from './reembed-index.ts';

interface ReembedOptions extends CommonOptions {
  threads?: number;
}

export function indexReembedCommand(): Command {
  return withModelOptions(new Command('reembed'))
    .description('move the index to another embedding model, in place')
    .option('--threads <n>', 'embedding threads (default: one per core)', parseCount)
    .addHelpText(
      'after',
      `
Examples:
  verbatim index reembed                        to the bundled model, after an update
  verbatim index reembed --model models/other   to the model in a folder

It computes all vectors again from the stored texts, which takes as long as the build did, and needs
no source files. After an interruption, run the same command to go on.

The bundled model fits an index of all-MiniLM-L6-v2, so a server and builds go on meanwhile. For
another model, stop the server: until the command has finished, searches and builds refuse the index.
Then run \`verbatim calibrate\`, because scores differ between models.`,
    )
    .action(async (options: ReembedOptions) => {
      const overrides = options.threads === undefined ? {} : { embedThreads: options.threads };
      const settings = settingsOf(options, overrides);
      assertInFile(
        settings,
        'index reembed',
        `build a new one in another database from \`verbatim index export\`, and move the servers to it`,
      );
      lowerPriority(settings);
      const { reembedIndex } = await import('./reembed-index.ts');
      const report = await reembedIndex(settings, options.json ?? false);
      if (options.json) printJson(report);
      else print(describe(report));
    });
}

function describe({ model, documents, embedded, seconds }: ReembedReport): string {
  const all = formatNumber(documents);
  if (embedded === 0) return `all ${all} documents have vectors of ${model}`;
  const here = `${formatNumber(embedded)} documents embedded in ${formatDuration(seconds)}`;
  return `${here}; all ${all} have vectors of ${model}. Next: verbatim calibrate`;
}
