/** `verbatim index history`: shows the reports of earlier runs of `index add`. */
import { Command } from 'commander';
import { type CommonOptions, parseCount, settingsOf, withStoreOptions } from '../cli/options.ts';
import { formatTime, printJson, printTable } from '../cli/output.ts';
import { formatDuration } from '../cli/progress.ts';
import { withOperatorIndex } from '../cli/with-operator-index.ts';
import type { BuildReport } from './build-report.ts';

const LIMIT_DEFAULT = 20;

export function indexHistoryCommand(): Command {
  return withStoreOptions(new Command('history'))
    .description('show what earlier runs of `index add` did')
    .option('--limit <n>', 'number of runs, latest first', parseCount, LIMIT_DEFAULT)
    .action(async (options: CommonOptions & { limit: number }) => {
      const builds = await withOperatorIndex(settingsOf(options), (index) =>
        index.builds<BuildReport>(options.limit),
      );
      if (options.json) {
        printJson(builds);
        return;
      }
      printTable(
        [
          ...['started', 'took', 'outcome', 'read', 'added', 'updated', 'unchanged', 'merged'],
          ...['deleted', 'no abstract', 'skipped', 'files'],
        ],
        builds.map(({ startedAt, outcome, report }) => [
          formatTime(startedAt),
          outcome === null ? '' : formatDuration(report.seconds),
          outcome ?? 'did not end',
          ...[report.read, report.added, report.updated, report.unchanged, report.merged],
          ...[report.deleted, report.withoutAbstract, report.skipped],
          describeFiles(report.files),
        ]),
      );
    });
}

function describeFiles(files: readonly string[]): string {
  const [first = '', ...others] = files;
  return others.length === 0 ? first : `${first} and ${others.length} more`;
}
