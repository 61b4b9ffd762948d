/** `verbatim index remove`: takes documents out of the index. */
import { Command } from 'commander';
import { createIndexWriter } from '../store/index-writer.ts';
import { type CommonOptions, settingsOf, withExistingStore, withStoreOptions } from './options.ts';
import { print, printJson } from './output.ts';

export function indexRemoveCommand(): Command {
  return withStoreOptions(new Command('remove'))
    .description('take documents out of the index')
    .argument('<ids...>', 'ids as in `d` of a result')
    .action((ids: string[], options: CommonOptions) => {
      const removed = withExistingStore(settingsOf(options), (db) =>
        createIndexWriter(db).remove(ids),
      );
      const missing = ids.filter((id) => !removed.includes(id));
      if (options.json) {
        printJson({ removed, missing });
        return;
      }
      for (const id of removed) print(`removed ${id}`);
      for (const id of missing) print(`not in the index: ${id}`);
    });
}
