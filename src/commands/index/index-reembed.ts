/** `verbatim index reembed`: moves an index to another embedding model. */
import { Command } from 'commander';
import { assertInFile } from '../../index/open/index-place.ts';
import { formatNumber } from '../../text/format-number.ts';
import { describeCertainty } from '../cli/describe-certainty.ts';
import { lowerPriority } from '../cli/lower-priority.ts';
import {
  type CommonOptions,
  collect,
  parseCount,
  settingsOf,
  withModelOptions,
} from '../cli/options.ts';
import { print, printJson } from '../cli/output.ts';
import { formatDuration } from '../cli/progress.ts';
import type { ReembedReport } from './reembed-index.ts';

interface ReembedOptions extends CommonOptions {
  threads?: number;
  embeddings?: string[];
}

export function indexReembedCommand(): Command {
  return withModelOptions(new Command('reembed'))
    .description('move the index to another embedding model, in place')
    .option('--threads <n>', 'embedding threads (default: one per core)', parseCount)
    .option('--embeddings <file>', 'file of vectors written elsewhere; repeatable', collect)
    .addHelpText(
      'after',
      `
Examples:
  verbatim index reembed                        to the bundled model, after an update
  verbatim index reembed --model models/other   to the model in a folder

It computes all vectors again from the stored texts, which takes as long as the build did, and needs
no source files. After an interruption, run the same command to go on. For the model of the index, the
command gives up what another run has begun.

A server goes on meanwhile. The bundled model fits an index of all-MiniLM-L6-v2, so its vectors take
the place of the old ones one by one. Those of another model are written beside the old ones, which
takes as much disk as these. When all are there and a sample was checked, searches change over in one
moment. A running server then opens the same folder, which it must be able to read. A build that runs
delays that. Set VERBATIM_MODEL afterwards, and the threshold of the lanes that the command prints.`,
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
      const { json = false, embeddings } = options;
      const report = await reembedIndex(settings, { json, embeddings });
      if (options.json) printJson(report);
      else for (const line of describe(report)) print(line);
    });
}

function describe(report: ReembedReport): string[] {
  const { model, documents, embedded, seconds, calibration } = report;
  const all = formatNumber(documents);
  if (embedded === 0) return [`all ${all} documents have vectors of ${model}`];
  const here = `${formatNumber(embedded)} documents embedded in ${formatDuration(seconds)}`;
  return [
    `${here}; all ${all} have vectors of ${model}`,
    ...(calibration === undefined
      ? []
      : ['threshold of the lanes:', ...describeCertainty(calibration)]),
  ];
}
