/** `verbatim index add`: builds and extends the index. */
import { constants, setPriority } from 'node:os';
import { Command, Option } from 'commander';
import { formats } from '../ingest/formats.ts';
import { ENCODINGS_SHOWN } from '../ingest/read/encoding.ts';
import { parseSourceName } from '../ingest/source-names.ts';
import {
  type CommonOptions,
  collect,
  parseCount,
  settingsOf,
  withModelOptions,
} from './options.ts';
import { type SelectionOptions, selectionOf, withSelectionOptions } from './selection-options.ts';

interface AddOptions extends CommonOptions, SelectionOptions {
  format?: string;
  encoding?: string;
  threads?: number;
  embeddings?: string;
  exclude?: string[];
  strict?: boolean;
  skipped?: string;
  dryRun?: boolean;
  source?: string;
  force?: boolean;
}

const formatList = formats.map(({ name, description }) => `  ${name.padEnd(16)} ${description}`);

const help = `
Formats:
${formatList.join('\n')}

Examples:
  verbatim index add papers.jsonl.gz
  verbatim index add folder/ --exclude '*.pdf' --exclude 'old/*' --skipped skipped.jsonl
  verbatim index add folder/ --dry-run
  verbatim index add works/ --language en --year 2015.. --type article,review --with-abstract
  verbatim index add works/ --sample 10000 --seed 7
  xz -dc works.jsonl.xz | verbatim index add - --limit 1000

In a folder, notes (README, LICENSE, manifest, ...), hidden files and files of no format are passed
over and named. The exit code is 1 where a file is damaged, with --strict also where one was passed
over. A file that is named is never passed over.

--dry-run says of each file its format, its records, which of them would be skipped and why, and the
columns of tables; then the disk and the time to expect. It writes nothing.

Filters leave out a record that does not say its language, year or type, unless the list has
"unknown" in it: --language en,unknown, --year 2015..,unknown. They change nothing of what the index
has. Deletions are always carried out. Of what passes the filters --sample takes n records, the same
ones for the same files and seed, and --limit the first n.

A record replaces what its source said before of the same paper, and is passed over if it says
nothing new. In tables and bibliographies an id that is no DOI, PMID, ... means something in its own
file only; --source says that a file of another name is the same one. Where most of the first
records would replace papers of other titles, nothing is written; --force goes on.

After an interruption the same command goes on where it stopped. It runs with low priority, so that
a server on the same machine answers as before.`;

export function indexAddCommand(): Command {
  const command = withModelOptions(new Command('add'))
    .description('add the documents of files, or of all files in folders, to the index')
    .argument(
      '<paths...>',
      'files, folders, patterns, or - for standard input; plain, gzip or zstd',
    )
    .option('--format <name>', 'format of the files (default: recognised by content)')
    .option('--encoding <name>', `encoding of their texts, as ${ENCODINGS_SHOWN}`)
    .option('--exclude <pattern>', 'leave out files and folders, as *.pdf; repeatable', collect)
    .option('--strict', 'exit code 1 also where a file was passed over')
    .option('--skipped <file>', 'write the skipped records as JSON Lines, to skipped.jsonl say')
    .addOption(
      new Option('--dry-run', 'say what would be done, and write nothing').conflicts([
        ...['skipped', 'embeddings'],
      ]),
    )
    .option('--threads <n>', 'threads that embed (default: the cores)', parseCount)
    .option('--embeddings <file>', 'vectors that `index embed` has written')
    .option(
      '--source <name>',
      'what tables and bibliographies are called (default: as their files)',
    )
    .option('--force', 'replace papers even where most of the titles are others');
  return withSelectionOptions(command)
    .addHelpText('after', help)
    .action(async (paths: string[], options: AddOptions) => {
      const threads = options.threads === undefined ? {} : { embedThreads: options.threads };
      const settings = settingsOf(options, threads);
      const { json = false, strict = false } = options;
      const selection = selectionOf(options);
      // Before any thread starts, which take it over: searches on the same machine go first.
      setPriority(constants.priority.PRIORITY_LOW);
      const sourceName = options.source === undefined ? undefined : parseSourceName(options.source);
      const given = { ...options, settings, selection, sourceName };
      if (options.dryRun) {
        const { runDryRun: dryRunOf } = await import('./dry-run.ts');
        await dryRunOf(paths, { ...given, json, strict });
        return;
      }
      const { addToIndex } = await import('./add-to-index.ts');
      const report = json ? 'json' : 'text';
      await addToIndex(paths, { ...given, report, isForced: options.force ?? false });
    });
}
