/** `verbatim source remove`: forgets a source. */
import { Command } from 'commander';
import { type CommonOptions, settingsOf, withStoreOptions } from '../cli/options.ts';
import { print, printJson } from '../cli/output.ts';
import { sourcesNamed, withSources } from './with-sources.ts';

export function sourceRemoveCommand(): Command {
  return withStoreOptions(new Command('remove'))
    .description('forget a source, so that it is not fetched again; its papers stay')
    .argument('<name>', 'its name')
    .action(async (name: string, options: CommonOptions) => {
      await withSources(settingsOf(options), async (store, sources) => {
        sourcesNamed(sources, [name]);
        await store.remove(name);
      });
      if (options.json) printJson({ removed: name });
      else print(`removed ${name}; its papers stay in the index`);
    });
}
