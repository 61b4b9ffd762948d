/** `verbatim index add`: builds or extends the index. */
import { Command, Option } from 'commander';
import { parseSourceName } from '../../ingest/file-source-names.ts';
import { formats } from '../../ingest/formats.ts';
import { ENCODINGS_SHOWN } from '../../ingest/read/encoding.ts';
import { lowerPriority } from '../cli/lower-priority.ts';
import {
  type CommonOptions,
  collect,
  parseCount,
  settingsOf,
  withModelOptions,
} from '../cli/options.ts';
import { type SelectionOptions, selectionOf, withSelectionOptions } from './selection-options.ts';

interface AddOptions extends CommonOptions, SelectionOptions {
  format?: string;
  encoding?: string;
  threads?: number;
  embeddings?: string[];
  exclude?: string[];
  strict?: boolean;
  within?: string;
  skipped?: string;
  dryRun?: boolean;
  source?: string;
  accept?: boolean;
  complete?: boolean;
  yes?: boolean;
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
  verbatim index add ours.bib --complete --dry-run
  xz -dc works.jsonl.xz | verbatim index add - --limit 1000

In a folder, notes (README, LICENSE, manifest, ...), hidden files, and files of no known format are
passed over and named. The exit code is 1 if a file is damaged, and with --strict also if a file was
passed over. A file named on the command line is never passed over.

--dry-run shows the format of each file, its records, which ones would be skipped and why, and the
columns of tables. Then it estimates disk and time. It writes nothing but the file of --skipped,
which lists all records that would be skipped, and all files that would be passed over.

Filters leave out records without a language, year, or type, unless the list contains "unknown":
--language en,unknown, --year 2015..,unknown. They do not change records that the index already has.
Deletions are always carried out. From the records that pass the filters, --sample takes n at random
(the same ones for the same files and seed), and --limit takes the first n.

A record replaces what its source said before about the same paper. Unchanged records are skipped.
In tables and bibliographies, ids other than DOI, PMID, ... are local to their file; --source gives
the file a name, so that a renamed file is recognized. If most of the known papers among the
first records would get other titles, nothing is written, unless you add --accept.

--complete removes the records that came from these files, or from a file of a folder that is named,
and are not in them any more. The records of tables and bibliographies are known by their --source
instead. The command reads the files twice, shows how many records would go, and asks. It refuses if a
file is damaged or a record cannot be read, and if more than half would go (--accept).

After an interruption, run the same command to resume. The build runs with low priority, so that a
server on the same machine stays fast (VERBATIM_BUILD_NICENESS).`;

export function indexAddCommand(): Command {
  const command = withModelOptions(new Command('add'))
    .description('add the records of files, or of all files in folders, to the index')
    .argument(
      '<paths...>',
      'files, folders, patterns, or - for standard input; plain, compressed, or archives',
    )
    .option('--format <name>', 'format of the files (default: recognized by content)')
    .option('--encoding <name>', `encoding of the files: ${ENCODINGS_SHOWN}, ...`)
    .option(
      '--exclude <pattern>',
      'leave out matching files and folders, such as *.pdf; repeatable',
      collect,
    )
    .option(
      '--within <folder>',
      'fail if a file, or what a link leads to, is outside of this folder',
    )
    .option('--strict', 'exit with 1 also if a file was passed over')
    .option('--skipped <file>', 'write skipped records and files to this file as JSON Lines')
    .addOption(
      new Option('--dry-run', 'show what would be done, and write nothing').conflicts('embeddings'),
    )
    .option('--threads <n>', 'embedding threads (default: one per core)', parseCount)
    .option('--embeddings <file>', 'file of vectors written elsewhere; repeatable', collect)
    .option('--source <name>', 'name of the tables and bibliographies (default: their file names)')
    .option('--accept', 'replace papers even if most titles differ; remove even more than half')
    .addOption(
      new Option(
        '--complete',
        'the files are all of their source: remove what they lack',
      ).conflicts(['limit', 'sample', 'language', 'year', 'type', 'withAbstract', 'exclude']),
    )
    .option('--yes', 'remove without a question');
  return withSelectionOptions(command)
    .addHelpText('after', help)
    .action(async (paths: string[], options: AddOptions) => {
      const threads = options.threads === undefined ? {} : { embedThreads: options.threads };
      const settings = settingsOf(options, threads);
      const { json = false, strict = false } = options;
      const selection = selectionOf(options);
      lowerPriority(settings);
      const sourceName = options.source === undefined ? undefined : parseSourceName(options.source);
      const input = { ...options, settings, selection, sourceName };
      if (options.dryRun) {
        const { runDryRun: dryRunOf } = await import('./print-dry-run.ts');
        await dryRunOf(paths, { ...input, json, strict });
        return;
      }
      const { addToIndex } = await import('./add-to-index.ts');
      const report = json ? 'json' : 'text';
      await addToIndex(paths, { ...input, report, isAccepted: options.accept ?? false });
    });
}
