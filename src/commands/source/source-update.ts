/** `verbatim source update`: fetches what is new. */
import { Command } from 'commander';
import { type CommonOptions, settingsOf, withModelOptions } from '../cli/options.ts';

interface UpdateOptions extends CommonOptions {
  dryRun?: boolean;
  accept?: boolean;
}

export function sourceUpdateCommand(): Command {
  return withModelOptions(new Command('update'))
    .description('fetch what is new in the sources')
    .argument('[names...]', 'sources (default: all)')
    .option('--dry-run', 'tell what would be contacted, and contact nobody')
    .option('--accept', 'replace or remove papers even if they are more than half of a source')
    .addHelpText(
      'after',
      `
Examples:
  verbatim source update
  verbatim source update arxiv-cs --dry-run

Run it from cron or a timer of systemd as often as you like: each run fetches only what changed since
the last one. Ctrl-C stops it after the documents at hand, and the next run goes on from there. Beside a
server it runs with low priority. VERBATIM_SOURCE_UPDATE_HOURS lets the server start it.

A run stops, and changes nothing more, if more than half of a source would be removed or get other
titles. Look at the examples that it prints; --accept confirms them.`,
    )
    .action(async (names: string[], options: UpdateOptions) => {
      const { json = false, dryRun: isDryRun = false, accept: isAccepted = false } = options;
      const { updateSources } = await import('./update-sources.ts');
      await updateSources(names, { settings: settingsOf(options), json, isDryRun, isAccepted });
    });
}
