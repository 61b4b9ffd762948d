/** `verbatim accounts reclaim`: uses a copy of accounts again whose database is lost. */
import { Command } from 'commander';
import { settingsOf, storeOptions, withConfigOption } from '../cli/options.ts';
import { print, printJson } from '../cli/output.ts';
import { accountSettings, isAddress } from './move-ends.ts';

interface ReclaimOptions {
  otherIsLost: true;
  json?: boolean;
  config?: string;
}

export function accountsReclaimCommand(): Command {
  return withConfigOption(new Command('reclaim'))
    .description('use the copy that a move has left, because the other database is lost for good')
    .argument('<database>', 'the file, or postgres://..., that has the copy')
    .requiredOption('--other-is-lost', 'confirms that nobody can use the other database any more')
    .option('--json', 'print JSON for programs')
    .addHelpText(
      'after',
      `
Example:
  verbatim accounts reclaim verbatim.db --other-is-lost

The accounts are then as they were when they moved away: what was charged, bought, or changed since is
lost. If the other database is there, move the accounts back instead, which loses nothing.`,
    )
    .action(async (database: string, options: ReclaimOptions) => {
      const settings = settingsOf(options);
      const { reclaimFile, reclaimPostgres } = await import(
        '../../accounts/move/reclaim-accounts.ts'
      );
      await (isAddress(database)
        ? reclaimPostgres(accountSettings({ ...settings, accountsAddress: database }))
        : reclaimFile(storeOptions({ ...settings, database })));
      if (options.json) printJson({ reclaimed: true });
      else print('the accounts are in use here again');
    });
}
