/** `verbatim source list`: the sources and what came of them. */
import { Command } from 'commander';
import { abstractShareOf, type Source, stateOf } from '../../sources/ports/source.ts';
import { nextRunAt } from '../../sources/update-hours.ts';
import { type CommonOptions, settingsOf, withStoreOptions } from '../cli/options.ts';
import { formatTime, printable, printJson, printTable } from '../cli/output.ts';
import { withSources } from './with-sources.ts';

export function sourceListCommand(): Command {
  return withStoreOptions(new Command('list'))
    .description('show the sources, what came of their last run, and their papers')
    .addHelpText(
      'after',
      '\n"next run" is when the server starts one (VERBATIM_SOURCE_UPDATE_HOURS), or when the provider may\nbe asked again. Runs from cron are not known here.',
    )
    .action(async (options: CommonOptions) => {
      const settings = settingsOf(options);
      const sources = await withSources(settings, (_, all) => all);
      if (options.json) {
        printJson(sources);
        return;
      }
      const next = nextRunAt(settings.sourceUpdateHours, Date.now()) ?? null;
      printTable(
        [
          'name',
          'provider',
          'state',
          'last run',
          'next run',
          'fetched',
          'papers',
          'with abstract',
          'why',
        ],
        sources.map((source) => [
          source.name,
          source.provider,
          stateOf(source),
          formatTime(source.state.run?.startedAt ?? null).slice(0, 16),
          formatTime(source.state.retryAt ?? next).slice(0, 16),
          progressOf(source),
          source.state.papers,
          source.state.papers === 0 ? '' : abstractShareOf(source),
          printable(source.state.run?.message ?? ''),
        ]),
      );
    });
}

function progressOf({ state: { run } }: Source): string {
  const progress = run?.progress;
  return progress ? `${Math.floor((100 * progress.done) / Math.max(progress.total, 1))} %` : '';
}
