/** `verbatim index embed`: computes vectors for builds on another machine. */
import { Command, Option } from 'commander';
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
  out?: string;
  textsOut?: string;
  format?: string;
  encoding?: string;
  threads?: number;
}

export function indexEmbedCommand(): Command {
  return withConfigOption(withModelOption(new Command('embed')))
    .description('write the vectors of the texts in files, for `index add --embeddings`')
    .argument('<paths...>', 'files, folders, patterns, or -, as for `index add`')
    .option('--out <file>', 'file of vectors; existing vectors are kept')
    .addOption(
      new Option('--texts-out <file>', 'write the texts instead, one JSON string a line').conflicts(
        'out',
      ),
    )
    .option('--format <name>', 'format of the files (default: recognized by content)')
    .option('--encoding <name>', `encoding of the files: ${ENCODINGS_SHOWN}, ...`)
    .option('--threads <n>', 'embedding threads (default: one per core)', parseCount)
    .option('--json', 'print JSON for programs')
    .addHelpText(
      'after',
      `
Example: two machines embed, a third builds the index.
  verbatim index embed --out a.vectors a.jsonl.gz
  verbatim index embed --out b.vectors b.jsonl.gz
  verbatim index add --embeddings a.vectors --embeddings b.vectors a.jsonl.gz b.jsonl.gz

Example: a program in PyTorch embeds, on a GPU (see models/README.md).
  verbatim index embed --texts-out texts.jsonl papers.jsonl.gz
  python3 models/build/embed_texts.py FOLDER texts.jsonl papers.vectors

The file finds a vector by its text, so it may contain more texts than a build needs, or fewer: the
build embeds the rest. After an interruption, run the same command to resume.`,
    )
    .action(async (paths: string[], options: EmbedOptions, command: Command) => {
      const { textsOut } = options;
      const out = textsOut ?? options.out;
      if (out === undefined) command.error("error: required option '--out <file>' not specified");
      const overrides = options.threads === undefined ? {} : { embedThreads: options.threads };
      const settings = settingsOf(options, overrides);
      lowerPriority(settings);
      const { embedInto } = await import('./embed-into.ts');
      await embedInto(paths, { ...options, settings, out, isOfTexts: textsOut !== undefined });
    });
}
