/** `verbatim index add`: builds and extends the index. */
import { constants, setPriority } from 'node:os';
import { Command } from 'commander';
import { formats } from '../ingest/formats.ts';
import {
  type CommonOptions,
  collect,
  parseCount,
  settingsOf,
  withModelOptions,
} from './options.ts';

interface AddOptions extends CommonOptions {
  format?: string;
  threads?: number;
  embeddings?: string;
  exclude: string[];
  strict?: boolean;
}

export function indexAddCommand(): Command {
  const formatList = formats.map(({ name, description }) => `  ${name.padEnd(16)} ${description}`);
  return withModelOptions(new Command('add'))
    .description('add the documents of files, or of all files in folders, to the index')
    .argument(
      '<paths...>',
      'files, folders, patterns, or - for standard input; plain, gzip or zstd',
    )
    .option('--format <name>', 'format of the files (default: recognised by content)')
    .option('--threads <n>', 'threads that embed (default: the cores)', parseCount)
    .option('--embeddings <file>', 'vectors that `index embed` has written')
    .option('--exclude <pattern>', 'leave out files and folders, as *.pdf; repeatable', collect, [])
    .option('--strict', 'exit code 1 also where a file was passed over')
    .addHelpText(
      'after',
      `
Formats:
${formatList.join('\n')}

A record replaces what its source said before of the same paper, and is passed over if it says
nothing new. After an interruption the same command goes on where it stopped. It runs with low
priority, so that a server on the same machine answers as before.`,
    )
    .action(async (paths: string[], options: AddOptions) => {
      const given = options.threads === undefined ? {} : { embedThreads: options.threads };
      const settings = settingsOf(options, given);
      const report = options.json ? 'json' : 'text';
      // Before any thread starts, which take it over: searches on the same machine go first.
      setPriority(constants.priority.PRIORITY_LOW);
      const { format, embeddings, exclude, strict } = options;
      const { addToIndex } = await import('./add-to-index.ts');
      await addToIndex(paths, { settings, format, embeddings, report, exclude, strict });
    });
}
