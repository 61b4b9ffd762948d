/** `verbatim index embed`: computes vectors for builds on another machine. */
import { Command } from 'commander';
import { ENCODINGS_SHOWN } from '../../ingest/read/encoding.ts';
import { lowerPriority } from '../cli/lower-priority.ts';
import {
  type CommonOptions,
  parseCount,
  settingsOf,
  withConfigOption,
  withModelOption,
} from '../cli/options.ts';

interface EmbedOptions extends CommonOptions {
  out: string;
  format?: string;
  encoding?: string;
  threads?: number;
}

export function indexEmbedCommand(): Command {
  return withConfigOption(withModelOption(new Command('embed')))
    .description('write the vectors of the texts in files, for `index add --embeddings`')
    .argument('<paths...>', 'files, folders, patterns, or -, as for `index add`')
    .requiredOption('--out <file>', 'file of vectors; existing vectors are kept')
    .option('--format <name>', 'format of the files (default: recognized by content)')
    .option('--encoding <name>', `encoding of the files: ${ENCODINGS_SHOWN}, ...`)
    .option('--threads <n>', 'embedding threads (default: one per core)', parseCount)
    .option('--json', 'print JSON for programs')
    .addHelpText(
      'after',
      `
Example: one machine embeds, another machine builds the index.
  verbatim index embed --out papers.vectors papers.jsonl.gz
  verbatim index add --embeddings papers.vectors papers.jsonl.gz

The file finds a vector by its text, so it may contain more texts than a build needs, or fewer: the
build embeds the rest. After an interruption, run the same command to resume.`,
    )
    .action(async (paths: string[], options: EmbedOptions) => {
      const overrides = options.threads === undefined ? {} : { embedThreads: options.threads };
      const settings = settingsOf(options, overrides);
      lowerPriority(settings);
      const { embedInto } = await import('./embed-into.ts');
      await embedInto(paths, { ...options, settings });
    });
}
